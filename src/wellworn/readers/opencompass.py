"""Predictions of OpenCompass: a document whose keys are numbers, or a line each while it runs.

    predictions/MODEL/DATASET.json: {"0": {origin_prompt, prediction, gold}, "1": …}

A prompt is a text, or a list of {role, prompt} with the roles SYSTEM, HUMAN and BOT. A prediction
is a text or a list of samples; further runs lie in folders of their own.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.shapes import Part
from wellworn.tables import read_rows
from wellworn.tables.formats import BadRows, Row, bad_row

_ROLES = {"SYSTEM": "system", "HUMAN": "user", "BOT": "assistant"}
_FOLDER = "predictions"


class _Turn(msgspec.Struct):
    role: str
    prompt: str


class _Prediction(msgspec.Struct):
    origin_prompt: str | list[_Turn]
    prediction: str | list[str | None] | None
    gold: Any = None


def _lacks(file: LogFile) -> str | None:
    if file.document is None:
        return file.row_lacks("origin_prompt", "prediction")
    first = next(iter(file.document.items()), ("", None))
    if not first[0].isdecimal() or not isinstance(first[1], dict):
        return "the keys of the document are no numbers"
    missing = {"origin_prompt", "prediction"} - first[1].keys()
    return f"entry {first[0]} has no '{min(missing)}'" if missing else None


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, _rows, "predictions of OpenCompass")


OPENCOMPASS = Reader(lacks=_lacks, read=_read)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    parts = file.path.parts
    model = parts[len(parts) - parts[::-1].index(_FOLDER)] if _FOLDER in parts[:-2] else None
    for row in _entries(file, bad):
        try:
            yield _logged(row, {} if model is None else {"model": model})
        except BadInput as error:
            bad(error)


def _entries(file: LogFile, bad: BadRows) -> Iterator[Row]:
    if file.document is None:
        yield from read_rows(file.path, bad=bad)
    else:
        for key, fields in file.document.items():
            yield Row(f"{file.path}: entry {key}", fields)


def _logged(row: Row, stated: dict[str, Any]) -> Logged:
    held = as_written(row.place, row.fields, _Prediction)
    said = held.prediction if isinstance(held.prediction, list) else [held.prediction]
    return Logged(
        place=row.place,
        prompt=_prompt(held.origin_prompt, row.place),
        parts=[None if text is None else Part(text) for text in said],
        gold=held.gold,
        stated=stated,
    )


def _prompt(value: str | list[_Turn], place: str) -> Any:
    if isinstance(value, str):
        return value
    turns = [
        {"role": _ROLES.get(turn.role.upper(), turn.role), "content": turn.prompt} for turn in value
    ]
    while turns and turns[-1]["role"] == "assistant" and not turns[-1]["content"]:
        turns.pop()
    if not turns:
        raise bad_row(place, "'origin_prompt' has no turns")
    return turns
