"""What the page shows of one prompt: its completions by likeness, and their distances.

Distances are those of the whole texts, in the unit and the view of the audit; the texts shown
are cut. The page holds the details of the prompts with the highest scores of each set, as many
as its budget allows; the others are in the run file.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
import numpy as np

from wellworn.detectors.sequences import sequence_of
from wellworn.distance import distance_matrix
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record, View
from wellworn.report.page.blocks import packed
from wellworn.report.page.contents import Contents
from wellworn.report.page.likeness import likeness
from wellworn.report.page.table import Listed
from wellworn.report.sides import SETS
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
    """Return the packed details of an audit's prompts, by their place in the table.

    Args:
        contents: The table.
        records: In any order; those that are not wanted are passed over.
        budget: Characters that all of them may have together.
    """
    wanted = places_of(contents.items, [item.score for item in contents.items])
    kept = details_by_run(wanted, [records], contents.parameters, budget)
    return {wanted[prompt_id]: detail for prompt_id, (detail,) in kept.items()}


def places_of(items: Sequence[Listed], numbers: Sequence[float | None]) -> dict[str, int]:
    """Return the places of prompts whose details are wanted by id, the first most of all.

    Suspects and references take turns, each by falling number; those without one come last.
    """
    queues = [
        sorted(
            (place for place, item in enumerate(items) if item.set == name),
            key=lambda place: -(numbers[place] or 0.0),
        )
        for name in SETS
    ]
    turns = [place for pair in zip_longest(*queues) for place in pair if place is not None]
    wanted = sorted(turns, key=lambda place: numbers[place] is None)[:DETAILED]
    return {items[place].prompt_id: place for place in wanted}


def details_by_run(
    wanted: Collection[str],
    runs: Sequence[Iterable[Record]],
    parameters: dict[str, Any],
    budget: int = BUDGET,
) -> dict[str, list[str]]:
    """Return the packed details of prompts by id, one of each run, within the budget.

    Args:
        wanted: Ids of prompts, the first most of all.
        runs: Records in any order; those that are not wanted are passed over.
        parameters: What they were scored with.
        budget: Characters that all of them may have together.
    """
    found = [_packed(wanted, records, parameters) for records in runs]
    kept = {}
    for prompt_id in wanted:
        details = [each[prompt_id] for each in found if prompt_id in each]
        budget -= sum(map(len, details))
        if budget < 0:
            break
        if len(details) == len(runs):
            kept[prompt_id] = details
    return kept


def _packed(
    wanted: Collection[str], records: Iterable[Record], parameters: dict[str, Any]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for record in records:
        name = record.prompt.id
        if name in wanted and name not in found:
            found[name] = packed(detail_of(record, parameters))
    return found


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
