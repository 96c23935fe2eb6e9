"""Which parameters, and which weights, a log says its completions were generated with.

They are found in a row itself, in objects inside it that hold parameters (`_HOLDERS`), and
around the rows of a JSON document. What one row states, all rows must state alike: a part
of a log that says less, or something else, is of another origin.

Parameters are a dictionary of the fields of `Generation`; any other, such as min_p or those of
`ORIGINS`, becomes its `extra`. Ones that do nothing, as a penalty of 0, count as not stated.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from wellworn.readers.agreement import ORIGINS, UNKNOWN, check_same


class _Parameter(NamedTuple):
    names: tuple[str, ...]
    """What logs call it; the first one that is there counts."""
    read: Callable[[Any], Any]
    """Returns its value, or None if it is of another type."""


def _name(value: Any) -> str | None:
    named = isinstance(value, str) and value.strip() and value != UNKNOWN
    return value if named else None


def number_in(value: Any) -> float | None:
    """Return a finite number, or the one that a text writes."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    number = number_in(value)
    return int(number) if number is not None and number == int(number) else None


def _label(value: Any) -> str | int | float | None:
    whole, number = _whole(value), number_in(value)
    return _name(value) if number is None else number if whole is None else whole


def _heat(value: Any) -> float | None:
    number = number_in(value)
    return number if number is None or number >= 0 else None


def _count(value: Any) -> int | None:
    number = _whole(value)
    return number if number is None or 0 < number < 2**31 else None


def _unless(*neutral: float) -> Callable[[Any], float | None]:
    """Return how a number is read that does nothing at some values."""

    def read(value: Any) -> float | None:
        number = number_in(value)
        return None if number in neutral else number

    return read


_PARAMETERS = {
    "model": _Parameter(
        (
            *("model", "model_name", "model_id", "model_path", "model_name_or_path"),
            "engine",
        ),
        _name,
    ),
    "temperature": _Parameter(("temperature", "sampling_temperature"), _heat),
    "top_p": _Parameter(("top_p",), number_in),
    "max_tokens": _Parameter(
        (
            *("max_tokens", "max_new_tokens", "max_gen_toks", "max_completion_tokens"),
            "max_output_tokens",
        ),
        _count,
    ),
    "top_k": _Parameter(("top_k",), _unless(-1, 0)),
    "min_p": _Parameter(("min_p",), _unless(0)),
    "typical_p": _Parameter(("typical_p",), _unless(1)),
    "repetition_penalty": _Parameter(("repetition_penalty", "repeat_penalty"), _unless(1)),
    "presence_penalty": _Parameter(("presence_penalty",), _unless(0)),
    "frequency_penalty": _Parameter(("frequency_penalty",), _unless(0)),
    "reasoning_effort": _Parameter(("reasoning_effort",), _name),
    **{name: _Parameter((name,), _label) for name in ORIGINS},
}

_OF = {alias: name for name, each in _PARAMETERS.items() for alias in each.names}
_LOOKED_AT = {"do_sample", *_OF}
_PLACES = {name: place for place, name in enumerate(_PARAMETERS)}

_HOLDERS = frozenset(
    {
        *("sampling_params", "sampling_parameters", "sampling_config", "sampling", "decoding"),
        *("generation_config", "generation_params", "generation_parameters", "generation_kwargs"),
        *("gen_config", "gen_params", "gen_kwargs", "decoding_params", "parameters", "params"),
        *("request", "body", "extra_body", "config", "model_config", "model_args", "settings"),
        *("kwargs", "metadata", "meta", "info", "extra_info"),
    }
)
"""Fields of a row whose objects may state parameters, themselves or in such a field."""

_DEPTH = 3


def parameters_in(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that fields state; text is read as a number, as CSV has it.

    >>> parameters_in({"model": "m", "temperature": "0.6", "top_p": None, "n": 8})
    {'model': 'm', 'temperature': 0.6}
    """
    found: dict[str, Any] = {}
    there = {_OF[alias] for alias in _OF.keys() & fields.keys()}
    for name in sorted(there, key=_PLACES.__getitem__):
        parameter = _PARAMETERS[name]
        values = (parameter.read(fields[alias]) for alias in parameter.names if alias in fields)
        value = next((value for value in values if value is not None), None)
        if value is not None:
            found[name] = value
    if fields.get("do_sample") is False:
        found["temperature"] = 0.0
    return found


def seed_in(value: Any) -> int | None:
    """Return a seed that a run file can hold, from a number or its digits."""
    digits = str(value)
    seed = int(digits) if digits.isdecimal() and len(digits) < 20 else None
    return seed if seed is not None and seed < 2**63 else None


def parameters_around(objects: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the parameters that objects state; the first statement of each counts."""
    found: dict[str, Any] = {}
    for fields in objects:
        found = {**found, **{k: v for k, v in parameters_in(fields).items() if k not in found}}
    return found


def parameters_of_row(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that a row states, itself or else in objects that hold them.

    >>> parameters_of_row({"model": "m", "request": {"model": "x", "params": {"top_p": 1}}})
    {'model': 'm', 'top_p': 1.0}
    """
    return parameters_around([fields, *_held(fields, _DEPTH)])


def telling(fields: Iterable[str]) -> list[str]:
    """Return the fields of a row in which `parameters_of_row` looks."""
    return [name for name in fields if name in _LOOKED_AT or name.lower() in _HOLDERS]


def parameters_of_parts(value: Any, place: str) -> dict[str, Any]:
    """Return the parameters that the completions of a row, or a reply, state themselves.

    Raises:
        BadInput: The completions differ in them.
    """
    parts = value if isinstance(value, list) else [value]
    found: dict[str, Any] | None = None
    for part in parts:
        if isinstance(part, dict):
            here = parameters_in(part)
            check_same(here if found is None else found, here, place, apart=False)
            found = here
    return found or {}


def _held(fields: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    for name, value in fields.items():
        held = _object(value) if depth and name.lower() in _HOLDERS else None
        if held is not None:
            yield held
            yield from _held(held, depth - 1)


def _object(value: Any) -> dict[str, Any] | None:
    """Return an object, or the one that a JSON text holds, as a cell of CSV may."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None
