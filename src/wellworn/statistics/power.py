"""What sets of such sizes can see: before an audit as a plan, after it as a limit.

An effect of d standard deviations within the sets is seen with 80 % probability by a test whose
error is d / (t(0.975) + t(0.8)), by Student's quantiles. The error of a difference of means
is sqrt(1 / n1 + 1 / n2), adjusted for p covariates that explain R squared of the variance

    sqrt(1 / n1 + 1 / n2) sqrt(1 - R squared) sqrt((n - 2) / (n - 2 - p)),    n = n1 + n2

With the allowance, what adjustment saves is lost again: what the covariates explain by luck
enters twice, and the error is as if there were no covariates. What squares explain by luck is
taken away thrice more; in simulation that costs a further factor of (n - 2) / (n - 2 - p). What
they explain beyond luck must be exceeded once more.

A claim needs three tests to see the effect together (the plain comparison, the adjusted score
with the allowance, its change since the control model), so each is reckoned to miss a third of
what all may miss; and in small sets, covariates favour the suspects too much by luck alone, which
costs a part of the 80 % beforehand. In simulation (benchmarks/calibration.py), planted effects of
that size are claimed in 73 to 83 % of audits, and in 61 % of 15 against 15, if the base model was
sampled 32 times.
"""

from math import sqrt

import msgspec

from wellworn.statistics.comparison import LEVEL, POWER, detectable_auc, smallest_p
from wellworn.statistics.estimates import auc_of
from wellworn.statistics.overlap import MOST_IMBALANCE

COVARIATES_PLANNED = 6
"""Covariates that a plan reckons with: base score and base pass rate, both with their squares, and
two lengths."""
_TESTS = 3
LEAST_UNITS = 6
"""The least independent prompts or clusters of a set: 0.025 ** (1 / 5) is below 0.5, so that of
five even complete separation leaves an interval that holds chance; 0.025 ** (1 / 6) is above."""
EXPLAINED_PLANNED = 0.3
"""R squared of the covariates that a plan reckons with; 0.1 to 0.5 on a real model."""


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """What sets of these sizes see in 80 % of audits, as AUCs; null where nothing is seen."""

    detectable: float
    """By the plain comparison."""
    adjusted: float | None
    """By a regression on the covariates."""
    claim: float | None
    """By a claim above "converged, not attributable", of an effect beyond the covariates'."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What can be known of an audit before anything is sampled."""

    suspects: int
    references: int
    smallest_p: float
    """Of the plain comparison, where the sets are completely separated."""
    smallest_item_p: float
    """Of one suspect against the references."""
    power: Power
    possible: bool
    """Whether sets of these sizes allow any claim above "converged, not attributable"."""


def power_of(n1: int, n2: int, *, covariates: int, explained: float, shift: float = 0.0) -> Power:
    """Return what sets of `n1` and `n2` see.

    Args:
        n1: Suspects, two or more.
        n2: References, likewise.
        covariates: How many are adjusted for.
        explained: R squared of the covariates within the sets, in [0, 1].
        shift: By how much the covariates favour the suspects, in standard deviations of the
            score. What the allowance takes away; below 0 nothing.
    """
    freedom, error = n1 + n2 - 2 - covariates, sqrt(1 / n1 + 1 / n2)
    adjusted = claim = None
    if freedom >= 1:
        inflated = error * sqrt((freedom + covariates) / freedom)
        adjusted = auc_of(_quantiles(freedom, POWER) * inflated * sqrt(1 - explained))
        missed = (1 - POWER / _balanced(error)) / _TESTS
        if missed > 0:
            luck = (freedom + covariates) / freedom
            claim = auc_of(_quantiles(freedom, 1 - missed) * inflated * luck + max(shift, 0.0))
    return Power(detectable=detectable_auc(n1, n2), adjusted=adjusted, claim=claim)


def plan(
    n1: int,
    n2: int,
    *,
    covariates: int = COVARIATES_PLANNED,
    explained: float = EXPLAINED_PLANNED,
) -> Plan:
    """Return what an audit of such sizes can show, if the sets are equally hard.

    Args:
        n1: Suspects, two or more.
        n2: References, likewise.
        covariates: How many will be adjusted for.
        explained: R squared of the covariates within the sets, in [0, 1].
    """
    power = power_of(n1, n2, covariates=covariates, explained=explained)
    return Plan(
        suspects=n1,
        references=n2,
        smallest_p=smallest_p(n1, n2),
        smallest_item_p=1 / (1 + n2),
        power=power,
        possible=power.claim is not None and min(n1, n2) >= LEAST_UNITS,
    )


def _balanced(error: float) -> float:
    """Return how probably equally hard sets are balanced enough for a claim."""
    from scipy.special import ndtr

    return float(ndtr(MOST_IMBALANCE / error))


def _quantiles(freedom: int, power: float) -> float:
    """Return how many standard errors an effect has that is seen with a probability."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2) + stdtrit(freedom, power))
