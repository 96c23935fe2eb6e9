"""Details of lighteval (`--save-details`): a Parquet file a task.

    details/MODEL/TIME/details_TASK_TIME.parquet: doc, model_response, metric

The documentation calls the columns `__doc__` and so on, the code does not; both are read, also
where they are JSON texts. A row has all samples of a prompt. What the model saw is
`model_response.input`, else the document's query.
"""

import json
from typing import Any

import msgspec

from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.shapes import Part
from wellworn.tables.formats import Row

_DOC, _RESPONSE = ("doc", "__doc__"), ("model_response", "__model_response__")
_FOLDER = "details"


class _Doc(msgspec.Struct):
    query: str
    id: Any = None
    task_name: str | None = None
    choices: list[Any] | None = None
    gold_index: Any = None


class _Response(msgspec.Struct):
    text: list[str | None]
    input: str | list[dict[str, Any]] | None = None
    reasonings: list[str | None] | None = None
    output_tokens: list[Any] | None = None


def _lacks(file: LogFile) -> str | None:
    return file.row_lacks(one_of=_DOC) or file.row_lacks(one_of=_RESPONSE)


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    model = _model(file)

    def logged(row: Row) -> Logged:
        return _logged(row, model)

    return found_in(file, layout, by_row(logged), "details of lighteval")


LIGHTEVAL = Reader(lacks=_lacks, read=_read)


def _model(file: LogFile) -> str | None:
    """Return the model that the folders are named after: those between details and the time."""
    parts = file.path.parts
    if _FOLDER not in parts:
        return None
    after = len(parts) - parts[::-1].index(_FOLDER)
    return "/".join(parts[after:-2]) or None


def _logged(row: Row, model: str | None) -> Logged:
    doc = as_written(row.place, _held(row, _DOC), _Doc)
    response = as_written(row.place, _held(row, _RESPONSE), _Response)
    reasonings = response.reasonings or []
    if len(reasonings) != len(response.text):
        reasonings = [None] * len(response.text)
    parts = [
        None if text is None else Part(text, reasoning or None)
        for text, reasoning in zip(response.text, reasonings, strict=True)
    ]
    return Logged(
        place=row.place,
        prompt=response.input or doc.query,
        parts=parts,
        gold=_gold(doc),
        stated={} if model is None else {"model": model},
        about={"id": doc.id, "task": doc.task_name},
    )


def _held(row: Row, names: tuple[str, ...]) -> Any:
    value = next((row.fields[name] for name in names if row.fields.get(name) is not None), None)
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _gold(doc: _Doc) -> Any:
    index = doc.gold_index[0] if isinstance(doc.gold_index, list) and doc.gold_index else None
    index = doc.gold_index if index is None else index
    fits = isinstance(index, int) and doc.choices and 0 <= index < len(doc.choices)
    return doc.choices[index] if fits and doc.choices else None
