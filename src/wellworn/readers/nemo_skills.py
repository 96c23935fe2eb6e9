"""Generations of NeMo-Skills: a file a seed, all with the same prompts in the same order.

    output-rs0.jsonl, output-rs1.jsonl, …   one sample each (`--num_random_seeds`)
    output.jsonl                            one greedy answer each
    output-rs0_chunk_1.jsonl                a part of one; merged when all are done
    output-rs0.jsonl-async                  one that is being written

Rows hold the input's own fields and `generation`. The prompt that the model saw is not logged:
the problem stands for it. Where the reasoning was taken off (`remove_thinking`), the whole stands
in `_full_generation`. An empty generation with an `error` is a request that failed. Beside files of
seeds, the greedy one is passed over, as are parts and unfinished files of one that is there whole.

Held against real files, and against the code in the repository NVIDIA-NeMo/Skills.
"""

import re
from pathlib import Path
from typing import Any

import msgspec

from wellworn.prompts.values import find_prompt_fields
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in
from wellworn.readers.shapes import Part
from wellworn.readers.signals import parallel
from wellworn.tables.formats import Row, bad_row

_TELLING = (
    *("num_generated_tokens", "generation_start_time", "generation_time", "predicted_answer"),
    *("serialized_output", "_async_position", "_full_generation", "error_message"),
)
_SEED = re.compile(r"-rs(\d+)")
_CHUNK = re.compile(r"_chunk_(\d+)")


class _Generation(msgspec.Struct):
    generation: str | None
    full: str | None = msgspec.field(name="_full_generation", default=None)
    reasoning_content: str | None = None
    finish_reason: str | None = None
    logprobs: Any = None
    tokens: Any = None
    top_logprobs: Any = None
    expected_answer: Any = None
    error: Any = None


def _lacks(file: LogFile) -> str | None:
    lack = file.row_lacks("generation", one_of=_TELLING)
    if lack or not file.first or find_prompt_fields([file.first]):
        return lack
    return "no field of its first row holds the prompt"


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    whole = _whole(file.path)
    if whole is not None:
        return Missed(f"{whole.name} beside it holds all of it", companion=True)
    seed, chunk = _SEED.search(file.path.name), _CHUNK.search(file.path.name)
    if seed is None and any(file.path.parent.glob("output-rs*.jsonl")):
        return Missed("it holds greedy answers, and files of seeds lie beside it", companion=True)
    parts = [f"seed {seed[1]}" if seed else "", f"chunk {chunk[1]}" if chunk else ""]
    origin = ", ".join(filter(None, parts)) or None
    took = f"generations of NeMo-Skills: {origin}" if origin else "generations of NeMo-Skills"
    return found_in(file, layout, by_row(_logged), took, origin=origin)


NEMO_SKILLS = Reader(lacks=_lacks, read=_read)


def _whole(path: Path) -> Path | None:
    """Return the finished file of which this is a part, if it is there."""
    name = _CHUNK.sub("", path.name).removesuffix("-async")
    whole = path.with_name(name)
    return whole if whole != path and whole.is_file() else None


def _logged(row: Row) -> Logged:
    held = as_written(row.place, row.fields, _Generation)
    names = [name for name in find_prompt_fields([row]) if name != "generation"]
    if not names:
        raise bad_row(row.place, "no field holds the prompt")
    text = held.generation if held.full is None else held.full
    part = None
    if text is not None and not (text == "" and held.error):
        steps = parallel(held.logprobs, held.tokens, held.top_logprobs)
        part = Part(text, held.reasoning_content, held.finish_reason, steps=steps)
    kept = {k: v for k, v in row.fields.items() if k in ("id", "level", "type", "subset")}
    return Logged(
        place=row.place,
        prompt=row.fields[names[0]],
        parts=[part],
        gold=held.expected_answer,
        stated=parameters_in(row.fields),
        about=kept,
        bare=names[0] != "prompt",
    )
