"""Rollouts of NeMo Gym: a line each, with the request and the reply of the Responses API.

    rollouts.jsonl: _ng_task_index, _ng_rollout_index, responses_create_params, response, reward

The prompt is the input of the request. Where the rollouts lack it, it is read from the
materialized inputs beside them. Files of inputs, failures and metrics are passed over.

A model that is not OpenAI's has its whole reasoning written as a summary, in an item to which Gym
gives an id of its own (`rs_` and a UUID). Such a summary is the reasoning; any other is less.

Held against the code of nemo-gym 0.4.0 that collects rollouts, and its types.
"""

import re
from collections.abc import Iterator
from typing import Any

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_of_row
from wellworn.readers.replies import parts_of_reply
from wellworn.tables import read_rows
from wellworn.tables.formats import BadRows, Row, bad_row

_TASK, _ROLLOUT = "_ng_task_index", "_ng_rollout_index"
_ASKED = "responses_create_params"
_FAILED = "_ng_failure_class"
_OF_GYM = re.compile(r"rs_[0-9a-f]{32}")


def _lacks(file: LogFile) -> str | None:
    return file.row_lacks(one_of=(_TASK, _ASKED))


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    fields = file.first.fields if file.first else {}
    if "response" not in fields or fields.get(_FAILED) is not None:
        return Missed("it holds inputs, failures or metrics of NeMo Gym", companion=True)
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
    stem = file.path.name.removesuffix(".gz").removesuffix(".zst").removesuffix(".jsonl")
    beside = file.path.with_name(f"{stem}_materialized_inputs.jsonl")
    if not beside.is_file():
        return {}
    return {row.fields.get(_TASK): row.fields.get(_ASKED) for row in read_rows(beside)}


def _logged(row: Row, asked: Any) -> Logged:
    if not isinstance(asked, dict):
        raise bad_row(row.place, f"the rollout has no '{_ASKED}', nor do inputs beside it")
    reply = _with_reasoning(row.fields.get("response"))
    said = reply if isinstance(reply, dict) else {}
    task, rollout = row.fields.get(_TASK), row.fields.get(_ROLLOUT)
    return Logged(
        place=row.place,
        prompt=_turns(asked),
        parts=[None] if reply is None else parts_of_reply(reply, row.place),
        stated=parameters_of_row({**asked, "model": said.get("model") or asked.get("model")}),
        about={"id": task},
        position=rollout if isinstance(rollout, int) and rollout >= 0 else None,
    )


def _turns(asked: dict[str, Any]) -> Any:
    """Return the chat that a request begins with; anything else as it is."""
    given, system = asked.get("input"), asked.get("instructions")
    if isinstance(given, str):
        turns: Any = [{"role": "user", "content": given}]
    elif isinstance(given, list):
        turns = [turn for turn in given if isinstance(turn, dict) and "role" in turn]
    else:
        return given
    return [{"role": "system", "content": system}, *turns] if isinstance(system, str) else turns


def _with_reasoning(reply: Any) -> Any:
    """Return a reply in which the reasoning that Gym calls a summary is the content."""
    items = reply.get("output") if isinstance(reply, dict) else None
    if not isinstance(items, list):
        return reply
    return {**reply, "output": [_unsummed(item) for item in items]}


def _unsummed(item: Any) -> Any:
    whole = (
        isinstance(item, dict)
        and item.get("type") == "reasoning"
        and not item.get("content")
        and _OF_GYM.fullmatch(str(item.get("id")))
    )
    return {**item, "content": item.get("summary")} if whole else item
