"""Which field of a row holds the prompt, and what prompt its value makes.

A chat is a list of messages with role and content, or a JSON text of one.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any

from wellworn.errors import BadInput, unknown
from wellworn.prompts.chats import as_messages
from wellworn.records import Message, Prompt, chat
from wellworn.tables import fitting
from wellworn.tables.formats import Row, bad_row
from wellworn.tables.values import describe, value_at

PROMPT_FIELDS = (
    "messages",
    "prompt",
    "question",
    "problem",
    "input",
    "query",
    "instruction",
    "text",
)
"""Names of the field that holds the prompt; the first one that fits is taken."""


ANSWER_FIELDS = (
    "answer",
    "gold",
    "gold_answer",
    "ground_truth",
    "expected_answer",
    "final_answer",
    "reference_answer",
    "target",
    "gt",
    "doc.answer",
    "reward_model.ground_truth",
    "solution",
)
"""Names of the field that holds the gold answer; the first that holds one is taken."""

_ANSWER_ROOTS = {name.split(".")[0] for name in ANSWER_FIELDS}


def answer_in(fields: dict[str, Any], named: str | None, used: Collection[str]) -> str | None:
    """Return the gold answer of a row, from the field that is `named` or a usual one."""
    if not named and _ANSWER_ROOTS.isdisjoint(fields):
        return None
    names = [named] if named else [name for name in ANSWER_FIELDS if name not in used]
    found = (_gold_text(value_at(fields, name)) for name in names)
    return next((text for text in found if text is not None), None)


def _gold_text(value: Any) -> str | None:
    """Return a gold answer as text: a text, a number, or the only item of a list."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value)


def holds_prompt(value: Any) -> bool:
    """Tell whether a value can be a prompt: a text, or a list of messages."""
    return isinstance(value, str) or (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(turn, dict) and "role" in turn for turn in value)
    )


def find_prompt_fields(sample: Sequence[Row]) -> list[str]:
    """Return the fields that can be the prompt, the one to take first.

    A chat that ends with the assistant's turn holds an answer, so it is not among them.
    """
    return fitting(sample, PROMPT_FIELDS, lambda _, value: _asks(unpack_chat(value)))


def _asks(value: Any) -> bool:
    return holds_prompt(value) and (isinstance(value, str) or value[-1]["role"] != "assistant")


def check_asks(row: Row, field: str, value: Any) -> None:
    """Refuse a chat that ends with the assistant's turn: it holds the answer.

    Raises:
        BadInput: It does.
    """
    if holds_prompt(value) and not _asks(value):
        raise bad_row(row.place, f"the chat in '{field}' ends with an answer")


def check_instruction(
    sample: Sequence[Row], found: Sequence[str], place: str, way_out: str
) -> None:
    """Refuse rows that split the prompt into an instruction and its input.

    Args:
        sample: The first rows.
        found: The fields that can be the prompt; the first would be taken.
        place: Where the rows are from.
        way_out: What the user can do.

    Raises:
        BadInput: They do, and one of the two would be taken for the whole.
    """
    halves = [name for name in found if name.lower() in ("instruction", "input")]
    filled = [any(str(row.fields.get(name) or "").strip() for row in sample) for name in halves]
    if found[:1] == halves[:1] and len(halves) == 2 and all(filled):
        raise BadInput(
            f"{place}: both 'instruction' and 'input' hold texts, so the prompt may be both "
            f"together.\n{way_out}"
        )


def unpack_chat(value: Any) -> Any:
    """Return the messages that a JSON text holds; any other value as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        unpacked = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return unpacked if not isinstance(unpacked, str) and holds_prompt(unpacked) else value


def make_prompt(
    row: Row, field: str, value: Any, *, raw: bool, system: str | None, metadata: dict[str, Any]
) -> Prompt:
    """Return the prompt that a `value`, read from a `field` of a row, makes.

    A text becomes a user's message, or stays as it is if `raw`; a chat stays a chat. The
    `system` message is put before either.

    Raises:
        BadInput: The value is missing, empty, or neither a text nor a chat; or the chat
            has a system message already and `system` is another.
    """
    if value is None:
        raise bad_row(row.place, f"'{field}' is missing")
    if not holds_prompt(value):
        fact = f"'{field}' is {describe(value)}; a prompt is a text or a list of messages"
        raise bad_row(row.place, fact)
    if isinstance(value, str):
        if not value.strip():
            raise bad_row(row.place, f"'{field}' is empty")
        if raw:
            return Prompt(text=value, source=row.place, metadata=metadata)
        turns = chat(value).messages
    else:
        turns = as_messages(value, row.place)
    if system is not None:
        if turns[0].role == "system":
            raise bad_row(row.place, "the chat has a system message; --system adds a second one")
        turns = (Message("system", system), *turns)
    return Prompt(messages=turns, source=row.place, metadata=metadata)


def check_field(place: str, kind: str, name: str, sample: Sequence[Row]) -> None:
    """Refuse the name of a field that no row of the sample has.

    Raises:
        BadInput: None has it; the message names those that there are.
    """
    if not any(name in row.fields or value_at(row.fields, name) is not None for row in sample):
        known = dict.fromkeys(field for row in sample for field in row.fields)
        raise BadInput(f"{place}: {unknown(kind, name, known)}")
