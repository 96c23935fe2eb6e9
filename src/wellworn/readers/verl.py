"""Rollouts that verl dumps (`trainer.rollout_data_dir`, `trainer.validation_data_dir`).

    STEP.jsonl: input, output, gts, score, step, what the reward adds, and `uid` in newer versions

Texts are decoded without special tokens, so the roles of a chat are plain lines of the prompt.
Rollouts of a prompt go by `uid` where that names the prompt, else by the input. The default
trainer of 0.9 writes there what names one output (PROMPT_ROLLOUT_OUTPUT), so they go by the input;
so do the later outputs of an agent, whose inputs hold what went before.

Every step is another policy: files of several steps mix only with `--mix-steps`. What was rolled
out in training was trained on: `wellworn evaluate --members-from FOLDER` takes the labels from it.

Held against the code of verl 0.9.1, whose own functions wrote the rows that were read.
"""

import re
from typing import Any

import msgspec

from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in
from wellworn.readers.shapes import Part
from wellworn.tables.formats import Row

_OF_OUTPUT = re.compile(r".+_\d+_\d+", re.DOTALL)


class _Rollout(msgspec.Struct):
    input: str
    output: str | None
    step: int | float
    gts: Any = None
    uid: str | int | None = None


def _lacks(file: LogFile) -> str | None:
    return file.row_lacks("input", "output", "score", "step")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, by_row(_logged), "rollouts of verl")


VERL = Reader(lacks=_lacks, read=_read)


def _logged(row: Row) -> Logged:
    rollout = as_written(row.place, row.fields, _Rollout)
    uid = None if rollout.uid is None else str(rollout.uid)
    return Logged(
        place=row.place,
        prompt=rollout.input,
        parts=[None if rollout.output is None else Part(rollout.output)],
        key=None if uid is None or _OF_OUTPUT.fullmatch(uid) else uid,
        gold=rollout.gts,
        stated=parameters_in(row.fields),
    )
