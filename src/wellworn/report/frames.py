"""Results as flat rows, for tables of any kind."""

from collections.abc import Iterable
from typing import Any

import msgspec

from wellworn.records import Score
from wellworn.report.summary import Summary


def rows(results: Summary | Iterable[Score]) -> list[dict[str, Any]]:
    """Return one flat dict an item; nested fields are joined with a dot, as `counts.empty`."""
    items: Iterable[Any] = results.items if isinstance(results, Summary) else results
    return [_flat(msgspec.to_builtins(item)) for item in items]


def _flat(fields: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat
