"""Completions in the shapes that logs give them: texts, objects, lists of either.

An object has its text, and perhaps its reasoning and why it ended, under usual names; or
it is a reply of an OpenAI-compatible server, with `choices` that hold messages.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from wellworn.backends import Request
from wellworn.backends.replies import completions_of
from wellworn.readers.signals import Steps, steps_of
from wellworn.records import Generation, chat
from wellworn.tables.formats import bad_row
from wellworn.tables.values import describe, enumerate_names, value_at

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
_FINISH = ("finish_reason", "stop_reason", "done_reason", "finishReason")
_ANSWERERS = (None, "assistant", "model")

_COUNTS = (
    "usage.completion_tokens_details.reasoning_tokens",
    "usage.output_tokens_details.reasoning_tokens",
    "usage.reasoning_tokens",
    "usageMetadata.thoughtsTokenCount",
    "usage_metadata.thoughts_token_count",
    "reasoning_tokens",
)
"""Where providers say how many tokens the model reasoned."""

_TELLING = {"reasoning_details", "reasoning_hidden", *(name.split(".")[0] for name in _COUNTS)}
"""Fields of an object that may speak of its reasoning."""

_ASKED = Request(prompt=chat("?"), generation=Generation(model="?"), index=0, seed=0)


class Part(NamedTuple):
    """What a log holds of a completion."""

    text: str
    reasoning: str | None = None
    finish_reason: str | None = None
    details: Any = None
    """What a gateway says of the parts of the reasoning (`reasoning_details`)."""
    reasoned: bool = False
    """Tokens of reasoning were counted, be they shown or not."""
    hidden: bool = False
    """The log says itself that the reasoning is hidden."""
    steps: Steps = []  # noqa: RUF012
    """Log-probabilities, a token each."""
    token_ids: tuple[int, ...] | None = None
    seed: int | None = None


def is_reply(value: Any) -> bool:
    """Tell whether a value is a reply of a server, whose `choices` are completions."""
    return isinstance(value, dict) and isinstance(value.get("choices"), list)


def parts_in(value: Any, place: str, beside: dict[str, Any] | None = None) -> list[Part | None]:
    """Return the completions that a value holds, with None for each that has no text.

    >>> [part and part.text for part in parts_in(["a", {"text": None}], "a.jsonl:1")]
    ['a', None]

    Args:
        value: The value.
        place: Where it stands, for errors.
        beside: The other fields of its row, which may speak of the reasoning.

    Raises:
        BadInput: It has another shape; `place` says where.
    """
    outer = [beside or {}]
    if is_reply(value):
        outer.append(value)
        value = in_order(value["choices"])
    return [_part(item, place, outer) for item in (value if isinstance(value, list) else [value])]


def in_order(choices: list[Any]) -> list[Any]:
    """Return choices by their index, where all have one."""
    if all(isinstance(each, dict) and isinstance(each.get("index"), int) for each in choices):
        return sorted(choices, key=lambda choice: choice["index"])
    return choices


def hides_reasoning(part: Part, text: str, reasoning: str | None) -> bool:
    """Tell whether a model reasoned of which `reasoning` shows nothing, or a summary.

    It is judged as replies of a live server are.
    """
    if not part.details and not part.reasoned:
        return part.hidden
    message = {"content": text, "reasoning": reasoning, "reasoning_details": part.details}
    usage = {"completion_tokens_details": {"reasoning_tokens": int(part.reasoned)}}
    reply = {"choices": [{"message": message}], "usage": usage}
    return part.hidden or completions_of(reply, [_ASKED])[0].reasoning_hidden


def _part(item: Any, place: str, outer: list[dict[str, Any]]) -> Part | None:
    if item is None or isinstance(item, str):
        return None if item is None else _noted(Part(item), outer)
    if not isinstance(item, dict):
        raise bad_row(place, f"{describe(item)} is no completion")
    message = item.get("message")
    if _first(item, _FINISH) == "error" or ("message" in item and message is None):
        return None
    inner = message if isinstance(message, dict) else item
    if inner.get("role") not in _ANSWERERS:
        raise bad_row(place, f"a message of the {inner['role']} is no completion")
    text, reasoning = _text(inner, place), _first(inner, _REASONING)
    if text is None and reasoning is None:
        return None
    part = Part(text or "", reasoning, _first(item, _FINISH), **_tokens(item))
    return _noted(part, [*outer, item, inner])


def _tokens(item: dict[str, Any]) -> dict[str, Any]:
    """Return the log-probabilities and the token ids of a choice, where it has them."""
    ids, logprobs = item.get("token_ids"), item.get("logprobs")
    whole = isinstance(ids, list) and all(type(token) is int for token in ids)
    return {
        "steps": steps_of(logprobs, ids if whole else None) if logprobs else [],
        "token_ids": tuple(ids) if whole and ids else None,
    }


def _text(inner: dict[str, Any], place: str) -> str | None:
    """Return the text of an object; None where it is null."""
    text = _first(inner, _TEXT)
    held = next((inner[name] for name in _TEXT if inner.get(name) is not None), None)
    if text is None and isinstance(held, list):
        return _joined(held, place)
    if text is None and held is not None:
        raise bad_row(place, f"{describe(held)} is no completion")
    if text is None and not any(name in inner for name in (*_TEXT, *_REASONING)):
        has, known = enumerate_names(list(inner), 10), ", ".join(_TEXT)
        raise bad_row(place, f"an object with the fields {has} has none of {known}")
    return text


def _joined(parts: list[Any], place: str) -> str:
    """Return a content in parts as one text; a part that is no text may be its reasoning."""
    texts = [part.get("text") if isinstance(part, dict) else None for part in parts]
    wrong = next((part for part, text in zip(parts, texts, strict=True) if text is None), None)
    if wrong is not None or not all(isinstance(text, str) for text in texts):
        raise bad_row(place, f"a part of the content is no text: {wrong!r:.80}")
    return "".join(map(str, texts))


def _noted(part: Part, holders: list[dict[str, Any]]) -> Part:
    """Return a part with what the objects around it, outermost first, say of its reasoning."""
    holders = [held for held in holders if not _TELLING.isdisjoint(held)]
    if not holders:
        return part
    found = [held.get("reasoning_details") for held in holders]
    details = [detail for detail in found if detail and isinstance(detail, list)]
    return part._replace(
        details=details[-1] if details else None,
        reasoned=any(count > 0 for held in holders for count in _counts(held)),
        hidden=any(str(held.get("reasoning_hidden")).lower() == "true" for held in holders),
    )


def _counts(fields: dict[str, Any]) -> Iterator[float]:
    for name in _COUNTS:
        count = value_at(fields, name)
        if isinstance(count, str) and count.isdecimal():
            count = int(count)
        if isinstance(count, int | float):
            yield count


def _first(fields: dict[str, Any], names: tuple[str, ...]) -> str | None:
    values = (fields.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)
