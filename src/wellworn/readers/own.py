"""Rows of our own exports: they mean what they say, so nothing in them is guessed.

A text of an export that looks like a JSON list or holds think tags is just that text.
"""

import json
from collections.abc import Sequence
from typing import Any

from wellworn.prompts.values import unpack_chat
from wellworn.readers.parameters import parameters_in
from wellworn.records import Prompt
from wellworn.tables.formats import Row, bad_row

PROMPT, TEXT, REASONING, FINISH = "prompt", "text", "reasoning", "finish_reason"

_MARK = {"prompt_id", PROMPT, "index", TEXT, "reasoning_hidden", "seed"}


def is_own(sample: Sequence[Row]) -> bool:
    """Tell whether rows are those of an export."""
    return bool(sample) and all(_MARK.issubset(row.fields) for row in sample)


def own_parameters(row: Row) -> dict[str, Any]:
    """Return the parameters that a row of an export states.

    Raises:
        BadInput: One of them cannot be read.
    """
    whole = {"top_logprobs": "top_logprobs", "seed": "run_seed"}
    found = {name: _json(row, column) for name, column in whole.items()}
    wrong = next((name for name, value in found.items() if not isinstance(value, int | None)), None)
    extra = _json(row, "extra")
    if wrong or not isinstance(extra, dict | None):
        raise bad_row(
            row.place, f"'{whole.get(wrong or '', 'extra')}' is not what an export writes"
        )
    stated = {"extra": extra, **found, "top_logprobs": found["top_logprobs"] or None}
    return {
        **parameters_in(row.fields),
        **{name: value for name, value in stated.items() if value not in (None, {})},
    }


def own_prompt(row: Row) -> Any:
    """Return the prompt of a row of an export: a text, or the messages of a chat."""
    value = row.fields[PROMPT]
    if isinstance(value, str) and Prompt(text=value).id == row.fields["prompt_id"]:
        return value
    return unpack_chat(value)


def is_subset(row: Row) -> bool:
    """Tell whether a row is of a run whose prompts are a random subset."""
    return str(row.fields.get("subset")).lower() == "true"


def check_probe(row: Row) -> None:
    """Refuse completions of another probe than the plain question.

    Raises:
        BadInput: The row is of one, as the exports of an earlier version may hold.
    """
    probe = row.fields.get("probe") or "sample"
    if probe != "sample":
        raise bad_row(row.place, f"the completion is of the probe '{probe}', and no sample")


def _json(row: Row, column: str) -> Any:
    """Return a value of JSON, CSV or Parquet, where it is a JSON text."""
    value = row.fields.get(column)
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value) if value else None
    except (ValueError, RecursionError):
        return value
