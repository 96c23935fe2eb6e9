"""What stands beside the comparison of an audit: controls, further detectors, single prompts.

Here the items of a report become the numbers that `wellworn.statistics` reasons about.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from wellworn.records import Counts, Prompt, Score
from wellworn.report.sides import SETS, Item
from wellworn.scoring.counts import is_spoilt
from wellworn.statistics import items as numbers
from wellworn.statistics.attribution import attribute
from wellworn.statistics.blind import baselines, blind_scores
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.conformal import ItemTests, item_tests
from wellworn.statistics.estimates import Estimate, Kind
from wellworn.statistics.evidence import Attribution
from wellworn.statistics.matching import match
from wellworn.statistics.overlap import Balance
from wellworn.statistics.paired import holm
from wellworn.statistics.power import LEAST_UNITS


def attribution_of(
    items: Sequence[Item],
    prompts: Mapping[str, Prompt],
    comparison: Comparison | None,
    before: Sequence[Balance] = (),
    known: Mapping[str, Sequence[Score]] = MappingProxyType({}),
) -> Attribution | None:
    """Return what the separation may be put down to; None where the sets are too small to ask.

    Args:
        items: All prompts of both sets; those that are compared count.
        prompts: The prompts by id, for what their text alone tells.
        comparison: Suspects against references.
        before: How suspects and the pool differ that the references were chosen from, if so.
        known: Scores of prompts whose history is known, by what they are called.
    """
    compared = [item for item in items if item.compared]
    sizes = [sum(item.set == name for item in compared) for name in SETS]
    if comparison is None or min(sizes) < LEAST_UNITS:
        return None
    beside = [
        *_known(
            known, [i.score for i in compared if i.set == "references" and i.score is not None]
        ),
        *_secondary(compared),
        *_blind(compared, prompts),
    ]
    told = [_numbers(item, prompts[item.prompt_id]) for item in compared]
    return attribute(told, beside, comparison=comparison, before=before)


class Matched(NamedTuple):
    """Items of which the chosen references alone are compared."""

    items: list[Item]
    chosen: int
    """References that were chosen."""
    before: tuple[Balance, ...]
    """How suspects and the whole pool differ."""
    refused: tuple[str, ...]
    """Why what was chosen does not stand for the suspects."""
    note: str


def matched(items: Sequence[Item], prompts: Mapping[str, Prompt], each: int) -> Matched:
    """Return the items with references chosen to match the suspects before RL.

    Args:
        items: Suspects, and a pool of references.
        prompts: The prompts by id.
        each: References for each suspect.
    """
    compared = [item for item in items if item.compared]
    found = match([_numbers(item, prompts[item.prompt_id]) for item in compared], each=each)
    kept = {prompt_id for pair in found.pairs for prompt_id in pair}
    chosen = len({reference for _, reference in found.pairs})
    pool = sum(item.set == "references" for item in compared)
    return Matched(
        items=[replace(i, compared=i.compared and i.prompt_id in kept) for i in items],
        chosen=chosen,
        before=found.before,
        refused=found.refused,
        note=f"{chosen} of {pool} references were chosen to match the suspects in what was fixed "
        f"before RL; {len(found.unmatched)} suspects without a match are not compared.",
    )


def tested(items: Sequence[Item], detector: str) -> tuple[list[Item], ItemTests]:
    """Return the items, suspects with their p and q-values, and what these can be at all."""
    scores = {
        name: {
            detector: {i.prompt_id: i.score for i in items if i.set == name and i.compared},
            **_others(items, name),
        }
        for name in SETS
    }
    known = {
        name: {
            each: {prompt_id: value for prompt_id, value in held.items() if value is not None}
            for each, held in found.items()
        }
        for name, found in scores.items()
    }
    references = {each: list(held.values()) for each, held in known["references"].items()}
    found = item_tests(known["suspects"], references)
    mine = {test.prompt_id: test for test in found.items if test.detector == detector}
    return [
        replace(item, p=mine[item.prompt_id].p, q=mine[item.prompt_id].q)
        if item.prompt_id in mine and item.set == "suspects"
        else item
        for item in items
    ], found


def _others(items: Sequence[Item], name: str) -> dict[str, dict[str, float | None]]:
    """Return the scores of a set by further detectors: by name, then by prompt."""
    mine = [item for item in items if item.set == name and item.compared]
    detectors = dict.fromkeys(each for item in mine for each in item.others)
    return {each: {i.prompt_id: i.others.get(each) for i in mine} for each in detectors}


def _secondary(items: Sequence[Item]) -> list[Estimate]:
    """Return the further detectors, with p-values after Holm over all of them."""
    sides = [_others(items, name) for name in SETS]
    found: list[Estimate] = []
    for detector in sides[0]:
        suspects, references = (
            [value for value in side.get(detector, {}).values() if value is not None]
            for side in sides
        )
        if min(len(suspects), len(references)) >= LEAST_UNITS:
            comparison = compare(suspects, references)
            sizes = len(suspects), len(references)
            found.append(_estimate(detector, "secondary", comparison, sizes))
    p_values = holm([each.p for each in found if each.p is not None])
    return [
        replace(each, p=p, note="p after Holm, over the further detectors")
        for each, p in zip(found, p_values, strict=True)
    ]


def _known(known: Mapping[str, Sequence[Score]], references: Sequence[float]) -> Iterator[Estimate]:
    """Yield how prompts that were trained on, or were not, compare with the references."""
    for name, scores in known.items():
        values = [s.score for s in scores if s.score is not None and not is_spoilt(s.counts)]
        if len(values) >= LEAST_UNITS:
            found = compare(values, references)
            yield _estimate(name, "known", found, (len(values), len(references)))


def _blind(items: Sequence[Item], prompts: Mapping[str, Prompt]) -> list[Estimate]:
    labels = np.array([item.set == "suspects" for item in items])
    scores = blind_scores([prompts[item.prompt_id] for item in items], labels)
    sizes = int(labels.sum()), int((~labels).sum())
    return [
        replace(_estimate(each.name, "blind", each.comparison, sizes), p=None)
        for each in baselines(labels, scores)
    ]


def _estimate(name: str, kind: Kind, found: Comparison, sizes: tuple[int, int]) -> Estimate:
    return Estimate(
        name=name,
        kind=kind,
        auc=found.auc,
        low=found.low,
        high=found.high,
        p=found.p,
        suspects=sizes[0],
        references=sizes[1],
    )


def _numbers(item: Item, prompt: Prompt) -> numbers.Item:
    base = item.base_counts
    return numbers.Item(
        prompt_id=item.prompt_id,
        suspect=item.set == "suspects",
        score=item.score,
        base_score=item.base_score,
        pass_rate=item.pass_rate,
        base_pass_rate=item.base_pass_rate,
        base_samples=base.completions if base else None,
        prompt_length=len(prompt.shown),
        length=item.counts.length,
        base_length=base.length if base else None,
        truncated=_share_cut(item.counts),
        base_truncated=_share_cut(base) if base else None,
        cluster=item.cluster,
    )


def _share_cut(counts: Counts) -> float | None:
    known = counts.completions - counts.finish_unknown
    return counts.truncated / known if known else None
