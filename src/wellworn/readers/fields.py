"""Names of the field that holds completions, and what its values must be."""

from collections.abc import Callable, Sequence
from typing import Any

from wellworn.errors import BadInput
from wellworn.readers.shapes import parts_in
from wellworn.tables import fitting
from wellworn.tables.formats import Row
from wellworn.tables.values import describe


def _any(value: Any) -> bool:
    return True


def _list(value: Any) -> bool:
    return isinstance(value, list)


def _replies(value: Any) -> bool:
    """Tell the choices of a server's reply from those of a quiz."""
    return _list(value) and all(
        isinstance(item, dict) and ("message" in item or "finish_reason" in item) for item in value
    )


COMPLETION_FIELDS: dict[str, Callable[[Any], bool]] = {
    "completions": _any,
    "outputs": _any,
    "samples": _any,
    "responses": _any,
    "generations": _any,
    "choices": _replies,
    "completion": _any,
    "output": _any,
    "response": _any,
    "generation": _any,
    "generated_text": _any,
    "model_output": _any,
    "text": _any,
    "code": _list,
}
"""Names of the field that holds completions, and what its values must be beside fitting.

`code` is what Qwen2.5-Math's evaluation calls its list of outputs; one code is a solution.
"""


def find_completion_fields(
    sample: Sequence[Row], prompts: Sequence[str], *, mostly: bool
) -> list[str]:
    """Return the fields that can hold the completions, the one to take first.

    `mostly` takes a field of which more than half of the values can.
    """
    found = fitting(sample, COMPLETION_FIELDS, _holds_completions, mostly=mostly)
    return [name for name in found if name not in prompts[:1]]


def odd_row(sample: Sequence[Row], prompts: Sequence[str]) -> str | None:
    """Say which row keeps a field from holding completions, where most rows would not."""
    for name in find_completion_fields(sample, prompts, mostly=True):
        for row in sample:
            value = row.fields.get(name)
            if value is not None and not _holds_completions(name.lower(), value):
                return (
                    f"'{name}' would hold completions, but at {row.place} it is {describe(value)}"
                )
    return None


def _holds_completions(name: str, value: Any) -> bool:
    if not COMPLETION_FIELDS[name](value):
        return False
    try:
        parts_in(value, name)
    except BadInput:
        return False
    return True
