"""Which parameters, and which weights, a log says its completions were generated with.

They are found in a row itself, in objects inside it that hold parameters (`_HOLDERS`), and
around the rows of a JSON document. What one row states, all rows must state alike: a part
of a log that says less, or something else, is of another origin.

Parameters are a dictionary of the fields of `Generation` and of `ORIGINS`, which become
its `extra`.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.records import Generation

UNKNOWN = "unknown"
"""The model of completions that nothing names the model of."""


class _Parameter(NamedTuple):
    names: tuple[str, ...]
    """What logs call it; the first one that is there counts."""
    read: Callable[[Any], Any]
    """Returns its value, or None if it is of another type."""


def _name(value: Any) -> str | None:
    named = isinstance(value, str) and value.strip() and value != UNKNOWN
    return value if named else None


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


def _label(value: Any) -> str | int | float | None:
    whole, number = _whole(value), _number(value)
    return _name(value) if number is None else number if whole is None else whole


ORIGINS = (
    *("step", "global_step", "train_step", "training_step", "checkpoint", "checkpoint_step"),
    *("checkpoint_path", "ckpt", "policy", "policy_version", "weight_version", "weights_version"),
    *("model_version", "model_revision", "revision", "adapter", "lora"),
)
"""Fields that tell weights apart which go by one name, as those of a training run."""

_PARAMETERS = {
    "model": _Parameter(
        (
            *("model", "model_name", "model_id", "model_path", "model_name_or_path"),
            "engine",
        ),
        _name,
    ),
    "temperature": _Parameter(("temperature", "sampling_temperature"), _number),
    "top_p": _Parameter(("top_p",), _number),
    "max_tokens": _Parameter(
        (
            *("max_tokens", "max_new_tokens", "max_gen_toks", "max_completion_tokens"),
            "max_output_tokens",
        ),
        _whole,
    ),
    **{name: _Parameter((name,), _label) for name in ORIGINS},
}

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
    found = {}
    for name, parameter in _PARAMETERS.items():
        values = (parameter.read(fields[alias]) for alias in parameter.names if alias in fields)
        value = next((value for value in values if value is not None), None)
        if value is not None:
            found[name] = value
    if fields.get("do_sample") is False:
        found["temperature"] = 0.0
    return found


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
            check_same(here if found is None else found, here, place)
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


def agreed(known: dict[str, Any], more: dict[str, Any], place: str) -> dict[str, Any]:
    """Return what both state; what only one of them states is taken from it.

    Raises:
        BadInput: They differ.
    """
    for name, value in more.items():
        if known.get(name, value) != value:
            raise _differ(place, name, value, known[name])
    return {**known, **more}


def check_same(known: dict[str, Any], here: dict[str, Any], place: str) -> None:
    """Refuse what differs from what is known, or states more or less.

    Raises:
        BadInput: The two differ.
    """
    for name in dict.fromkeys([*known, *here]):
        if known.get(name) != here.get(name):
            raise _differ(place, name, here.get(name), known.get(name))


def _differ(place: str, name: str, here: Any, before: Any) -> BadInput:
    now = "not stated" if here is None else repr(here)
    then = "not stated" if before is None else repr(before)
    ways = ["import each part into a run of its own"]
    if name == "model" and None in (here, before):
        ways.append("say with --model-name which model it is")
    if name in ORIGINS:
        ways.append("drop the field if it says nothing of the weights")
    return BadInput(
        f"{place}: the {name} is {now} here, but {then} before it.\n"
        f"Completions of different parameters do not mix: {', or '.join(ways)}."
    )


def with_model(stated: dict[str, Any], model: str | None, place: str) -> dict[str, Any]:
    """Return parameters with the model that the user names.

    Raises:
        BadInput: They state another.
    """
    if model is None:
        return stated
    known = stated.get("model", model)
    if known != model:
        raise BadInput(
            f"{place}: the file says that the model is {known!r}; --model-name says {model!r}.\n"
            f"Leave out --model-name, or give the file that it is about."
        )
    return {**stated, "model": model}


def generation_of(parameters: dict[str, Any]) -> Generation:
    """Return parameters as a setting; what tells weights apart goes to its `extra`."""
    origins = {name: parameters[name] for name in ORIGINS if name in parameters}
    rest = {name: value for name, value in parameters.items() if name not in origins}
    extra = {**parameters.get("extra", {}), **origins}
    return Generation(**{"model": UNKNOWN, **rest, "extra": extra})
