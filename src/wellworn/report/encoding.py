"""Results as JSON text."""

import json

import msgspec

from wellworn.tables.values import without_surrogates


def to_json(value: object) -> str:
    """Return a result as indented JSON; lone surrogates, which no file can hold, are U+FFFD."""
    plain = msgspec.to_builtins(value)
    return without_surrogates(json.dumps(plain, indent=2, ensure_ascii=False)) + "\n"
