"""The summary of an audit: everything a report shows, and the schema of report.json.

All reports are views of this one value, so that they cannot disagree.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from wellworn.errors import BadInput
from wellworn.records import Score
from wellworn.report.evidence import Matched, attribution_of, matched, tested
from wellworn.report.sides import (
    Item,
    SetName,
    SetSummary,
    Side,
    check_disjoint,
    doubts,
    items_of,
    quality_notes,
    set_summary,
)
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.conformal import ItemTests
from wellworn.statistics.evidence import Attribution
from wellworn.statistics.multiplicity import FALSE_DISCOVERIES
from wellworn.statistics.reliability import split_half
from wellworn.statistics.verdict import Sizes, Verdict, decide, lacking

SCHEMA_VERSION = 2


class Flagging(msgspec.Struct, frozen=True, kw_only=True):
    """How far single suspects can stand out from the references."""

    flagged: int
    """Suspects whose q is at most 0.1."""
    smallest_p: float
    """The smallest p-value that a suspect can have, with so many references."""
    least_flagged: int | None
    """How many suspects would need that p-value for any to be flagged; null if not even all."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """An audit, as every report shows it and as report.json holds it."""

    schema_version: int = SCHEMA_VERSION
    wellworn: str
    """The version of the package."""
    created: str
    """When the summary was made, in UTC, ISO 8601."""
    run: str
    reference_run: str | None
    """The run that the references are of, where it is another one."""
    detector: str
    paper: str
    orientation: str
    """How a score follows from a value; higher scores mean more likely trained on."""
    parameters: dict[str, Any]
    """All that the scores depend on: equal for every item."""
    verdict: Verdict
    comparison: Comparison | None
    """Suspects against references; null where nothing can be compared."""
    control: str | None = None
    """The control model, whose scores are the items' base scores."""
    attribution: Attribution | None = None
    """What a separation may be put down to; null where the sets are too small to ask."""
    flagging: Flagging | None = None
    """What can be said of single suspects; null without references."""
    reliability: float | None = None
    """Share of the variance of the scores that other samples would bring again (split halves)."""
    suspects: SetSummary
    references: SetSummary | None
    notes: tuple[str, ...]
    """What a reader should know besides."""
    items: tuple[Item, ...]


class Context(NamedTuple):
    """What a summary says beside the scores."""

    run: str
    reference_run: str | None
    detector: str
    paper: str
    orientation: str
    subset: bool
    notes: Sequence[str]
    doubts: Sequence[str] = ()
    """Why no claim can be made, beside what the scores themselves show."""
    control: str | None = None
    """The control model."""
    known: Mapping[str, Sequence[Score]] = MappingProxyType({})
    """Scores of prompts whose history is known, by what they are called."""
    match: int | None = None
    """References to choose for each suspect, out of those that there are."""


def summarize(suspects: Side, references: Side | None, context: Context) -> Summary:
    """Return the summary of an audit.

    Raises:
        BadInput: A prompt is in both sets, or their scores do not compare.
    """
    sides = [side for side in (suspects, references) if side]
    check_disjoint([side.prompts for side in sides])
    parameters = _common_parameters([score for side in sides for score in side.scores])
    found = _judged(sides, parameters, context)
    return Summary(
        wellworn=version("wellworn"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        run=context.run,
        reference_run=context.reference_run,
        detector=context.detector,
        paper=context.paper,
        orientation=context.orientation,
        parameters=parameters,
        verdict=found.verdict,
        comparison=found.comparison,
        control=context.control,
        attribution=found.attribution,
        flagging=_flagging(found.items, found.tests),
        reliability=_reliability([score for side in sides for score in side.scores]),
        suspects=found.sets["suspects"],
        references=found.sets.get("references"),
        notes=(*context.notes, *found.notes),
        items=tuple(found.items),
    )


class _Judged(NamedTuple):
    """What is found of the sides, and what may be claimed from it."""

    items: list[Item]
    sets: dict[SetName, SetSummary]
    comparison: Comparison | None
    attribution: Attribution | None
    verdict: Verdict
    tests: ItemTests
    notes: list[str]


def _judged(sides: Sequence[Side], parameters: dict[str, Any], context: Context) -> _Judged:
    prompts = {prompt.id: prompt for side in sides for prompt in side.prompts}
    items = [item for side in sides for item in items_of(side)]
    said = quality_notes(
        {side.name: set_summary(side.name, items, parameters.get("view")) for side in sides}, items
    )
    chosen = None
    if context.match and len(sides) < 2:
        raise BadInput("--match chooses references, and there are none.\nGive a pool of them.")
    if context.match and len(sides) == 2:
        chosen = matched(items, prompts, context.match)
        items = chosen.items
    sets: dict[SetName, SetSummary] = {
        side.name: set_summary(side.name, items, parameters.get("view")) for side in sides
    }
    lacks = lacking(
        *_sizes(sets, chosen),
        subset=context.subset,
        doubts=(
            *context.doubts,
            *doubts(sides, parameters),
            *(chosen.refused if chosen else ()),
        ),
    )
    comparison = _comparison(items, sets)
    before = chosen.before if chosen else ()
    attribution = attribution_of(items, prompts, comparison, before, context.known)
    items, tests = tested(items, context.detector)
    told = [*([chosen.note] if chosen else []), *said]
    verdict = decide(comparison, lacks, attribution)
    return _Judged(items, sets, comparison, attribution, verdict, tests, told)


def _sizes(sets: dict[SetName, SetSummary], chosen: Matched | None) -> list[Sizes]:
    """Return the sizes of the sets; of a pool, those that were chosen make the set."""
    return [
        Sizes(chosen.chosen if chosen and name == "references" else group.prompts, group.compared)
        for name, group in sets.items()
    ]


def _comparison(items: Sequence[Item], names: Iterable[SetName]) -> Comparison | None:
    compared = [item for item in items if item.compared]
    groups = [[i.score for i in compared if i.set == n and i.score is not None] for n in names]
    return compare(*groups) if len(groups) == 2 and min(map(len, groups)) >= 2 else None


def _flagging(items: Sequence[Item], tests: ItemTests) -> Flagging | None:
    if tests.smallest_p is None:
        return None
    return Flagging(
        flagged=sum(item.q is not None and item.q <= FALSE_DISCOVERIES for item in items),
        smallest_p=tests.smallest_p,
        least_flagged=tests.least_flagged,
    )


def _reliability(scores: Sequence[Score]) -> float | None:
    halves = [score.halves for score in scores if len(score.halves) == 2]
    return split_half(*zip(*halves, strict=True)) if halves else None


def _common_parameters(scores: Sequence[Score]) -> dict[str, Any]:
    """Return the parameters that all scores share.

    Scores without completions have none of the generation parameters, and no number.
    """
    settings = [score.parameters for score in scores if score.score is not None]
    if not settings:
        return dict(scores[0].parameters) if scores else {}
    first = settings[0]
    for other in settings[1:]:
        for name in {**first, **other}:
            if first.get(name) != other.get(name):
                raise BadInput(
                    f"the scores do not compare: '{name}' is {first.get(name)!r} for some "
                    f"prompts and {other.get(name)!r} for others.\n"
                    f"Sample and score suspects and references with the same settings."
                )
    return dict(first)
