"""The curves of the page: the ROC with its band, power, and thinned points.

The ROC gives, for each share of references, the largest share of suspects that any threshold
calls while it calls at most that share of references: a step function, nothing interpolated.
Its band is pointwise: 95 % of bootstrap resamples, suspects and references drawn apart. Where
the sets are separated, resamples are too, and the band has no width.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from wellworn.statistics.comparison import LEVEL

POINTS = 400
"""Points of a set that a chart shows at most, at equal distances in rank."""
RESAMPLES = 1_000
_STEPS = 100
_SEED = 20_260_211


class Roc(NamedTuple):
    """Shares of suspects over shares of references, each float[g]."""

    references: np.ndarray
    suspects: np.ndarray
    low: np.ndarray
    high: np.ndarray


def roc(suspects: Sequence[float], references: Sequence[float]) -> Roc:
    """Return the ROC of two sets of scores, and its bootstrap band."""
    ours, theirs = np.sort(suspects), np.sort(references)
    steps = min(len(theirs), _STEPS)
    shares = np.arange(steps + 1) / steps
    generator = np.random.default_rng(_SEED)
    drawn = [
        _found(_redrawn(ours, generator), _redrawn(theirs, generator), shares)
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return Roc(shares, _found(ours, theirs, shares), low, high)


def _redrawn(scores: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return np.sort(generator.choice(scores, len(scores)))


def _found(ours: np.ndarray, theirs: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the share of suspects above what at most these shares of references exceed.

    Args:
        ours: float[n], ascending.
        theirs: Likewise.
        shares: float[g] in [0, 1].
    """
    called = np.floor(shares * len(theirs) + 1e-9).astype(int)
    thresholds = np.concatenate([theirs[::-1], [-np.inf]])[called]
    return np.asarray(1 - np.searchsorted(ours, thresholds, side="right") / len(ours))


def power(auc: np.ndarray, n1: int, n2: int) -> np.ndarray:
    """Return how often audits of this size tell an AUC from chance; inverts `detectable_auc`.

    >>> from wellworn.statistics.comparison import detectable_auc
    >>> power(np.array([detectable_auc(50, 50)]), 50, 50).round(3).tolist()
    [0.8]
    """
    from scipy.stats import norm

    error = sqrt((n1 + n2 + 1) / (12 * n1 * n2))
    return np.asarray(norm.cdf((auc - 0.5) / error - norm.ppf((1 + LEVEL) / 2)))


def thinned(values: Sequence[float], most: int = POINTS) -> list[float]:
    """Return at most `most` of the values, in order of size, at equal distances in rank.

    >>> thinned([5, 1, 4, 2, 3], most=3)
    [1, 3, 5]
    """
    ranked = sorted(values)
    if len(ranked) <= most:
        return ranked
    return [ranked[round(i * (len(ranked) - 1) / (most - 1))] for i in range(most)]
