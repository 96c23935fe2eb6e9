"""Completions in the shapes that logs give them: texts, objects, lists of either.

An object has its text, and perhaps its reasoning and why it ended, under usual names; or
it is a reply of an OpenAI-compatible server, with `choices` that hold messages.
"""

from typing import Any, NamedTuple

from wellworn.formats import bad_row
from wellworn.values import describe, enumerate_names

_TEXT = (
    "text",
    "content",
    "completion",
    "response",
    "output",
    "generation",
    "generated_text",
    "full_model_response",
    "model_output",
)
_REASONING = ("reasoning_content", "reasoning", "thinking")
_FINISH = ("finish_reason", "stop_reason", "done_reason")
_ANSWERERS = (None, "assistant", "model")


class Part(NamedTuple):
    """What a log holds of a completion."""

    text: str
    reasoning: str | None = None
    finish_reason: str | None = None


def is_reply(value: Any) -> bool:
    """Tell whether a value is a reply of a server, whose `choices` are completions."""
    return isinstance(value, dict) and isinstance(value.get("choices"), list)


def parts_in(value: Any, place: str) -> list[Part | None]:
    """Return the completions that a value holds, with None for each that has no text.

    >>> parts_in(["a", {"text": None}], "a.jsonl:1: 'outputs'")
    [Part(text='a', reasoning=None, finish_reason=None), None]

    Raises:
        BadInput: It has another shape; `place` says where.
    """
    if is_reply(value):
        value = value["choices"]
    return [_part(item, place) for item in (value if isinstance(value, list) else [value])]


def _part(item: Any, place: str) -> Part | None:
    if item is None or isinstance(item, str):
        return None if item is None else Part(item)
    if not isinstance(item, dict):
        raise bad_row(place, f"{describe(item)} is no completion")
    message = item.get("message")
    inner = message if isinstance(message, dict) else item
    if inner.get("role") not in _ANSWERERS:
        raise bad_row(place, f"a message of the {inner['role']} is no completion")
    text, reasoning = _first(inner, _TEXT), _first(inner, _REASONING)
    if text is None and reasoning is None:
        if any(name in inner for name in _TEXT):
            return None
        has, known = enumerate_names(list(inner), 10), ", ".join(_TEXT)
        raise bad_row(place, f"an object with the fields {has} has none of {known}")
    return Part(text or "", reasoning, _first(item, _FINISH))


def _first(fields: dict[str, Any], names: tuple[str, ...]) -> str | None:
    values = (fields.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)
