"""Labels out of files: which prompts of a run are known members, and which are not.

A row of a labels file names its prompt by our id, in a column `prompt_id`, or by the prompt
itself, in the columns that prompt files have; so the file that the prompts were read from
serves, if a column of it holds the labels. Labels meet scores in `wellworn.statistics`, and
nothing that measures imports this module.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wellworn.errors import BadInput
from wellworn.prompts.values import (
    check_field,
    find_prompt_fields,
    holds_prompt,
    make_prompt,
    unpack_chat,
)
from wellworn.records import Prompt
from wellworn.tables import describe_fields, fitting, glimpse, read_rows
from wellworn.tables.formats import Row
from wellworn.tables.values import value_at

LABEL_FIELDS = ("member", "label", "is_member", "seen", "trained", "contaminated")
"""Names of the field that holds the label."""

_KNOWN = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "member"), True),
    **dict.fromkeys(("0", "0.0", "false", "no", "non-member"), False),
}
_ID = "prompt_id"
_WAY_OUT = (
    "Name prompts by their ids: `wellworn export RUN scores.csv --what scores` writes them in a "
    "column prompt_id."
)


def read_labels(
    path: str | Path, prompts: Sequence[Prompt], field: str | None = None
) -> dict[str, bool]:
    """Return which prompts are members, by prompt id.

    Prompts that the file does not label are left out. Labels of prompts that are not among
    `prompts` are kept under the ids that they have, so that they can be counted.

    Args:
        path: A file of rows: CSV, JSON Lines, JSON, Parquet, gzipped or not.
        prompts: The prompts of the run.
        field: The field that holds the label; by default, the one of `LABEL_FIELDS`.

    Raises:
        BadInput: The file cannot be read, no field fits or several do, a value is no label,
            a prompt has contradictory labels, or all prompts have the same one.
    """
    seen = glimpse(path, lambda rows: bool(_label_fields(rows) or field) and bool(_names(rows)))
    label, names = _label_field(path, seen.sample, field), _names(seen.sample)
    if not names:
        raise BadInput(
            f"{path}: no column says which prompt a row is about.\n"
            f"{describe_fields(seen.sample)}\n{_WAY_OUT}"
        )
    known = {prompt.id for prompt in prompts}
    labels: dict[str, bool] = {}
    places: dict[str, str] = {}
    for row in read_rows(path, at=seen.at):
        member = _label_of(row, label)
        if member is None:
            continue
        prompt_id = _prompt_id(row, names, known)
        if labels.setdefault(prompt_id, member) != member:
            raise BadInput(
                f"{row.place}: the prompt is a {_called(member)} here, and a "
                f"{_called(not member)} in {places[prompt_id]}.\nKeep one of the two rows."
            )
        places.setdefault(prompt_id, row.place)
    _check_both(path, labels, known)
    return labels


def _label_field(path: str | Path, sample: Sequence[Row], field: str | None) -> str:
    if field is not None:
        check_field(f"{path}: --label-field", "column", field, sample)
        return field
    found = _label_fields(sample)
    if len(found) == 1:
        return found[0]
    if found:
        listed = " and ".join(f"'{name}'" for name in found)
        raise BadInput(
            f"{path}: {listed} could each say which prompts are members.\n"
            f"Choose one with `--label-field NAME`."
        )
    raise BadInput(
        f"{path}: no column says which prompts are members.\n{describe_fields(sample)}\n"
        f"Call it {', '.join(LABEL_FIELDS)}, or name it with `--label-field NAME`."
    )


def _label_fields(sample: Sequence[Row]) -> list[str]:
    """Return the fields that hold labels; if none does, those that are called so."""
    return fitting(
        sample, LABEL_FIELDS, lambda _, value: value == "" or _truth(value) is not None
    ) or fitting(sample, LABEL_FIELDS, lambda *_: True)


def _names(sample: Sequence[Row]) -> list[str]:
    """Return the fields that name the prompt: its id alone, or all that can be the prompt."""
    ids = fitting(sample, (_ID,), lambda _, value: _is_id(value))
    return ids or find_prompt_fields(sample)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{16}", value) is not None


def _label_of(row: Row, field: str) -> bool | None:
    """Return whether the row says member or non-member; None where it says nothing."""
    value = value_at(row.fields, field)
    if value is None or value == "":
        return None
    member = _truth(value)
    if member is None:
        raise BadInput(
            f"{row.place}: '{field}' is {value!r:.60}, which is no label.\n"
            f"Write 1 or 0, true or false, yes or no, member or non-member."
        )
    return member


def _truth(value: Any) -> bool | None:
    return _KNOWN.get(str(value).strip().lower())


def _prompt_id(row: Row, names: Sequence[str], known: set[str]) -> str:
    """Return the id of the prompt that a row names, in the form in which the run asks it."""
    ids = list(_forms(row, names))
    if not ids:
        raise BadInput(
            f"{row.place}: the row has a label, but names no prompt in {', '.join(names)}.\n"
            f"Mend the row, or take it out."
        )
    return next((found for found in ids if found in known), ids[0])


def _forms(row: Row, names: Sequence[str]) -> Iterator[str]:
    """Yield the ids that a row can mean: its own, or of its prompt as a chat and as a text."""
    for name in names:
        value = unpack_chat(value_at(row.fields, name))
        if name.lower() == _ID:
            yield from [value] if value else []
        elif holds_prompt(value) and (not isinstance(value, str) or value.strip()):
            for raw in (False, True):
                yield make_prompt(row, name, value, raw=raw, system=None, metadata={}).id


def _check_both(path: str | Path, labels: dict[str, bool], known: set[str]) -> None:
    found = {labels[prompt_id] for prompt_id in known & labels.keys()}
    if not labels:
        raise BadInput(f"{path}: no row has a label.\nGive some of both kinds.")
    if not found:
        raise BadInput(
            f"{path}: of the prompts with a label, {len(labels):,}, none is in the run.\n{_WAY_OUT}"
        )
    if len(found) == 1:
        [member] = found
        count = len(known & labels.keys())
        raise BadInput(
            f"{path}: the prompts of the run with a label, {count:,}, are all "
            f"{_called(member)}s; an evaluation needs both kinds.\n"
            f"Label {_called(not member)}s as well."
        )


def _called(member: bool) -> str:
    return "member" if member else "non-member"
