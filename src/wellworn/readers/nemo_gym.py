"""Rollouts of NeMo Gym: a line each, with the request and the reply of the Responses API.

    rollouts.jsonl: _ng_task_index, _ng_rollout_index, responses_create_params, response, reward

The prompt is the input of the request. Where the rollouts lack it, it is read from the
materialized inputs beside them. Files of inputs and of failures are passed over.
"""

from collections.abc import Iterator
from typing import Any

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_around
from wellworn.readers.replies import parts_of_reply
from wellworn.tables import read_rows
from wellworn.tables.formats import BadRows, Row, bad_row

_TASK, _ROLLOUT = "_ng_task_index", "_ng_rollout_index"
_ASKED = "responses_create_params"


def _lacks(file: LogFile) -> str | None:
    return file.row_lacks(one_of=(_TASK, _ASKED))


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    fields = file.first.fields if file.first else {}
    if "response" not in fields:
        return Missed("it holds inputs or failures of NeMo Gym", companion=True)
    return found_in(file, layout, _rows, "rollouts of NeMo Gym")


NEMO_GYM = Reader(lacks=_lacks, read=_read)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    inputs: dict[Any, Any] | None = None
    for row in read_rows(file.path, bad=bad):
        try:
            asked = row.fields.get(_ASKED)
            if not isinstance(asked, dict):
                inputs = _inputs(file) if inputs is None else inputs
                asked = inputs.get(row.fields.get(_TASK))
            yield _logged(row, asked)
        except BadInput as error:
            bad(error)


def _inputs(file: LogFile) -> dict[Any, Any]:
    """Return the requests by task, from the materialized inputs beside the rollouts."""
    stem = file.path.name.partition(".")[0]
    beside = file.path.with_name(f"{stem}_materialized_inputs.jsonl")
    if not beside.is_file():
        return {}
    return {row.fields.get(_TASK): row.fields.get(_ASKED) for row in read_rows(beside)}


def _logged(row: Row, asked: Any) -> Logged:
    if not isinstance(asked, dict):
        raise bad_row(row.place, f"the rollout has no '{_ASKED}', nor do inputs beside it")
    prompt = asked.get("input")
    turns = (
        [turn for turn in prompt if isinstance(turn, dict) and "role" in turn]
        if isinstance(prompt, list)
        else prompt
    )
    if isinstance(turns, str):
        turns = [{"role": "user", "content": turns}]
    reply = row.fields.get("response")
    said = reply if isinstance(reply, dict) else {}
    task, rollout = row.fields.get(_TASK), row.fields.get(_ROLLOUT)
    return Logged(
        place=row.place,
        prompt=turns,
        parts=[None] if reply is None else parts_of_reply(reply, row.place),
        stated=parameters_around([{"model": said.get("model")}, asked]),
        about={"id": task},
        position=rollout if isinstance(rollout, int) and rollout >= 0 else None,
    )
