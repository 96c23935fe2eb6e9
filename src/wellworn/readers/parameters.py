"""Which parameters a log says its completions were generated with."""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from wellworn.errors import BadInput


class _Parameter(NamedTuple):
    names: tuple[str, ...]
    """What logs call it; the first one that is there counts."""
    read: Callable[[Any], Any]
    """Returns its value, or None if it is of another type."""


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


_PARAMETERS = {
    "model": _Parameter(("model", "model_name", "model_id"), _name),
    "temperature": _Parameter(("temperature",), _number),
    "top_p": _Parameter(("top_p",), _number),
    "max_tokens": _Parameter(("max_tokens", "max_new_tokens", "max_gen_toks"), _whole),
}


def parameters_in(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that fields state; text is read as a number, as CSV has it.

    >>> parameters_in({"model": "m", "temperature": "0.6", "top_p": None, "n": 8})
    {'model': 'm', 'temperature': 0.6}
    """
    found = {}
    for name, parameter in _PARAMETERS.items():
        values = (parameter.read(fields[alias]) for alias in parameter.names if alias in fields)
        value = next((value for value in values if value is not None), None)
        if value is not None:
            found[name] = value
    return found


def parameters_around(objects: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the parameters that objects state; the first statement of each counts."""
    found: dict[str, Any] = {}
    for fields in objects:
        found = {**parameters_in(fields), **found}
    return found


def agreed(known: dict[str, Any], more: dict[str, Any], place: str) -> dict[str, Any]:
    """Return what both state; what only one of them states is taken from it.

    Raises:
        BadInput: They differ.
    """
    for name, value in more.items():
        if known.get(name, value) != value:
            raise BadInput(
                f"{place}: the {name} is {value!r} here, but {known[name]!r} before it.\n"
                f"Completions of different parameters do not mix: "
                f"import each part into a run of its own."
            )
    return {**known, **more}
