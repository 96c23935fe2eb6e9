"""Outputs of MathArena: a packed JSON document a problem, or the rows that it publishes.

    outputs/COMPETITION/MODEL/PROBLEM.json.zst   problem, messages: a list of chats; once unpacked
    MathArena/*_outputs on the Hub               problem_idx, idx_answer, all_messages, answer

The prompt is the chat up to the assistant's first turn. Turns of the type `cot`, or `thinking`,
are the reasoning. Four runs a problem are usual, which is few.

Held against the code that writes both, in the repository eth-sri/matharena.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from wellworn.errors import BadInput
from wellworn.prompts.values import unpack_chat
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in
from wellworn.readers.shapes import Part
from wellworn.tables import read_rows
from wellworn.tables.formats import BadRows, Row, bad_row
from wellworn.tables.values import describe

_REASONING = ("cot", "thinking", "reasoning")


def _lacks(file: LogFile) -> str | None:
    if file.document is not None:
        return file.document_lacks("problem", "messages", "answers")
    return file.row_lacks("problem_idx", "idx_answer", "answer")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, _rows, "outputs of MathArena")


MATHARENA = Reader(lacks=_lacks, read=_read)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    if file.document is not None:
        yield from _document(file, file.document, bad)
        return
    for row in read_rows(file.path, bad=bad):
        try:
            yield _published(row)
        except BadInput as error:
            bad(error)


def _document(file: LogFile, fields: dict[str, Any], bad: BadRows) -> Iterator[Logged]:
    chats = fields.get("messages")
    for number, chat in enumerate(chats if isinstance(chats, list) else []):
        place = f"{file.path}: messages[{number}]"
        try:
            before, part = _split(chat, place)
        except BadInput as error:
            bad(error)
            continue
        yield Logged(
            place=place,
            prompt=before or fields.get("problem"),
            parts=[part],
            gold=fields.get("gold_answer"),
            stated={"model": file.path.parent.name},
            about={"id": fields.get("idx")},
            position=number,
            chat=True,
        )


def _published(row: Row) -> Logged:
    fields = row.fields
    before, part = _split(unpack_chat(fields.get("all_messages") or []), row.place)
    text = fields.get("answer")
    if not isinstance(text, str | None):
        raise bad_row(row.place, f"'answer' is {describe(text)}, and no text")
    number = fields.get("idx_answer")
    return Logged(
        place=row.place,
        prompt=before or fields.get("user_message") or fields.get("problem"),
        parts=[part or (None if text is None else Part(text))],
        gold=fields.get("gold_answer"),
        stated=parameters_in({"model": fields.get("model_name")}),
        about={"id": fields.get("problem_idx")},
        position=number if isinstance(number, int) and number >= 0 else None,
        chat=True,
    )


def _split(chat: Any, place: str) -> tuple[list[dict[str, Any]], Part | None]:
    """Return the turns before the assistant's first one, and what the assistant said."""
    if not isinstance(chat, list) or not all(isinstance(turn, dict) for turn in chat):
        raise bad_row(place, f"{describe(chat)} is no chat")
    roles = [turn.get("role") for turn in chat]
    begin = roles.index("assistant") if "assistant" in roles else len(chat)
    before = [{"role": turn.get("role"), "content": turn.get("content")} for turn in chat[:begin]]
    said = [turn for turn in chat[begin:] if turn.get("role") == "assistant"]
    thought = _texts([turn for turn in said if turn.get("type") in _REASONING])
    texts = _texts([turn for turn in said if turn.get("type") not in _REASONING])
    if not said or not (thought or texts):
        return before, None
    return before, Part("\n".join(texts), "\n".join(thought) or None)


def _texts(turns: Sequence[dict[str, Any]]) -> list[str]:
    return [turn["content"] for turn in turns if isinstance(turn.get("content"), str)]
