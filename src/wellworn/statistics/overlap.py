"""Do suspects and references overlap in what they are adjusted for, and how far apart are they?

Where the sets hardly overlap, an adjustment extrapolates, and its interval knows nothing of
that. So the propensity, the probability that a prompt with these covariates is a suspect, is
fitted (logistic regression, each standardised coefficient with a standard normal prior, so
that sets which a covariate separates have one too), and rebalanced to sets of equal size. A
prompt is in the overlap where it lies in [0.1, 0.9] (Crump et al., Biometrika 96, 2009).

Each covariate's balance is the difference of the means in standard deviations. Of all of them
together it is that of the prognostic score (Hansen, Biometrika 95, 2008): the score that the
covariates alone would give. Above half a standard deviation, regression is not to be trusted
with the difference (Rubin, Health Services and Outcomes Research Methodology 2, 2001). Nor is it
where a covariate's variance in one set is more than twice that in the other (ibid.), though of
small sets luck alone does that: it counts where Brown and Forsythe's test (JASA 69, 1974) says
that luck does not.
"""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import msgspec
import numpy as np

from wellworn.statistics.items import OF_SQUARE, Design, sums_by_unit

IN_OVERLAP = (0.1, 0.9)
"""Between which propensities a prompt has counterparts in the other set."""
LEAST_OVERLAP = 0.75
"""The least share of each set that must be in the overlap."""
MOST_IMBALANCE = 0.5
"""The most standard deviations by which the prognostic score may favour the suspects."""
MOST_RATIO = 2.0
"""The most by which the variances of a covariate in the two sets may differ, as a ratio."""
PRIOR = 1.0
"""Precision of the prior of each coefficient of the propensity."""


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """A covariate in both sets."""

    name: str
    suspects: float
    """Its mean."""
    references: float
    """Its mean."""
    difference: float
    """The difference of the means in standard deviations (the root of the mean variance)."""
    ratio: float | None = None
    """The suspects' variance over the references'; null for a square, or where the latter is 0."""
    ratio_p: float | None = None
    """p-value of "both sets are equally spread" (Brown and Forsythe); null for a square."""


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """How far the covariates of both sets cover the same ground."""

    suspects: float
    """Share of the suspects in the overlap."""
    references: float
    """Share of the references in the overlap."""


class Propensity(NamedTuple):
    """A propensity model, and what it becomes when each unit is left out."""

    coefficients: np.ndarray
    """float[1 + p], the constant first."""
    without: np.ndarray
    """float[units, 1 + p]"""


def propensity_of(design: Design) -> Propensity:
    """Return the propensity model: Newton's method, and from its end one step a unit."""
    x = np.column_stack([np.ones(len(design.items)), design.covariates])
    prior = np.diag([0.0] + [PRIOR] * (x.shape[1] - 1))
    found = np.zeros(x.shape[1])
    found[0] = _log_ratio(design)
    for _ in range(50):
        gradient, curvature = _derivatives(x, design.suspect, found)
        step = np.linalg.solve(curvature.sum(axis=0) + prior, gradient.sum(axis=0) - prior @ found)
        found = found + step
        if np.abs(step).max() < 1e-9:
            break
    gradient, curvature = _derivatives(x, design.suspect, found)
    left = curvature.sum(axis=0) + prior - sums_by_unit(curvature, design.units)
    steps = np.linalg.solve(left, sums_by_unit(gradient, design.units)[..., None])[..., 0]
    return Propensity(found, found - steps)


def log_odds(design: Design, coefficients: np.ndarray) -> np.ndarray:
    """Return the log-odds of being a suspect, float[..., n], for coefficients [..., 1 + p]."""
    return np.asarray(coefficients[..., :1] + coefficients[..., 1:] @ design.covariates.T)


def overlap_of(design: Design, propensity: Propensity) -> Overlap:
    """Return how much of each set lies in the overlap."""
    from scipy.special import logit

    even = log_odds(design, propensity.coefficients) - _log_ratio(design)
    inside = np.abs(even) <= logit(IN_OVERLAP[1])
    return Overlap(
        suspects=float(inside[design.suspect].mean()),
        references=float(inside[~design.suspect].mean()),
    )


def balance_of(design: Design) -> tuple[Balance, ...]:
    """Return the balance of each covariate."""
    columns = (design.covariates * design.scales + design.means).T
    return tuple(
        Balance(
            name=name,
            suspects=float(column[design.suspect].mean()),
            references=float(column[~design.suspect].mean()),
            difference=standardised_difference(column, design.suspect),
            **({} if name.endswith(OF_SQUARE) else _spreads(column, design.suspect)),
        )
        for name, column in zip(design.names, columns, strict=True)
    )


def differences_of(design: Design, balance: Sequence[Balance]) -> np.ndarray:
    """Return the differences of the means in a balance, float[p], on the scale of the design.

    What the balance does not have differs as it does in the design.
    """
    given = {each.name: each.suspects - each.references for each in balance}
    own = {each.name: each.suspects - each.references for each in balance_of(design)}
    differences = np.array([given.get(name, own[name]) for name in design.names])
    return np.asarray(differences / design.scales)


def standardised_difference(values: np.ndarray, suspect: np.ndarray) -> float:
    """Return the difference of the means in standard deviations; 0 where nothing varies.

    Args:
        values: float[n].
        suspect: bool[n], with two of each set or more.

    >>> values, suspect = np.array([1.0, 3.0, 0.0, 2.0]), np.array([True, True, False, False])
    >>> round(standardised_difference(values, suspect), 3)
    0.707
    """
    sides = values[suspect], values[~suspect]
    spread = float(np.sqrt(np.mean([side.var(ddof=1) for side in sides])))
    return float(sides[0].mean() - sides[1].mean()) / spread if spread > 1e-12 else 0.0


def _spreads(values: np.ndarray, suspect: np.ndarray) -> dict[str, float | None]:
    """Return the ratio of the variances, and how probable one as far from 1 is by luck."""
    from scipy.stats import levene

    sides = values[suspect], values[~suspect]
    variances = [side.var(ddof=1) for side in sides]
    with np.errstate(divide="ignore", invalid="ignore"):
        p = float(levene(*sides, center="median").pvalue)
    return {
        "ratio": float(variances[0] / variances[1]) if variances[1] > 1e-12 else None,
        "ratio_p": 1.0 if np.isnan(p) else p,  # all are as far from their median
    }


def _log_ratio(design: Design) -> float:
    suspects, references = design.sizes
    return log(suspects / references)


def _derivatives(
    x: np.ndarray, suspect: np.ndarray, coefficients: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each prompt's share of the gradient and of the curvature."""
    from scipy.special import expit

    p = expit(x @ coefficients)
    curvature = (p * (1 - p))[:, None, None] * x[:, :, None] * x[:, None, :]
    return (suspect - p)[:, None] * x, curvature
