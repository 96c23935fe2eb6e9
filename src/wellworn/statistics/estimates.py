"""One scale for all that is estimated: the AUC, or what corresponds to it.

A detector's separation, a blind baseline's and an adjusted one's stand in one picture only if
they mean the same: how probably a suspect lies above a reference. An estimate that is a
difference of means is carried over by normal theory: a difference of d standard deviations
corresponds to an AUC of Phi(d / sqrt 2).
"""

from math import sqrt
from typing import Literal

import msgspec

Kind = Literal[
    "detector",
    "secondary",
    "known",
    "blind",
    "nuisance",
    "adjusted",
    "difference",
    "success",
]
"""What an estimate is of: the named detector, another one, the detector on prompts whose history is
known, a baseline that never sees the model, a measure of the completions that training moves too,
the detector adjusted for covariates, the change against the control model, or the gain in
success."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How suspects and references differ in one respect."""

    name: str
    kind: Kind
    auc: float
    """Probability that a suspect lies above a reference, or its equivalent; 0.5 is chance."""
    low: float
    """Lower limit of the 95 % interval."""
    high: float
    """Upper limit of the 95 % interval."""
    p: float | None = None
    """One-sided p-value of "suspects lie no higher"; None where none is meant."""
    suspects: int
    """How many suspects it is made of."""
    references: int
    note: str = ""
    """What to know of it, in a sentence; empty where nothing is."""


def auc_of(standardised: float) -> float:
    """Return the AUC of two normal distributions that are so many standard deviations apart.

    >>> auc_of(0.0)
    0.5
    >>> round(auc_of(1.0), 3)
    0.76
    """
    from scipy.stats import norm

    return float(norm.cdf(standardised / sqrt(2)))
