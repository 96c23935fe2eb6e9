"""Two detectors on the same prompts: do their AUCs differ by more than chance?

Their scores are of the same prompts, so the difference is tested as a paired one, twice:
by DeLong, DeLong and Clarke-Pearson (Biometrics 44, 1988), whose standard error is that of
a two-sample U-statistic and whose p-value is normal; and by a bootstrap that draws prompts,
members and non-members apart, and takes both detectors' scores of what it drew. The first
is an approximation for large sets, the second has no smaller p-value than 0.0005.

All pairs of detectors are a family: p-values are also given after Holm (1979), which holds
the chance of any false difference among them at the level.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt

import msgspec
import numpy as np

from wellworn.statistics.comparison import LEVEL, RESAMPLES

_SEED = 20_251_009
_BATCH = 2_000_000


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """How the AUCs of two detectors compare on the same prompts; p-values are two-sided."""

    first: str
    second: str
    difference: float
    """AUC of the first less that of the second."""
    low: float | None = None
    """Lower limit of the 95 % interval of the difference (paired bootstrap)."""
    high: float | None = None
    """Upper limit of the 95 % interval of the difference (paired bootstrap)."""
    delong_p: float | None = None
    delong_p_holm: float | None = None
    """The same after Holm, over all pairs."""
    bootstrap_p: float | None = None
    bootstrap_p_holm: float | None = None
    """The same after Holm, over all pairs."""
    reason: str | None = None
    """Why there is no test."""


def compare_pairs(labels: np.ndarray, scores: Mapping[str, np.ndarray]) -> tuple[Pair, ...]:
    """Return how all pairs of detectors compare.

    Args:
        labels: bool[n], true for members; at least two of each class.
        scores: float[n] of each detector, finite; higher means more likely a member.
    """
    names = list(scores)
    resampled = _resampled_wins(labels, list(scores.values()))
    pairs = [
        _pair(
            (names[i], names[j]),
            delong(labels, scores[names[i]], scores[names[j]]),
            (resampled[i] - resampled[j]) / (2 * labels.sum() * (~labels).sum()),
        )
        for i, j in combinations(range(len(names)), 2)
    ]
    delong_ps = holm([pair.delong_p for pair in pairs])
    bootstrap_ps = holm([pair.bootstrap_p for pair in pairs])
    return tuple(
        msgspec.structs.replace(pair, delong_p_holm=one, bootstrap_p_holm=other)
        for pair, one, other in zip(pairs, delong_ps, bootstrap_ps, strict=True)
    )


def delong(labels: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Return the difference of two AUCs and its standard error.

    The error is exactly 0 where no prompt's place in the order tells the two apart.

    Args:
        labels: bool[n], true for members; at least two of each class.
        first: float[n], the scores of one detector, finite.
        second: float[n], those of the other.
    """
    one, other = _placements(labels, first), _placements(labels, second)
    members, others = one[0] - other[0], one[1] - other[1]
    pairs = 2 * len(members) * len(others)
    variance = len(members) * members.var(ddof=1) + len(others) * others.var(ddof=1)
    return float(members.sum() / pairs), sqrt(variance) / pairs


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted by Holm, in their order; what was not tested stays None.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    adjusted: list[float | None] = [None] * len(p_values)
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    largest = 0.0
    for rank, (p, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * p))
        adjusted[place] = largest
    return adjusted


def _pair(names: tuple[str, str], test: tuple[float, float], resampled: np.ndarray) -> Pair:
    from scipy.stats import norm

    difference, error = test
    if error == 0:
        reason = "every resample gives the same difference"
        return Pair(first=names[0], second=names[1], difference=difference, reason=reason)
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    tail = min((resampled <= 0).sum(), (resampled >= 0).sum())
    return Pair(
        first=names[0],
        second=names[1],
        difference=difference,
        low=float(low),
        high=float(high),
        delong_p=float(2 * norm.sf(abs(difference) / error)),
        bootstrap_p=float(min(1.0, 2 * (tail + 1) / (len(resampled) + 1))),
    )


def _placements(labels: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return twice the non-members below each member, and members above each non-member.

    Ties count half, so that all are whole numbers.
    """
    members, others = scores[labels], scores[~labels]
    return _below(members, np.sort(others)), 2 * len(members) - _below(others, np.sort(members))


def _below(scores: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    below, not_above = _bounds(scores, ordered)
    return np.asarray(below + not_above)


def _bounds(scores: np.ndarray, ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many of the ordered numbers are below each score, and how many not above."""
    return np.searchsorted(ordered, scores, "left"), np.searchsorted(ordered, scores, "right")


def _resampled_wins(labels: np.ndarray, scores: Sequence[np.ndarray]) -> np.ndarray:
    """Return twice the pairs that members win, int[detectors, resamples]; ties count half.

    All detectors have the same resamples: a prompt counts as often as it is drawn.
    """
    generator = np.random.default_rng(_SEED)
    members, others = int(labels.sum()), int((~labels).sum())
    batch = max(1, _BATCH // len(labels))
    wins = []
    for start in range(0, RESAMPLES, batch):
        size = min(batch, RESAMPLES - start)
        drawn, against = (
            generator.multinomial(count, np.full(count, 1 / count), size).T
            for count in (members, others)
        )
        wins.append([_wins(each[labels], each[~labels], drawn, against) for each in scores])
    return np.concatenate(wins, axis=1)


def _wins(
    members: np.ndarray, others: np.ndarray, drawn: np.ndarray, against: np.ndarray
) -> np.ndarray:
    """Return what `_resampled_wins` does, for one detector and how often prompts were drawn."""
    order = np.argsort(others)
    below = np.concatenate([np.zeros_like(against[:1]), np.cumsum(against[order], axis=0)])
    left, right = _bounds(members, others[order])
    return np.asarray((drawn * (below[left] + below[right])).sum(axis=0))
