"""Values of rows: made JSON-safe, looked up by dotted names, described in messages."""

import base64
import math
from collections.abc import Callable, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any


def json_safe(value: Any) -> Any:
    """Return a value of Parquet, numpy or a data set as a JSON value.

    Dates are in ISO 8601. Bytes are text where they are UTF-8, lone surrogates included,
    else base64. Numbers that JSON cannot hold become None.

    >>> json_safe({"on": date(2025, 2, 6), "share": Decimal("0.5"), "none": math.nan})
    {'on': '2025-02-06', 'share': 0.5, 'none': None}
    """
    for kinds, convert in _SAFE:
        if isinstance(value, kinds):
            return convert(value)
    return json_safe(value.tolist()) if hasattr(value, "tolist") else str(value)


def value_at(fields: dict[str, Any], name: str) -> Any:
    """Return the value of a field, or of one inside it by a dotted name; None if missing.

    >>> value_at({"doc": {"query": "2 + 2?"}}, "doc.query")
    '2 + 2?'
    """
    if name in fields:
        return fields[name]
    outer, _, inner = name.partition(".")
    held = fields.get(outer)
    return value_at(held, inner) if isinstance(held, dict) else None


def without_surrogates(text: str) -> str:
    """Return a text that UTF-8 can hold: lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s where there are not one.

    >>> counted(1, "prompt"), counted(1_700, "prompt")
    ('1 prompt', '1,700 prompts')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def describe(value: Any) -> str:
    """Return what a JSON value is, in words.

    >>> describe(["a", "b"]), describe({"role": "user"}), describe(0.5)
    ('a list of 2', 'an object', 'a number')
    """
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return _WORDS.get(type(value), "a number")


def enumerate_names(names: Sequence[str], most: int) -> str:
    """Return names after commas, and how many there are beyond the first `most`.

    >>> enumerate_names(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


_WORDS: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    dict: "an object",
    type(None): "null",
}


def _bytes_safe(value: bytes) -> str:
    try:
        return value.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


_SAFE: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    ((str, bool, int, type(None)), lambda value: value),
    ((float, Decimal), lambda value: float(value) if math.isfinite(value) else None),
    (dict, lambda value: {str(key): json_safe(inner) for key, inner in value.items()}),
    ((list, tuple), lambda value: [json_safe(inner) for inner in value]),
    (bytes, _bytes_safe),
    ((date, time), lambda value: value.isoformat()),
)
