"""Records of Every Eval Ever: a line an interaction, beside a document of the whole evaluation.

    UUID_samples.jsonl   schema_version, model_id, sample_id, input, output, messages
    UUID.json            evaluation_results with the parameters of the generation

Older versions call the first UUID.jsonl. `output.raw` is a text, or a list of samples. A sample
that has several metrics has a record for each: those of the first are read. Ids of samples may
begin anew in every task, so samples go by their prompt. In a chat of several turns, what the
assistant said after the input is the completion, together; what stands before are examples.

The converters may write less than the completion. From Inspect they take the answer that a scorer
found, where it names one: a text of fewer characters than the model wrote tokens counts as one
whose reasoning is hidden. From lm-evaluation-harness they take what a filter left of the first
answer: records of any filter but `none` are passed over.

Held against every-eval-ever 0.3.0: its schema, and what its converters wrote of real logs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_around
from wellworn.readers.shapes import Part
from wellworn.tables import read_document, read_rows
from wellworn.tables.formats import BadRows, bad_row

_MARKS = 8
"""So many tokens may end a completion, or set its reasoning apart, and show no character."""


class _Input(msgspec.Struct):
    raw: str
    formatted: str | None = None
    reference: Any = None


class _Output(msgspec.Struct):
    raw: str | list[str | None] | None
    reasoning_trace: str | list[str | None] | None = None


class _Turn(msgspec.Struct):
    role: str
    content: str | None = None
    reasoning_trace: str | None = None


class _Usage(msgspec.Struct):
    output_tokens: int | None = None


class _Record(msgspec.Struct):
    sample_id: Any
    input: _Input
    evaluation_name: str | None = None
    evaluation_result_id: str | None = None
    model_id: str | None = None
    output: _Output | None = None
    messages: list[_Turn] | None = None
    error: str | None = None
    token_usage: _Usage | None = None
    metadata: dict[str, Any] | None = None


def _lacks(file: LogFile) -> str | None:
    if file.document is not None:
        return file.document_lacks("schema_version", "evaluation_results", "model_info")
    return file.row_lacks("schema_version", "sample_id", "interaction_type", "input")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    if file.document is not None:
        return Missed("it holds the results of Every Eval Ever, and no samples", companion=True)
    found = found_in(file, layout, _rows, "records of Every Eval Ever")
    if isinstance(found, Missed) and file.first and _is_filtered(file.first.fields.get("metadata")):
        return Missed(
            "it holds what filters of lm-evaluation-harness left of the completions",
            "Import the samples_*.jsonl that lm-evaluation-harness itself wrote.",
        )
    return found


EVERY_EVAL_EVER = Reader(lacks=_lacks, read=_read)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    around = _around(file.path)
    metrics: dict[tuple[str, str], Any] = {}
    for row in read_rows(file.path, bad=bad):
        try:
            record = as_written(row.place, row.fields, _Record)
            metric = record.evaluation_result_id or record.evaluation_name
            sample = (str(record.sample_id), record.input.raw)
            if _is_filtered(record.metadata):
                continue
            if metrics.setdefault(sample, metric) == metric:
                yield _logged(row.place, record, around)
        except BadInput as error:
            bad(error)


def _is_filtered(metadata: Any) -> bool:
    held = metadata if isinstance(metadata, dict) else {}
    return "lm_eval_metrics" in held and held.get("filter") != "none"


def _around(path: Path) -> dict[str, Any]:
    """Return the parameters that the results beside the records state."""
    beside = path.with_name(f"{path.stem.removesuffix('_samples')}.json")
    value = read_document(beside) if beside.is_file() else None
    results = value.get("evaluation_results") if isinstance(value, dict) else None
    listed = results if isinstance(results, list) else []
    held = [each.get("generation_config") for each in listed if isinstance(each, dict)]
    configs = [each for each in held if isinstance(each, dict)]
    nested = [each["generation_args"] for each in configs if _is_object(each, "generation_args")]
    return parameters_around([*nested, *configs])


def _is_object(fields: dict[str, Any], name: str) -> bool:
    return isinstance(fields.get(name), dict)


def _logged(place: str, record: _Record, around: dict[str, Any]) -> Logged:
    prompt: Any = record.input.formatted or record.input.raw
    if record.messages:
        prompt, parts = _conversation(record.messages, record.input.raw, place)
    else:
        parts = _parts(record.output)
    parts = _noted(parts, record)
    stated = around if record.model_id is None else {**around, "model": record.model_id}
    return Logged(
        place=place,
        prompt=prompt,
        parts=[None] * len(parts) if record.error else parts,
        gold=record.input.reference,
        stated=stated,
        about={"id": record.sample_id},
    )


def _parts(output: _Output | None) -> list[Part | None]:
    if output is None:
        return [None]
    texts = output.raw if isinstance(output.raw, list) else [output.raw]
    traces = output.reasoning_trace
    traces = traces if isinstance(traces, list) else [traces]
    if len(traces) != len(texts):
        traces = [None] * len(texts)
    pairs = zip(texts, traces, strict=True)
    return [None if text is None else Part(text, trace or None) for text, trace in pairs]


def _noted(parts: list[Part | None], record: _Record) -> list[Part | None]:
    """Return parts with what the record says of their end, and of what it leaves out."""
    shown = sum(len(part.text) + len(part.reasoning or "") for part in parts if part)
    written = record.token_usage.output_tokens if record.token_usage else None
    less = written is not None and written > shown + _MARKS
    end = (record.metadata or {}).get("stop_reason")
    finish = end if isinstance(end, str) and end else None
    return [part and part._replace(finish_reason=finish, hidden=less) for part in parts]


def _conversation(turns: list[_Turn], asked: str, place: str) -> tuple[Any, list[Part | None]]:
    roles = [turn.role for turn in turns]
    inputs = [n for n, turn in enumerate(turns) if turn.role == "user" and turn.content == asked]
    start = inputs[-1] if inputs else 0
    begin = roles.index("assistant", start) if "assistant" in roles[start:] else len(turns)
    before = [{"role": turn.role, "content": turn.content or ""} for turn in turns[:begin]]
    if not before:
        raise bad_row(place, "the conversation begins with an answer")
    answers = [turn for turn in turns[begin:] if turn.role == "assistant"]
    said = [turn.content for turn in answers if turn.content]
    thought = [turn.reasoning_trace for turn in answers if turn.reasoning_trace]
    if not (said or thought):
        return before, [None]
    return before, [Part("\n".join(said), "\n".join(thought) or None)]
