"""What the page shows of one prompt: its completions by likeness, and their distances.

Distances are those of the whole texts, in the unit and the view of the audit; the texts shown
are cut. The page holds the details of the prompts with the highest scores of each set, as many
as its budget allows; the others are in the run file.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
import numpy as np

from wellworn.detectors.sequences import sequence_of
from wellworn.distance import distance_matrix
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record, View
from wellworn.report.page.blocks import packed
from wellworn.report.page.contents import SETS, Contents, Row
from wellworn.report.page.likeness import likeness
from wellworn.tables.values import counted

BUDGET = 12_000_000
"""Characters of the page that details may take, after compression."""
DETAILED = 400
"""Prompts that have details at most."""
TEXT = 4_000
"""Characters of a text that are shown."""
COMPLETIONS = 64
"""Completions of a prompt that are shown."""


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A text of the page, and who wrote it."""

    by: str
    """The role of a turn, or the probe of a completion."""
    text: str
    """Its first characters."""
    length: int
    """How many it has in all."""
    finish: str | None = None
    """Why it ended."""


class Detail(msgspec.Struct, frozen=True, kw_only=True):
    """What the page shows of one prompt."""

    prompt: list[Text]
    completions: list[Text]
    distances: list[int] = []
    """Those of all pairs i < j, row by row, in thousandths."""
    groups: list[list[int]] = []
    pairs: list[tuple[int, int]] = []
    notes: list[str] = []


def details_of(
    contents: Contents, records: Iterable[Record], budget: int = BUDGET
) -> dict[int, str]:
    """Return the packed details of prompts, by their place in the table, within the budget.

    Args:
        contents: The table.
        records: In any order; those that are not wanted are passed over.
        budget: Characters that all of them may have together.
    """
    wanted = {contents.items[place].prompt_id: place for place in _wanted(contents.items)}
    found: dict[int, str] = {}
    for record in records:
        place = wanted.get(record.prompt.id)
        if place is not None and place not in found:
            found[place] = packed(detail_of(record, contents.parameters))
    kept = {}
    for place in wanted.values():
        budget -= len(found.get(place, ""))
        if budget < 0:
            break
        if place in found:
            kept[place] = found[place]
    return kept


def _wanted(items: Sequence[Row]) -> list[int]:
    """Return the places of prompts whose details are wanted, the first most of all.

    Suspects and references take turns, each by falling score; those without one come last.
    """
    queues = [
        sorted(
            (place for place, item in enumerate(items) if item.set == name),
            key=lambda place: _rank(items[place]),
        )
        for name in SETS
    ]
    turns = [place for pair in zip_longest(*queues) for place in pair if place is not None]
    return sorted(turns, key=lambda place: items[place].score is None)[:DETAILED]


def _rank(item: Row) -> float:
    return 0.0 if item.score is None else -item.score


def detail_of(record: Record, parameters: dict[str, Any]) -> Detail:
    """Return what the page shows of a record that was scored with these parameters."""
    view: View = parameters.get("view") or "full"
    samples = record.completions("sample")[: parameters.get("samples")][:COMPLETIONS]
    answers = [(probe, answer) for probe, all_ in record.probes.items() for answer in all_]
    shown = [("sample", sample) for sample in samples] or answers[:COMPLETIONS]
    turns = [(turn.role, turn.content) for turn in record.prompt.messages]
    detail = Detail(
        prompt=[_text(*turn) for turn in turns or [("text", record.prompt.text or "")]],
        completions=[_completion(probe, completion, view) for probe, completion in shown],
        notes=_left_out(len(answers), len(shown)),
    )
    return _compared(detail, samples, parameters.get("unit") or "char", view)


def _compared(detail: Detail, samples: Sequence[Completion], unit: Any, view: View) -> Detail:
    """Return the detail with distances of the samples, or with why there are none."""
    if len(samples) < 2:
        return detail
    try:
        sequences = [sequence_of(sample, unit, view) for sample in samples]
    except Unscorable as error:
        return msgspec.structs.replace(detail, notes=[*detail.notes, f"No distances: {error}."])
    distances = distance_matrix(sequences, normalized=True)
    pairs = distances[np.triu_indices(len(samples), k=1)]
    found = likeness(distances)
    return msgspec.structs.replace(
        detail,
        distances=np.rint(pairs * 1000).astype(int).tolist(),
        groups=found.groups,
        pairs=found.pairs,
    )


def _completion(probe: str, completion: Completion, view: View) -> Text:
    try:
        text = completion.view(view)
    except Unscorable:
        text = completion.text
    return _text(probe, text, completion.finish_reason)


def _text(by: str, text: str, finish: str | None = None) -> Text:
    return Text(by=by, text=text[:TEXT], length=len(text), finish=finish)


def _left_out(held: int, shown: int) -> list[str]:
    more = held - shown
    return [f"{counted(more, 'further completion')} not shown here."] if more > 0 else []
