"""The summary of an audit: everything a report shows, and the schema of report.json.

All reports are views of this one value, so that they cannot disagree.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, NamedTuple

import msgspec

from wellworn.errors import BadInput
from wellworn.records import Score
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
from wellworn.statistics.verdict import Sizes, Verdict, decide, lacking

SCHEMA_VERSION = 1


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


def summarize(suspects: Side, references: Side | None, context: Context) -> Summary:
    """Return the summary of an audit.

    Raises:
        BadInput: A prompt is in both sets, or their scores do not compare.
    """
    sides = [side for side in (suspects, references) if side]
    check_disjoint([side.prompts for side in sides])
    parameters = _common_parameters([score for side in sides for score in side.scores])
    items = [item for side in sides for item in items_of(side)]
    view = parameters.get("view")
    sets: dict[SetName, SetSummary] = {
        side.name: set_summary(side.name, items, view) for side in sides
    }
    sizes = [Sizes(group.prompts, group.compared) for group in sets.values()]
    lacks = lacking(
        *sizes, subset=context.subset, doubts=(*context.doubts, *doubts(sides, parameters))
    )
    groups = [
        [
            item.score
            for item in items
            if item.set == name and item.compared and item.score is not None
        ]
        for name in sets
    ]
    comparable = len(groups) == 2 and min(map(len, groups)) >= 2
    comparison = compare(*groups) if comparable else None
    return Summary(
        wellworn=version("wellworn"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        run=context.run,
        reference_run=context.reference_run,
        detector=context.detector,
        paper=context.paper,
        orientation=context.orientation,
        parameters=parameters,
        verdict=decide(comparison, lacks),
        comparison=comparison,
        suspects=sets["suspects"],
        references=sets.get("references"),
        notes=(*context.notes, *quality_notes(sets, items)),
        items=tuple(items),
    )


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
