"""Many experiments as one table: what a detector shows, by task and algorithm.

The halves of a split are swapped between two experiments, so the mean of all is free of what a
half has by chance. Intervals are Student's over the models, which hold the variance of training.
Models of swapped halves share their prompts with opposite labels, so that what a half has by
chance moves them apart: taken as independent, they make the interval too wide rather than too
narrow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from importlib.resources import files
from math import sqrt
from statistics import fmean, stdev

import msgspec

from wellworn.lab.effects import Auc, Effect
from wellworn.lab.results import Averages, Checkpoint, Results

MEASURED = "measured.json"


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean over models with its 95 % interval; none of one model."""

    value: float
    low: float | None
    high: float | None
    models: int


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


def mean_over_models(values: Sequence[float]) -> Mean | None:
    """Return the mean of a value of each model; None without one."""
    from scipy.stats import t

    if not values:
        return None
    middle = fmean(values)
    if len(values) == 1:
        return Mean(value=middle, low=None, high=None, models=1)
    reach = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / sqrt(len(values))
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Mean(value=middle, low=low, high=high, models=len(values))


def _row(key: Key, detector: str, found: Found) -> Row:
    # before RL both halves are of one model: the second half's AUC is 1 less the first's
    halves = ("A", "B") if key[-1] else ("A",)
    effects = [
        effect
        for results, checkpoint in found
        for effect in checkpoint.effects
        if effect.detector == detector and results.half in halves
    ]

    def mean(read: Callable[[Effect], Auc | None]) -> Mean | None:
        return mean_over_models([auc.value for effect in effects if (auc := read(effect))])

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
        floor=fmean(effect.floor for effect in effects) if effects else 0.0,
    )


def _group(key: Key, found: Found) -> Group:
    checkpoints = [checkpoint for _, checkpoint in found]
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for checkpoint in checkpoints:
        for question, level in checkpoint.verdicts.items():
            verdicts[question][level] += 1

    def mean(read: Callable[[Checkpoint], Auc | None]) -> Mean | None:
        return mean_over_models([auc.value for c in checkpoints if (auc := read(c))])

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
