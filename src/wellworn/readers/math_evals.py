"""Outputs of two evaluations of mathematics that many RL papers use.

    Qwen2.5-Math, SimpleRL   idx, question, gt, code [one text a sample], pred, report
    JustRL                   example_id, prompt, answer, seed, response; a row a sample

Both write parameters into the file's name: `…_t0.6_…`, `…_t0.7_p0.9_n32-MNT31744`. In the first,
`code` is the list of outputs, and the template around the question is not logged. JustRL asks
the prompt as a user's message.

Held against real files of Qwen2.5-Math and SimpleRL; of JustRL only the documentation was at hand.
"""

import re
from pathlib import Path
from typing import Any

import msgspec

from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in, seed_in
from wellworn.readers.shapes import Part
from wellworn.tables.formats import Row

_IN_NAME = {
    "temperature": re.compile(r"_t(\d+(?:\.\d+)?)(?=[_\-.]|$)"),
    "top_p": re.compile(r"_p(\d+(?:\.\d+)?)(?=[_\-.]|$)"),
    "max_tokens": re.compile(r"MNT(\d+)"),
}


class _Question(msgspec.Struct):
    question: str
    code: list[str | None]
    idx: Any = None
    gt: Any = None
    prompt: str | None = None


class _Seeded(msgspec.Struct):
    prompt: str
    response: str | None
    seed: int
    example_id: int | str
    answer: Any = None


def _lacks(file: LogFile) -> str | None:
    if file.first is not None and "example_id" in file.first.fields:
        return file.row_lacks("prompt", "response", "seed")
    return file.row_lacks("question", "code", "gt")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    stated = _named(file.path)

    def logged(row: Row) -> Logged:
        return _justrl(row, stated) if "example_id" in row.fields else _qwen(row, stated)

    return found_in(file, layout, by_row(logged), "outputs of an evaluation of mathematics")


MATH_EVALS = Reader(lacks=_lacks, read=_read)


def _named(path: Path) -> dict[str, Any]:
    """Return the parameters that the name of a file states.

    >>> _named(Path("aime24_t0.7_p0.9_n32-MNT31744.jsonl"))
    {'temperature': 0.7, 'top_p': 0.9, 'max_tokens': 31744}
    """
    found = {name: pattern.search(path.name) for name, pattern in _IN_NAME.items()}
    return parameters_in({name: match[1] for name, match in found.items() if match})


def _qwen(row: Row, stated: dict[str, Any]) -> Logged:
    held = as_written(row.place, row.fields, _Question)
    return Logged(
        place=row.place,
        prompt=held.prompt or held.question,
        parts=[None if text is None else Part(text) for text in held.code],
        gold=held.gt,
        stated=stated,
        about={"id": held.idx, "level": row.fields.get("level")},
        bare=not held.prompt,
    )


def _justrl(row: Row, stated: dict[str, Any]) -> Logged:
    held = as_written(row.place, row.fields, _Seeded)
    return Logged(
        place=row.place,
        prompt=held.prompt,
        parts=[None if held.response is None else Part(held.response, seed=seed_in(held.seed))],
        gold=held.answer,
        stated=stated,
        about={"id": held.example_id},
        chat=True,
    )
