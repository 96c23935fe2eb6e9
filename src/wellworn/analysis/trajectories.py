"""Prompts averaged: means with intervals, groups against each other, and changes over checkpoints.

The unit is the prompt, never the completion: intervals of means are Student's t over prompts, of
shares of prompts Wilson's, of differences of groups Welch's. From the first run to the last, a
prompt is compared with itself, by Student's t too, which holds for a few prompts, as the
percentiles of a bootstrap do not; and the changes of two groups with each other. Members against
non-members is no evidence of training by itself: easy prompts converge more, trained on or not.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev, variance

from msgspec.structs import replace

from wellworn.analysis.results import Analysed, Checkpoint, Contrast, Course, Mean, Sized
from wellworn.analysis.sets import Across
from wellworn.statistics.change import Change, change
from wellworn.statistics.comparison import LEVEL

_NOTHING = 1e-12
"""A standard error below this is rounding."""
_SHARES = ("few modes",)
"""Measures that are 0 or 1 for a prompt."""


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of values, one or more, with its standard error and interval."""
    if len(values) < 2:
        return Mean(value=values[0], error=None, low=None, high=None, count=1)
    return interval(fmean(values), stdev(values) / sqrt(len(values)), len(values))


def interval(value: float, error: float, count: int) -> Mean:
    """Return a mean of so many with its interval, by Student's t."""
    from scipy.special import stdtrit

    reach = float(stdtrit(count - 1, (1 + LEVEL) / 2)) * error
    return Mean(value=value, error=error, low=value - reach, high=value + reach, count=count)


def share_of(values: Sequence[float]) -> Mean:
    """Return the share of values that are 1, of 0 and 1, with its interval (Wilson)."""
    from scipy.stats import binomtest

    mean = mean_of(values)
    if mean.error is None:
        return mean
    limits = binomtest(int(sum(values)), len(values)).proportion_ci(LEVEL, method="wilson")
    return replace(mean, low=float(limits.low), high=float(limits.high))


def contrast(first: Sequence[float], second: Sequence[float]) -> Contrast | None:
    """Return how two groups differ; None where one has fewer than two values, or none vary.

    The interval is Welch's, with Satterthwaite's degrees of freedom.
    """
    from scipy.special import stdtrit

    if min(len(first), len(second)) < 2:
        return None
    parts = [variance(each) / len(each) for each in (first, second)]
    error = sqrt(sum(parts))
    if error < _NOTHING:
        return None
    shares = [part**2 / (len(each) - 1) for part, each in zip(parts, (first, second), strict=True)]
    freedom = error**4 / sum(shares)
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2)) * error
    difference = fmean(first) - fmean(second)
    return Contrast(difference=difference, low=difference - reach, high=difference + reach)


def means(
    items: Sequence[Analysed], groups: Sequence[str], *, chance: bool = False
) -> dict[str, dict[str, Mean]]:
    """Return the mean of each measure in each group that has it."""
    return {
        name: {
            group: share_of(values) if name in _SHARES else mean_of(values)
            for group, values in grouped.items()
            if group in groups and values
        }
        for name, grouped in _values(items, chance).items()
    }


def contrasts(items: Sequence[Analysed], groups: Sequence[str]) -> dict[str, Contrast]:
    """Return how the first of two groups differs from the second, by measure."""
    if len(groups) != 2:
        return {}
    first, second = groups
    found = {
        name: contrast(grouped.get(first, []), grouped.get(second, []))
        for name, grouped in _values(items).items()
    }
    return {name: each for name, each in found.items() if each}


def sized_within(items: Sequence[Analysed], groups: Sequence[str]) -> Iterator[Sized]:
    """Yield the diversity within prompts, by group and size."""
    for group in groups:
        mine = [item.sized for item in items if item.group == group and item.sized]
        for n in mine[0] if mine else ():
            names = dict.fromkeys(name for each in mine for name in each[n])
            found = {name: mean_of([e[n][name] for e in mine if name in e[n]]) for name in names}
            yield Sized(within=True, group=group, n=n, means=found)


def sized_across(group: str, n: int, found: Mapping[str, Across]) -> Sized:
    """Return the diversity of sets of n different prompts."""
    held = {name: interval(each.value, each.error, each.sets) for name, each in found.items()}
    return Sized(within=False, group=group, n=n, means=held)


def course(checkpoints: Sequence[Checkpoint], groups: Sequence[str]) -> dict[str, Course]:
    """Return how measures change on prompts that the first and the last run have, by measure."""
    if len(checkpoints) < 2:
        return {}
    first, last = checkpoints[0].items, checkpoints[-1].items
    before = {item.prompt_id: item for item in first if item.reason is None}
    both = [item for item in last if item.reason is None and item.prompt_id in before]
    names = list(dict.fromkeys(name for item in both for name in item.measures))
    found = {name: _course(name, before, both, groups) for name in names}
    return {name: each for name, each in found.items() if each.groups}


def _course(
    name: str, before: Mapping[str, Analysed], both: Sequence[Analysed], groups: Sequence[str]
) -> Course:
    pairs: dict[str, list[tuple[float, float]]] = {group: [] for group in groups}
    for item in both:
        earlier = before[item.prompt_id].measures
        if name in item.measures and name in earlier:
            pairs[item.group].append((earlier[name], item.measures[name]))
    changes = {group: [after - ago for ago, after in each] for group, each in pairs.items()}
    return Course(
        groups={group: _paired(each) for group, each in pairs.items() if len(each) > 1},
        difference=contrast(*changes.values()) if len(groups) == 2 else None,
    )


def _paired(pairs: Sequence[tuple[float, float]]) -> Change:
    """Return how a measure changes on two prompts or more, with the interval of Student's t."""
    before, after = zip(*pairs, strict=True)
    mean = mean_of([late - early for early, late in pairs])
    return replace(change(before, after), low=mean.low, high=mean.high)


def _values(items: Sequence[Analysed], chance: bool = False) -> dict[str, dict[str, list[float]]]:
    """Return the values of each measure, by name and group."""
    found: dict[str, dict[str, list[float]]] = {}
    for item in items:
        for name, value in (item.chance if chance else item.measures).items():
            found.setdefault(name, {}).setdefault(item.group, []).append(value)
    return found
