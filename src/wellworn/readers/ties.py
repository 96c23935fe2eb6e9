"""Which of several fields holds the completions, where all of them could by name and shape.

A gold solution is the same wherever a prompt is repeated; samples differ. So the field is
taken whose texts differ within a prompt, if it is the only one, or if all such fields hold
the same. Anything else would be a guess, and a wrong one looks like a collapsed model.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.prompts.values import check_instruction
from wellworn.readers.base import Layout
from wellworn.readers.shapes import parts_in
from wellworn.tables.formats import Row
from wellworn.tables.values import value_at

_ROWS = 4
"""Of fewer rows of repeated prompts, nothing is said."""

_PYTHON = re.compile(r"\[\s*['\"].*['\"]\s*\]\s*\Z", re.DOTALL)

_SEVERAL = ("completions", "outputs", "samples", "responses", "generations")
"""Names of fields that hold several completions, or so they say."""

LOOKED = 2000
"""So many rows are looked at to tell fields apart."""

Texts = tuple[tuple[str, str | None], ...]


class _Evidence(NamedTuple):
    """What rows show of several fields."""

    differs: list[str]
    """The fields whose texts differ within some prompt."""
    values: dict[str, list[Texts]]


def settle(names: Sequence[str], prompt: str, rows: Iterable[Row]) -> str:
    """Return which of the fields `names` holds the completions.

    Raises:
        BadInput: The rows do not tell.
    """
    rows = list(islice(rows, LOOKED))
    evidence = _look(names, prompt, rows)
    likely = evidence.differs or list(names)
    if all(evidence.values[name] == evidence.values[likely[0]] for name in likely):
        return likely[0]
    listed = " or ".join(f"'{name}'" for name in likely)
    why = "all of them differ" if evidence.differs else "none of them differs"
    raise BadInput(
        f"{rows[0].place}: the completions may be {listed}, and {why} between the rows of a "
        f"prompt.\nChoose one with `--completion-field`; the others may hold gold solutions."
    )


def check_lone(name: str, prompt: str, rows: Iterable[Row]) -> None:
    """Refuse the only field of a usual name, where it is the same throughout and another differs.

    Raises:
        BadInput: In all rows of every prompt it holds the same text, as a gold solution does,
            while a field of an unusual name holds other texts.
    """
    held = list(islice(rows, LOOKED))
    again = repeated(held, prompt)
    names = [
        field for field in dict.fromkeys(f for row in held for f in row.fields) if field != prompt
    ]
    evidence = _look([name], prompt, again)
    if len(again) < _ROWS or evidence.differs:
        return
    others = [
        field
        for field in _look(names, prompt, again).differs
        if field not in (name, prompt) and all(map(_is_prose, values_of(again, field)))
    ]
    if others:
        listed = " or ".join(f"'{field}'" for field in others[:5])
        raise BadInput(
            f"{held[0].place}: '{name}' holds one text in all rows of a prompt, as a gold solution "
            f"does, while {listed} differs.\nSay with `--completion-field` which holds the "
            f"completions."
        )


def repeated(rows: Sequence[Row], prompt: str) -> list[Row]:
    """Return the rows whose prompt comes more than once."""
    asked = [json.dumps(value_at(row.fields, prompt)) for row in rows]
    counts = Counter(asked)
    return [row for row, text in zip(rows, asked, strict=True) if counts[text] > 1]


def _is_prose(value: Any) -> bool:
    """Tell a text, or texts, of several words from a name, a time or a number."""
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(text, str) and len(text.split()) >= 3 for text in texts)


def check_prompt(sample: Sequence[Row], names: Sequence[str], layout: Layout) -> None:
    """Refuse a prompt in two halves, of which the first of `names` would be one.

    Raises:
        BadInput: It is, and the user names no field.
    """
    if not layout.prompt_field:
        way_out = "Choose one of them with `--prompt-field`, if it tells the prompts apart."
        check_instruction(sample, names, sample[0].place, way_out)


def choices(sample: Sequence[Row], fitting: dict[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a sentence for each kind of field of which several hold different values.

    Args:
        sample: The first rows.
        fitting: By kind, the field that was taken and those that would fit as well.
    """
    sentences = []
    for kind, (taken, *others) in fitting.items():
        apart = [name for name in others if values_of(sample, name) != values_of(sample, taken)]
        if apart:
            sentences.append(
                f"the {kind}s were taken from '{taken}'; by its name, "
                f"{' or '.join(map(repr, apart))} might hold them too (--{kind}-field)."
            )
    return tuple(sentences)


def values_of(sample: Sequence[Row], name: str) -> list[Any]:
    """Return the values of a field that are there."""
    values = [value_at(row.fields, name) for row in sample]
    return [value for value in values if value is not None]


def _look(names: Sequence[str], prompt: str, rows: Sequence[Row]) -> _Evidence:
    texts: dict[tuple[str, str], set[tuple[str, str | None]]] = {}
    values: dict[str, list[Texts]] = {name: [] for name in names}
    for row in rows:
        asked = json.dumps(value_at(row.fields, prompt))
        for name in names:
            held = _texts(row.fields.get(name))
            values[name].append(held)
            texts.setdefault((name, asked), set()).update(held)
    differing = {name for (name, _), held in texts.items() if len(held) > 1}
    return _Evidence([name for name in names if name in differing], values)


def _texts(value: Any) -> Texts:
    """Return the texts that a value holds; none where it has another shape."""
    if isinstance(value, str) and value.startswith("["):
        value = json_list(value) or value
    try:
        parts = parts_in(value, "")
    except BadInput:
        return ()
    return tuple((part.text, part.reasoning) for part in parts if part is not None)


def lists_in_texts(
    sample: Sequence[Row], name: str, prompt: str, *, cells: bool
) -> list[list[Any]]:
    """Return the lists that all texts of a field hold as JSON; none where they are plain texts.

    Under a name of several completions they are looked for in any file, else in `cells` alone, and
    not where a prompt has several rows: each of those is a completion, be it a list.

    Raises:
        BadInput: The texts are lists as Python shows them: where one of them ends is not sure.
    """
    several, values = name.lower() in _SEVERAL, values_of(sample, name)
    if not several and (not cells or repeated(sample, prompt)):
        return []
    found = [held for value in values if (held := json_list(value)) is not None]
    if found or not several:
        return found if len(found) == len(values) else []
    if values and all(isinstance(value, str) and _PYTHON.match(value) for value in values):
        raise BadInput(
            f"{sample[0].place}: '{name}' holds lists as Python shows them, as {values[0]!r:.60}, "
            f"and no JSON.\nWrite JSON Lines or Parquet, or `json.dumps` of each list."
        )
    return []


def json_list(value: Any) -> list[Any] | None:
    """Return the list that a JSON text holds; None for anything else."""
    if not isinstance(value, str) or not value.startswith("["):
        return None
    try:
        unpacked = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return unpacked if isinstance(unpacked, list) else None
