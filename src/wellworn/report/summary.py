"""The summary of an audit: everything a report shows, and the schema of report.json.

All reports are views of this one value, so that they cannot disagree.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import quantiles
from typing import Any, Literal, NamedTuple

import msgspec

from wellworn.errors import BadInput
from wellworn.records import Counts, Prompt, Score
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.verdict import Sizes, Verdict, decide, lacking
from wellworn.values import counted

SCHEMA_VERSION = 1
SHOWN = 200
"""Characters of a prompt that a report quotes."""
REASONS = 5
"""Different reasons for a missing score that the notes list."""

SetName = Literal["suspects", "references"]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt and its score."""

    prompt_id: str
    set: SetName
    prompt: str
    """The first 200 characters of its last turn."""
    source: str
    value: float | None
    score: float | None
    reason: str | None
    """Why there is no score."""
    compared: bool
    """Whether it enters the comparison of the sets."""
    counts: Counts


class SetSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One set of prompts as a whole. Shares are of its completions, in [0, 1]."""

    prompts: int
    scored: int
    compared: int
    """Prompts that enter the comparison: scored, with fewer than two empty completions."""
    quartiles: tuple[float, float, float] | None
    """Lower quartile, median and upper quartile of the detector's values that are compared."""
    completions: int
    empty: float
    truncated: float | None
    """None where no completion says why it ended."""
    repeated: float
    """Completions whose text occurred before among those of their prompt."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """An audit, as every report shows it and as report.json holds it."""

    schema_version: int = SCHEMA_VERSION
    wellworn: str
    """The version of the package."""
    created: str
    """When the summary was made, in UTC, ISO 8601."""
    run: str
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


class Side(NamedTuple):
    """A set of prompts with the score of each."""

    name: SetName
    prompts: Sequence[Prompt]
    scores: Sequence[Score]


class Context(NamedTuple):
    """What a summary says beside the scores."""

    run: str
    detector: str
    paper: str
    orientation: str
    subset: bool
    notes: Sequence[str]


def summarize(suspects: Side, references: Side | None, context: Context) -> Summary:
    """Return the summary of an audit.

    Raises:
        BadInput: A prompt is in both sets, or their scores do not compare.
    """
    sides = [side for side in (suspects, references) if side]
    check_disjoint([side.prompts for side in sides])
    parameters = _common_parameters([score for side in sides for score in side.scores])
    items = [item for side in sides for item in _items(side)]
    view = parameters.get("view")
    sets = {side.name: _set_summary(side.name, items, view) for side in sides}
    lacks = lacking(
        _sizes(sets["suspects"]), _sizes(sets["references"]) if references else None, context.subset
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
        detector=context.detector,
        paper=context.paper,
        orientation=context.orientation,
        parameters=parameters,
        verdict=decide(comparison, lacks),
        comparison=comparison,
        suspects=sets["suspects"],
        references=sets.get("references"),
        notes=(*context.notes, *_quality_notes(sets, items)),
        items=tuple(items),
    )


def check_disjoint(sets: Sequence[Sequence[Prompt]]) -> None:
    """Raise BadInput if a prompt is both a suspect and a reference."""
    if len(sets) < 2:
        return
    references = {prompt.id: prompt for prompt in sets[1]}
    both = [prompt for prompt in sets[0] if prompt.id in references]
    if both:
        raise BadInput(
            f"suspects and references share {counted(len(both), 'prompt')}, such as "
            f"{both[0].shown[:60]!r} ({both[0].source or 'suspects'} and "
            f"{references[both[0].id].source or 'references'}).\n"
            f"A reference must not have been trained on: take them out of one of the sets."
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


def _items(side: Side) -> list[Item]:
    return [
        Item(
            prompt_id=score.prompt_id,
            set=side.name,
            prompt=prompt.shown[:SHOWN],
            source=prompt.source,
            value=score.value,
            score=score.score,
            reason=score.reason,
            compared=score.score is not None and score.counts.empty < 2,
            counts=score.counts,
        )
        for prompt, score in zip(side.prompts, side.scores, strict=True)
    ]


def _set_summary(name: SetName, items: Sequence[Item], view: str | None) -> SetSummary:
    mine = [item for item in items if item.set == name]
    values = [item.value for item in mine if item.compared and item.value is not None]
    counts = [item.counts for item in mine]
    total = sum(count.completions for count in counts)
    known = total - sum(count.finish_unknown for count in counts)
    shown = total if view == "answer" else total - sum(count.hidden for count in counts)
    distinct = sum(count.distinct for count in counts)
    return SetSummary(
        prompts=len(mine),
        scored=sum(item.score is not None for item in mine),
        compared=len(values),
        quartiles=_quartiles(values),
        completions=total,
        empty=sum(count.empty for count in counts) / max(1, total),
        truncated=sum(count.truncated for count in counts) / known if known else None,
        repeated=(shown - distinct) / max(1, total),
    )


def _quartiles(values: Sequence[float]) -> tuple[float, float, float] | None:
    if not values:
        return None
    if len(values) == 1:
        return (values[0],) * 3
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high


def _sizes(summary: SetSummary) -> Sizes:
    return Sizes(summary.prompts, summary.compared)


def _quality_notes(sets: dict[SetName, SetSummary], items: Sequence[Item]) -> list[str]:
    notes = []
    for name, summary in sets.items():
        if summary.truncated is not None and summary.truncated >= 0.1:
            notes.append(
                f"{summary.truncated:.0%} of the {name}' completions were cut at the most tokens; "
                f"texts cut short look more alike. Raise --max-tokens."
            )
    left_out = [item for item in items if item.score is not None and not item.compared]
    if left_out:
        notes.append(
            f"{len(left_out)} prompts have two or more empty completions, which lie at distance 0 "
            f"from each other; they were left out of the comparison."
        )
    reasons = Counter(item.reason for item in items if item.reason).most_common()
    notes += [f"{count} without a score: {reason}." for reason, count in reasons[:REASONS]]
    others = sum(count for _, count in reasons[REASONS:])
    if others:
        notes.append(f"{others} without a score for other reasons; each item gives its own.")
    return notes
