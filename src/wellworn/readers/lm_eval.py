"""Samples of lm-evaluation-harness (`--log_samples`): a line a document and filter.

    samples_TASK_DATE.jsonl beside results_DATE.json, in a folder named after the model

A document comes once for each filter, with the same answers: the first filter is read. Its
answers are `resps`, a list for each request, of as many texts as the task repeats; one that came
to nothing is written as the text None. Numbers of documents begin anew in every task, so samples
go by their prompt. Chat prompts lie as a JSON text in a list of one. The model, and whether its
reasoning was cut off (`think_end_token`), stand in the results. Without a temperature the harness
decodes greedily.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import number_in, parameters_in
from wellworn.readers.shapes import Part
from wellworn.records import digest
from wellworn.tables import read_document, read_rows
from wellworn.tables.formats import BadRows, Row, bad_row
from wellworn.tables.values import describe

_NOTHING = (None, "None")
_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.\-]+)\.jsonl")


class _Sample(msgspec.Struct):
    doc_id: int | str
    arguments: dict[str, dict[str, Any]] | list[list[Any]]
    resps: list[list[Any]]
    filter: str
    doc: Any = None
    target: Any = None


class _Around(NamedTuple):
    """What the names and the results say of all samples."""

    task: str
    model: str | None
    thinks: bool
    """The reasoning was cut off from the answers."""


def _lacks(file: LogFile) -> str | None:
    if file.document is not None:
        return file.document_lacks("results", "configs", "config")
    return file.row_lacks("doc_id", "arguments", "resps", "filter")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    if file.document is not None:
        return Missed("it holds the results of lm-evaluation-harness", companion=True)
    around = _around(file.path)
    first = file.first
    if first is not None and _is_likelihood(first.fields.get("resps")):
        return Missed(
            "its task compares log-likelihoods of choices, so no text was sampled",
            "Sample a task that generates text (output_type: generate_until).",
        )
    took = f"task: {around.task}" if around.task else "task: not named"
    return found_in(file, layout, _rows, took)


LM_EVAL = Reader(lacks=_lacks, read=_read)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    around = _around(file.path)
    filters: dict[tuple[str, str], str] = {}
    for row in read_rows(file.path, bad=bad):
        try:
            sample = as_written(row.place, row.fields, _Sample)
            document = (str(sample.doc_id), digest(sample.arguments))
            if filters.setdefault(document, sample.filter) == sample.filter:
                yield _logged(row, sample, around)
        except BadInput as error:
            bad(error)


def _logged(row: Row, sample: _Sample, around: _Around) -> Logged:
    prompt, settings = _asked(row, sample)
    (texts,) = sample.resps
    wrong = next((text for text in texts if not isinstance(text, str | None)), None)
    if wrong is not None:
        raise bad_row(row.place, f"'resps' holds {describe(wrong)} where a text should be")
    stated = parameters_in(settings)
    if not settings.get("do_sample"):
        stated.setdefault("temperature", 0.0)
    doc = sample.doc if isinstance(sample.doc, dict) else {}
    return Logged(
        place=row.place,
        prompt=prompt,
        parts=[None if text in _NOTHING else Part(text, hidden=around.thinks) for text in texts],
        gold=sample.target,
        stated=stated if around.model is None else {"model": around.model, **stated},
        about={**doc, "id": str(sample.doc_id), **({"task": around.task} if around.task else {})},
    )


def _asked(row: Row, sample: _Sample) -> tuple[Any, dict[str, Any]]:
    """Return the prompt of the only request, and the settings that it was made with.

    Raises:
        BadInput: There are several requests, or another than one for a text.
    """
    requests = sample.arguments
    if isinstance(requests, dict):
        each = [list(request.values()) for request in requests.values()]
    else:
        each = requests
    if len(each) != 1 or len(sample.resps) != 1:
        raise bad_row(row.place, f"the document has {len(each)} requests, and texts come of one")
    prompt, settings, *_ = [*each[0], None, None]
    if isinstance(prompt, list) and len(prompt) == 1 and isinstance(prompt[0], str):
        prompt = prompt[0]
    return prompt, settings if isinstance(settings, dict) else {}


def _is_likelihood(resps: Any) -> bool:
    """Tell whether answers are pairs of a log-likelihood and whether it is the greedy one."""
    while isinstance(resps, list) and resps:
        if len(resps) == 2 and str(resps[1]) in ("True", "False"):
            return number_in(resps[0]) is not None
        resps = resps[0]
    return False


def _around(path: Path) -> _Around:
    named = _NAME.search(path.name)
    results: Any = None
    if named:
        beside = path.with_name(f"results_{named['date']}.json")
        results = read_document(beside) if beside.is_file() else None
    results = results if isinstance(results, dict) else {}
    config = results.get("config") if isinstance(results.get("config"), dict) else {}
    settings = _settings(config.get("model_args"))
    models = (
        *(results.get("model_name"), settings.get("model"), settings.get("pretrained")),
        *(config.get("model"), path.parent.name.replace("__", "/", 1)),
    )
    fits = [name for name in models if isinstance(name, str) and name]
    model = fits[0] if len(fits) > 1 or "/" in "".join(fits) else None
    return _Around(named["task"] if named else "", model, bool(settings.get("think_end_token")))


def _settings(value: Any) -> dict[str, Any]:
    """Return the arguments of the model, which older versions write as a text."""
    if isinstance(value, str):
        pairs = [each.split("=", 1) for each in value.split(",")]
        return {pair[0].strip(): pair[1] for pair in pairs if len(pair) == 2}
    return value if isinstance(value, dict) else {}
