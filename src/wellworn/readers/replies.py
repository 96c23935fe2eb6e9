"""Replies of OpenAI's API as logs keep them: chat completions, older completions, Responses.

A reply of /responses has `output` items in place of choices: messages, whose texts are the answer,
and reasoning, of which only `content` is the reasoning itself; a summary is not.
"""

from typing import Any

from wellworn.readers.shapes import Part, is_reply, parts_in
from wellworn.tables.formats import bad_row
from wellworn.tables.values import describe, value_at


def is_response(value: Any) -> bool:
    """Tell whether a value is a reply of /responses."""
    return isinstance(value, dict) and isinstance(value.get("output"), list)


def parts_of_reply(reply: Any, place: str) -> list[Part | None]:
    """Return the completions in a reply.

    Raises:
        BadInput: It has another shape.
    """
    if is_reply(reply):
        return parts_in(reply, place)
    if is_response(reply):
        return [_of_items(reply)]
    raise bad_row(place, f"{describe(reply)} is no reply with choices or output items")


def _of_items(reply: dict[str, Any]) -> Part | None:
    items = [item for item in reply["output"] if isinstance(item, dict)]
    said = [_texts(item.get("content")) for item in items if item.get("type") == "message"]
    thought = [item for item in items if item.get("type") == "reasoning"]
    shown = [text for item in thought if (text := _texts(item.get("content")))]
    if reply.get("error") or not (said or shown):
        return None
    reason = value_at(reply, "incomplete_details.reason")
    status = reply.get("status")
    counted = value_at(reply, "usage.output_tokens_details.reasoning_tokens")
    return Part(
        text="".join(said),
        reasoning="\n".join(shown) or None,
        finish_reason=reason if isinstance(reason, str) else _FINISHED.get(str(status)),
        reasoned=isinstance(counted, int | float) and counted > 0,
        hidden=bool(thought) and not shown,
    )


_FINISHED = {"completed": "stop", "failed": "error"}


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") or part.get("refusal") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))
