"""Many experiments as one table: what a detector shows, by task and algorithm.

The halves of a split are swapped between two experiments, so their mean is free of what a half
has by chance. Seeds differ in the split and in all of training, and are what intervals are
made over: the mean of a seed's two experiments is one value, and the interval is Student's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from math import sqrt
from statistics import fmean, stdev

import msgspec

from wellworn.lab.effects import Auc, Effect
from wellworn.lab.results import Averages, Checkpoint, Results

MEASURED = "measured.json"


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean over seeds with its 95 % interval; none of one seed."""

    value: float
    low: float | None
    high: float | None
    seeds: int


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a detector shows after so many steps, of a task and an algorithm."""

    task: str
    level: str
    algorithm: str
    step: int
    detector: str
    raw: Mean | None
    adjusted: Mean | None
    matched: Mean | None
    floor: float
    """The mean share of members at the highest score that occurs."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The experiments of a task and an algorithm at a step, as a whole."""

    task: str
    level: str
    algorithm: str
    step: int
    experiments: int
    epochs: float
    """Times that a member was drawn by the end of training."""
    taught: float
    """Times that a member had an advantage other than 0 by then."""
    members: Averages
    held_out: Averages
    verdicts: dict[str, dict[str, int]]
    """By question: how often each level was given."""
    little: Mean | None
    """The detector of the verdict on the members that taught least."""
    much: Mean | None
    """The same on the others."""


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """The table of many experiments."""

    groups: tuple[Group, ...]
    rows: tuple[Row, ...]


Found = Sequence[tuple[Results, Checkpoint]]
Key = tuple[str, str, str, int]


def tabulated(results: Sequence[Results]) -> Study:
    """Return experiments as a table, by task, level, algorithm and step."""
    found: dict[Key, list[tuple[Results, Checkpoint]]] = defaultdict(list)
    for each in results:
        for checkpoint in each.checkpoints:
            found[each.task, each.level, each.algorithm, checkpoint.step].append((each, checkpoint))
    ordered = sorted(found.items())
    return Study(
        groups=tuple(_group(key, cells) for key, cells in ordered),
        rows=tuple(
            _row(key, detector, cells)
            for key, cells in ordered
            for detector in dict.fromkeys(e.detector for _, c in cells for e in c.effects)
        ),
    )


def measured() -> Study:
    """Return the study that comes with the package, which docs/lab.md describes."""
    return msgspec.json.decode((files("wellworn.lab") / MEASURED).read_bytes(), type=Study)


def mean_over_seeds(values: Mapping[tuple[int, str], float], halves: Sequence[str]) -> Mean | None:
    """Return the mean over seeds of the mean over halves; None without a value.

    Args:
        values: By seed and half.
        halves: Those that are meant.
    """
    from scipy.stats import t

    seeds: dict[int, list[float]] = defaultdict(list)
    for (seed, half), value in values.items():
        if half in halves:
            seeds[seed].append(value)
    means = [fmean(each) for each in seeds.values()]
    if not means:
        return None
    if len(means) == 1:
        return Mean(value=means[0], low=None, high=None, seeds=1)
    reach = float(t.ppf(0.975, len(means) - 1)) * stdev(means) / sqrt(len(means))
    middle = fmean(means)
    return Mean(value=middle, low=middle - reach, high=middle + reach, seeds=len(means))


def _row(key: Key, detector: str, found: Found) -> Row:
    effects = {
        (results.seed, results.half): effect
        for results, checkpoint in found
        for effect in checkpoint.effects
        if effect.detector == detector
    }
    # before RL both halves are of one model: the second half's AUC is 1 less the first's
    halves = ("A", "B") if key[-1] else ("A",)

    def mean(read: Callable[[Effect], Auc | None]) -> Mean | None:
        aucs = {cell: auc.value for cell, e in effects.items() if (auc := read(e))}
        return mean_over_seeds(aucs, halves)

    task, level, algorithm, step = key
    return Row(
        task=task,
        level=level,
        algorithm=algorithm,
        step=step,
        detector=detector,
        raw=mean(lambda e: e.raw),
        adjusted=mean(lambda e: e.adjusted),
        matched=mean(lambda e: e.matched),
        floor=fmean(effect.floor for effect in effects.values()),
    )


def _group(key: Key, found: Found) -> Group:
    checkpoints = [checkpoint for _, checkpoint in found]
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for checkpoint in checkpoints:
        for question, level in checkpoint.verdicts.items():
            verdicts[question][level] += 1

    def mean(read: Callable[[Checkpoint], Auc | None]) -> Mean | None:
        aucs = {(r.seed, r.half): auc.value for r, c in found if (auc := read(c))}
        return mean_over_seeds(aucs, ("A", "B"))

    task, level, algorithm, step = key
    return Group(
        task=task,
        level=level,
        algorithm=algorithm,
        step=step,
        experiments=len(found),
        epochs=fmean(results.epochs for results, _ in found),
        taught=fmean(results.taught for results, _ in found),
        members=_mean([c.members for c in checkpoints]),
        held_out=_mean([c.held_out for c in checkpoints]),
        verdicts={question: dict(counts) for question, counts in verdicts.items()},
        little=mean(lambda c: c.little),
        much=mean(lambda c: c.much),
    )


def _mean(halves: Sequence[Averages]) -> Averages:
    return Averages(
        pass_rate=fmean(half.pass_rate for half in halves),
        distinct=fmean(half.distinct for half in halves),
        length=fmean(half.length for half in halves),
    )
