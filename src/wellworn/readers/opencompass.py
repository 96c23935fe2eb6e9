"""Predictions of OpenCompass: a document whose keys are numbers, or a line each while it runs.

    predictions/MODEL/DATASET.json: {"0": {origin_prompt, prediction, gold}, "1": …}

A prompt is a text, or a list of {role, prompt} with the roles SYSTEM, HUMAN and BOT; chats of the
`ChatInferencer` have the fields and roles of OpenAI. A prediction is a text, an object with one, or
a list of samples; a data set that is run n times (`--dataset-num-runs`) comes n times in a file.
Predictions of chats with several rounds are turns, and no samples: they are refused, as are those
of tasks that compare the likelihoods of choices.

Held against the code of OpenCompass 0.5.4, whose own handlers wrote the files that were read.
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
from wellworn.tables.formats import BadRows, Row, bad_row, object_row

_ROLES = {"SYSTEM": "system", "HUMAN": "user", "BOT": "assistant"}
_FOLDER = "predictions"
_COMPARED = "label: "


class _Turn(msgspec.Struct):
    role: str
    prompt: str | None = None
    content: str | None = None


class _Said(msgspec.Struct):
    prediction: str | None


_Each = str | _Said | None


class _Prediction(msgspec.Struct):
    origin_prompt: str | list[_Turn]
    prediction: _Each | list[_Each]
    gold: Any = None


def _lacks(file: LogFile) -> str | None:
    if file.document is None:
        return file.row_lacks("origin_prompt", "prediction")
    number, first = next(iter(file.document.items()), ("", None))
    if not number.isdecimal() or not isinstance(first, dict):
        return "the keys of the document are no numbers"
    missing = {"origin_prompt", "prediction"} - first.keys()
    return f"entry {number} has no '{min(missing)}'" if missing else None


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    first: dict[str, Any] = next(iter((file.document or {}).values()), {})
    if any(name.startswith(_COMPARED) for name in first):
        return Missed(
            "its task compares likelihoods of choices, so no text was sampled",
            "Sample a task that generates text (its inferencer is the GenInferencer).",
        )
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
        for key, value in file.document.items():
            try:
                row = object_row(f"{file.path}: entry {key}", value)
            except BadInput as error:
                bad(error)
            else:
                yield row


def _logged(row: Row, stated: dict[str, Any]) -> Logged:
    _check_rounds(row)
    held = as_written(row.place, row.fields, _Prediction)
    said = held.prediction if isinstance(held.prediction, list) else [held.prediction]
    texts = [each.prediction if isinstance(each, _Said) else each for each in said]
    return Logged(
        place=row.place,
        prompt=_prompt(held.origin_prompt, row.place),
        parts=[None if text is None else Part(text) for text in texts],
        gold=held.gold,
        stated=stated,
    )


def _check_rounds(row: Row) -> None:
    """Refuse a row whose predictions are the turns of one conversation.

    Raises:
        BadInput: Its prompts are a list of texts, or missing, or it is a chat with answers
            to be filled in before its end.
    """
    asked, said = row.fields.get("origin_prompt"), row.fields.get("prediction")
    turns = asked if isinstance(asked, list) else []
    open_turns = [turn for turn in turns[:-1] if isinstance(turn, dict) and _is_open(turn)]
    if isinstance(said, list) and (asked is None or open_turns or _are_texts(turns)):
        raise bad_row(row.place, "its predictions are the turns of one chat, and no samples")


def _are_texts(turns: list[Any]) -> bool:
    return bool(turns) and all(isinstance(turn, str) for turn in turns)


def _is_open(turn: dict[str, Any]) -> bool:
    answers = str(turn.get("role")).lower() in ("bot", "assistant")
    return answers and not (turn.get("prompt") or turn.get("content"))


def _prompt(value: str | list[_Turn], place: str) -> Any:
    if isinstance(value, str):
        return value
    turns = [
        {"role": _ROLES.get(turn.role.upper(), turn.role), "content": turn.prompt or turn.content}
        for turn in value
    ]
    while turns and turns[-1]["role"] == "assistant" and not turns[-1]["content"]:
        turns.pop()
    if not turns:
        raise bad_row(place, "'origin_prompt' has no turns")
    return [{**turn, "content": turn["content"] or ""} for turn in turns]
