"""Results of reasoning-gym-eval: a document a run, or a data set.

    {metadata, categories: [{datasets: [{results: [row]}]}]}
    MODEL_TIME/CATEGORY/DATASET.json: {name, system_prompt, results: [row]}
    row: question, expected_answer, completions: [{model_answer, full_model_response, score}]

The whole response is read. Beside `model_answer` there may be no more: then the log left the
reasoning out. A system prompt that the document states was asked before every question. What a
data set does not state, the model and its sampling, stands in `summary.json` above its category.

Held against real results, and against the code of the evaluation in the repository reasoning-gym.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_around
from wellworn.readers.shapes import Part
from wellworn.tables import read_document, read_rows
from wellworn.tables.documents import Document
from wellworn.tables.formats import BadRows, Row

_PLACES = ("categories.datasets.results", "datasets.results", "results")


class _Completion(msgspec.Struct):
    full_model_response: str | None = None
    model_answer: Any = None


class _Result(msgspec.Struct):
    question: str
    completions: list[_Completion]
    expected_answer: Any = None


def _lacks(file: LogFile) -> str | None:
    if file.document is None:
        return "it is no JSON document"
    at = _at(file)
    rows = Document(file.document).lists[at] if at else []
    said = [row["completions"] for row in rows if isinstance(row.get("completions"), list)]
    if not any(_is_graded(each) for listed in said for each in listed):
        return f"no list of it ({', '.join(_PLACES)}) has rows with graded 'completions'"
    return None


def _is_graded(value: Any) -> bool:
    return isinstance(value, dict) and "model_answer" in value


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, _rows, f"results of reasoning-gym-eval: {_at(file)}")


REASONING_GYM = Reader(lacks=_lacks, read=_read)


def _at(file: LogFile) -> str | None:
    lists = Document(file.document).lists
    return next((name for name in _PLACES if name in lists), None)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    around = list(Document(file.document).around())
    system = next((each["system_prompt"] for each in around if each.get("system_prompt")), None)
    stated = parameters_around([*around, *_summed_up(file)])
    for row in read_rows(file.path, at=_at(file), bad=bad):
        try:
            yield _logged(row, system, stated)
        except BadInput as error:
            bad(error)


def _summed_up(file: LogFile) -> Iterator[dict[str, Any]]:
    """Yield the summary of the run that a data set belongs to, where it is there.

    Raises:
        BadInput: It is damaged.
    """
    path = file.path.absolute().parent.with_name("summary.json")
    value = read_document(path) if path.is_file() else None
    if isinstance(value, dict) and "dataset_best_scores" in value:
        yield value


def _logged(row: Row, system: Any, stated: dict[str, Any]) -> Logged:
    held = as_written(row.place, row.fields, _Result)
    chat = [{"role": "system", "content": system}, {"role": "user", "content": held.question}]
    texts = [each.full_model_response for each in held.completions]
    answers = [each.model_answer for each in held.completions]
    return Logged(
        place=row.place,
        prompt=chat if isinstance(system, str) else held.question,
        parts=[_part(text, answer) for text, answer in zip(texts, answers, strict=True)],
        gold=held.expected_answer,
        stated=stated,
    )


def _part(text: str | None, answer: Any) -> Part | None:
    if text is None:
        return Part(answer) if isinstance(answer, str) else None
    return Part(text)
