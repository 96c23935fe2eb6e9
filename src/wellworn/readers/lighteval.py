"""Details of lighteval (`--save-details`): a Parquet file a task.

    details/MODEL/TIME/details_TASK_TIME.parquet: doc, model_response, metric
    results/MODEL/results_TIME.json: config_general.model_config.generation_parameters

The documentation calls the columns `__doc__` and so on, the code does not; both are read, also
where they are JSON texts. A row has all samples of a prompt. What the model saw is
`model_response.input`, else the document's query. The parameters stand in the results of the same
time, where that folder is still beside the details.

Held against lighteval 0.13.0: files that its own `EvaluationTracker` wrote.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_around
from wellworn.readers.shapes import Part
from wellworn.tables import read_document
from wellworn.tables.formats import Row

_DOC, _RESPONSE = ("doc", "__doc__"), ("model_response", "__model_response__")
_DETAILS, _RESULTS = "details", "results"


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
    if file.document is not None:
        return file.document_lacks("config_general", "results", "config_tasks")
    return file.row_lacks(one_of=_DOC) or file.row_lacks(one_of=_RESPONSE)


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    if file.document is not None:
        return Missed("it holds the results of lighteval", companion=True)
    stated = _stated(file.path)

    def logged(row: Row) -> Logged:
        return _logged(row, stated)

    return found_in(file, layout, by_row(logged), "details of lighteval")


LIGHTEVAL = Reader(lacks=_lacks, read=_read)


def _stated(path: Path) -> dict[str, Any]:
    """Return the parameters of the results of the same time, and the model of the folders.

    Raises:
        BadInput: The results are damaged.
    """
    *above, time = path.absolute().parts[:-1]
    if _DETAILS not in above:
        return {}
    at = len(above) - 1 - above[::-1].index(_DETAILS)
    model = above[at + 1 :]
    results = Path(*above[:at], _RESULTS, *model, f"results_{time}.json")
    said = read_document(results) if results.is_file() else None
    config: Any = said
    for name in ("config_general", "model_config"):
        config = config.get(name) if isinstance(config, dict) else None
    config = config if isinstance(config, dict) else {}
    decoding = config.get("generation_parameters")
    around = [{"model": "/".join(model)}, decoding if isinstance(decoding, dict) else {}]
    return parameters_around(around)


def _logged(row: Row, stated: dict[str, Any]) -> Logged:
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
        bare=not response.input,
        parts=parts,
        gold=_gold(doc),
        stated=stated,
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
