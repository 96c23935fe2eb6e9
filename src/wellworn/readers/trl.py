"""Completions that TRL logs while it trains (`log_completions=True`): a Parquet file a step.

    completions/completions_STEP.parquet: step, prompt, completion, a column a reward, advantage

Prompts and completions are texts, or chats where the data set holds such. Every step is another
policy: files of several steps mix only with `--mix-steps`.
"""

from typing import Any

from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in
from wellworn.readers.shapes import Part
from wellworn.tables.formats import Row, bad_row
from wellworn.tables.values import describe


def _lacks(file: LogFile) -> str | None:
    return file.row_lacks("step", "prompt", "completion", "advantage")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, by_row(_logged), "completions of TRL")


TRL = Reader(lacks=_lacks, read=_read)


def _logged(row: Row) -> Logged:
    text = _text(row, row.fields.get("completion"))
    return Logged(
        place=row.place,
        prompt=row.fields.get("prompt"),
        parts=[None if text is None else Part(text)],
        stated=parameters_in(row.fields),
    )


def _text(row: Row, value: Any) -> str | None:
    """Return a completion as text: itself, or what its turns say together."""
    if isinstance(value, list):
        turns = [turn.get("content") if isinstance(turn, dict) else turn for turn in value]
        texts = [turn for turn in turns if isinstance(turn, str)]
        if len(texts) == len(turns):
            return "\n".join(texts)
    if value is None or isinstance(value, str):
        return value
    raise bad_row(row.place, f"'completion' is {describe(value)}, and no text or chat")
