"""The two sides of a comparison: suspects and references, item by item and as a whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from statistics import quantiles
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from wellworn.errors import BadInput
from wellworn.prompts.asked import recognisable
from wellworn.records import Counts, Prompt, Score
from wellworn.scoring.counts import is_spoilt
from wellworn.statistics.reliability import jackknife_error
from wellworn.tables.values import counted, value_at

SHOWN = 400
"""Characters of a prompt that a report quotes."""
REPLAYED = 0.05
"""The share of repeated replies from which a server is doubted."""
REASONS = 5
"""Different reasons for a missing score that the notes list."""

SetName = Literal["suspects", "references"]
SETS: tuple[SetName, ...] = ("suspects", "references")


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt and its score."""

    prompt_id: str
    set: SetName
    prompt: str
    """The first 400 characters of its last turn."""
    source: str
    value: float | None
    score: float | None
    reason: str | None
    """Why there is no score."""
    compared: bool
    """Whether it enters the comparison of the sets."""
    counts: Counts
    error: float | None = None
    """Standard error of the score, by the luck of its samples (jackknife)."""
    p: float | None = None
    """Of a suspect: conformal p-value against the references."""
    q: float | None = None
    """The same after Benjamini and Hochberg, over all suspects and detectors."""
    pass_rate: float | None = None
    """Share of the samples that a verifier calls correct."""
    base_score: float | None = None
    """The control model's score."""
    base_pass_rate: float | None = None
    base_counts: Counts | None = None
    """What the control model's completions were like."""
    cluster: str | None = None
    """What it shares with other prompts, which are not independent of it then."""
    others: dict[str, float | None] = {}
    """Scores by further detectors."""


class SetSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One set of prompts as a whole. Shares are of its completions, in [0, 1]."""

    prompts: int
    scored: int
    compared: int
    """Prompts that are compared: scored, with fewer than two empty or filtered completions."""
    quartiles: tuple[float, float, float] | None
    """Lower quartile, median and upper quartile of the detector's values that are compared."""
    completions: int
    empty: float
    truncated: float | None
    """None where no completion says why it ended."""
    repeated: float
    """Completions whose text occurred before among those of their prompt."""


class Side(NamedTuple):
    """A set of prompts with the score of each."""

    name: SetName
    prompts: Sequence[Prompt]
    scores: Sequence[Score]
    control: Mapping[str, Score] = MappingProxyType({})
    """Scores of the control model, by prompt."""
    others: Mapping[str, Mapping[str, Score]] = MappingProxyType({})
    """Scores by further detectors: by name, then by prompt."""
    cluster_field: str | None = None
    """The field of a prompt's metadata that says what it shares with others."""


def check_disjoint(sets: Sequence[Sequence[Prompt]]) -> None:
    """Raise BadInput if a question is both a suspect and a reference.

    White space, and whether it was asked as a chat or as a text, make no other question.
    """
    if len(sets) < 2:
        return
    references = {prompt.question: prompt for prompt in sets[1]}
    both = [prompt for prompt in sets[0] if prompt.question in references]
    if both:
        raise BadInput(
            f"suspects and references share {counted(len(both), 'prompt')}, such as "
            f"{recognisable(both[0])[:60]!r} ({both[0].source or 'suspects'} and "
            f"{references[both[0].question].source or 'references'}).\n"
            f"A reference must not have been trained on: take them out of one of the sets."
        )


def items_of(side: Side) -> list[Item]:
    """Return a side's prompts with their scores; a question counts once in the comparison."""
    asked: set[str] = set()
    items = []
    for prompt, score in zip(side.prompts, side.scores, strict=True):
        again = prompt.question in asked
        asked.add(prompt.question)
        items.append(_item(side, prompt, score, again))
    return items


def _item(side: Side, prompt: Prompt, score: Score, again: bool) -> Item:
    base = side.control.get(score.prompt_id)
    shared = value_at(prompt.metadata, side.cluster_field) if side.cluster_field else None
    return Item(
        prompt_id=score.prompt_id,
        set=side.name,
        prompt=recognisable(prompt)[:SHOWN],
        source=prompt.source,
        value=score.value,
        score=score.score,
        reason=score.reason,
        compared=score.score is not None and not is_spoilt(score.counts) and not again,
        counts=score.counts,
        error=jackknife_error(score.without) if score.without else None,
        pass_rate=score.parts.get("pass_rate"),
        base_score=base.score if base else None,
        base_pass_rate=base.parts.get("pass_rate") if base else None,
        base_counts=base.counts if base else None,
        cluster=None if shared is None else str(shared),
        others={
            name: found[score.prompt_id].score
            for name, found in side.others.items()
            if score.prompt_id in found
        },
    )


def set_summary(name: SetName, items: Sequence[Item], view: str | None) -> SetSummary:
    """Return what the items of a set are like as a whole."""
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


def doubts(sides: Sequence[Side], parameters: dict[str, Any]) -> list[str]:
    """Return why the sides, though they have scores, bear no claim."""
    found = []
    if parameters.get("model") == "unknown":
        found.append(
            "Nothing says which model the completions are of, so two models may be compared. "
            "Say it with `wellworn import --model-name`."
        )
    forms = [{_form(prompt) for prompt in side.prompts} for side in sides]
    if len(forms) == 2 and all(forms) and forms[0].isdisjoint(forms[1]):
        found.append(
            "Suspects and references are asked in different forms (a chat against a raw text, or "
            "with another system message): that alone may make them differ."
        )
    counts = [score.counts for side in sides for score in side.scores]
    replayed = sum(count.replayed for count in counts)
    if replayed > REPLAYED * sum(count.completions for count in counts):
        found.append(
            f"The server gave {counted(replayed, 'completion')} twice, whole answers word by word: "
            f"it seems to repeat itself, or to answer from a cache."
        )
    return found


def _form(prompt: Prompt) -> tuple[str, ...]:
    """Return how a prompt is asked: raw, or the roles of its turns and its system message."""
    if prompt.text is not None:
        return ("raw",)
    return tuple(turn.content if turn.role == "system" else turn.role for turn in prompt.messages)


def quality_notes(sets: dict[SetName, SetSummary], items: Sequence[Item]) -> list[str]:
    """Return what a reader should know of the completions."""
    notes = []
    for name, summary in sets.items():
        if summary.truncated is not None and summary.truncated >= 0.1:
            notes.append(
                f"{summary.truncated:.0%} of the {name}' completions were cut at the most tokens; "
                f"texts cut short look more alike. More tokens (--max-tokens) would tell."
            )
    spoilt = [i for i in items if i.score is not None and is_spoilt(i.counts)]
    again = sum(i.score is not None and not i.compared for i in items) - len(spoilt)
    if again > 0:
        notes.append(
            f"{counted(again, 'prompt')} that ask what another one asks, but for white space, "
            f"left out of the comparison."
        )
    if spoilt:
        notes.append(
            f"{counted(len(spoilt), 'prompt')} with two or more empty or filtered completions, "
            f"which are alike for no reason of training, left out of the comparison."
        )
    reasons = Counter(item.reason for item in items if item.reason).most_common()
    notes += [f"{count} without a score: {reason}." for reason, count in reasons[:REASONS]]
    others = sum(count for _, count in reasons[REASONS:])
    if others:
        notes.append(f"{others} without a score for other reasons; each item gives its own.")
    return notes


def common_start(texts: Sequence[str], least: int) -> int:
    """Return how many characters all texts begin with, in whole words; 0 if fewer than `least`."""
    first, last = min(texts, default=""), max(texts, default="")
    equal = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    start = first[: len(list(equal))]
    words = max(start.rfind(" "), start.rfind("\n")) + 1
    return words if words >= least and first != last else 0
