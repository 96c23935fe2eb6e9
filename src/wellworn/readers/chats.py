"""Whole chats, the answer as the last turn: what agents, gateways and samplers keep.

    {"messages": [{"role": "user", …}, {"role": "assistant", "content": the completion}]}

The prompt is all before the last turn. Rows of one prompt are its samples.
"""

from typing import Any

from wellworn.prompts.values import unpack_chat
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.fields import COMPLETION_FIELDS
from wellworn.readers.logs import Logged, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_of_row
from wellworn.readers.shapes import parts_in
from wellworn.tables.formats import Row, bad_row
from wellworn.tables.values import describe

_FIELDS = ("messages", "conversation", "conversations")


def _lacks(file: LogFile) -> str | None:
    lack = file.row_lacks(one_of=_FIELDS)
    if lack or file.first is None:
        return lack
    fields = file.first.fields
    if not COMPLETION_FIELDS.keys().isdisjoint(fields):
        return "its rows hold completions beside the chat"
    return None if _ends_in_an_answer(_chat(fields)) else "its first chat ends with no answer"


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, by_row(_logged), "chats; their last turns are the completions")


CHATS = Reader(lacks=_lacks, read=_read)


def _logged(row: Row) -> Logged:
    chat = _chat(row.fields)
    if not _ends_in_an_answer(chat):
        raise bad_row(row.place, f"the chat is {describe(chat)} that ends with no answer")
    return Logged(
        place=row.place,
        prompt=chat[:-1],
        parts=parts_in(chat[-1], row.place, beside=row.fields),
        gold=next((row.fields[name] for name in ("answer", "gold") if name in row.fields), None),
        stated=parameters_of_row(row.fields),
    )


def _chat(fields: dict[str, Any]) -> Any:
    return next((unpack_chat(fields[name]) for name in _FIELDS if name in fields), None)


def _ends_in_an_answer(chat: Any) -> bool:
    if not isinstance(chat, list) or len(chat) < 2:
        return False
    last = chat[-1]
    return isinstance(last, dict) and last.get("role") == "assistant"
