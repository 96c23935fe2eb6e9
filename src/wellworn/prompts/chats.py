"""Chats in the usual spellings, as messages."""

from collections.abc import Sequence
from typing import Any

from wellworn.errors import BadInput
from wellworn.records import Message


def as_messages(value: Sequence[Any], place: str) -> tuple[Message, ...]:
    """Return a chat in any of the usual spellings as messages.

    A message is an object with `role` and `content` (a text, or a list of text parts).

    Raises:
        BadInput: A message has another shape, or a part that is not text.
    """
    return tuple(
        Message(*_role_and_content(item, f"{place}: message {number}"))
        for number, item in enumerate(value, start=1)
    )


def _role_and_content(item: Any, place: str) -> tuple[str, str]:
    if not isinstance(item, dict) or not isinstance(item.get("role"), str):
        raise BadInput(f"{place} has no 'role'; it is {item!r:.80}.")
    content = item.get("content")
    if isinstance(content, list):
        content = "".join(_text_part(part, place) for part in content)
    if not isinstance(content, str):
        raise BadInput(f"{place}: 'content' is {content!r:.80}, which is no text.")
    return item["role"], content


def _text_part(part: Any, place: str) -> str:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"])
    raise BadInput(f"{place} has a part that is not text: {part!r:.80}. Only text is audited.")
