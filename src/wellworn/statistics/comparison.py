"""Suspects against references: the AUC, its interval, its p-value, and what it could see.

The AUC is the probability that a suspect scores above a reference, ties counting half.
Its interval is a bootstrap that resamples suspects and references apart (stratified),
with percentile limits. Where suspects and references are completely separated, every
resample is too, and the bootstrap has no spread; the interval is then Clopper and
Pearson's for min(n1, n2) disjoint pairs that all agree, which is conservative. Where all
scores are equal, it is the same for pairs that are all ties.

Percentile limits are too narrow in small sets far from chance. For normal scores, 30
against 30, the interval holds the true AUC in 95 % of audits at 0.5 and at 0.7, in 92 %
at 0.9 and in 89 % at 0.97; for 8 against 8, in 94 % at 0.5 and in 92 % at 0.8.

The p-value is one-sided (suspects score higher): exact without ties, by permutation with
them, normal with tie correction for sets too large for either.
"""

from collections.abc import Sequence
from math import comb, sqrt

import msgspec
import numpy as np

RESAMPLES = 4_000
"""Bootstrap resamples."""
PERMUTATIONS = 9_999
"""Random relabellings where all of them are too many; the smallest p is then 0.0001."""
LEVEL = 0.95
"""Confidence level of intervals."""
POWER = 0.8
"""Probability with which a set sees the AUC that it is said to see."""
_EXACT = 200
_PERMUTED = 5_000
_SEED = 20_260_211


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """How the scores of suspects and references compare."""

    auc: float
    """Probability that a suspect scores above a reference; 0.5 is chance."""
    low: float
    """Lower limit of the 95 % interval of the AUC."""
    high: float
    """Upper limit of the 95 % interval of the AUC."""
    interval: str
    """How the interval was made."""
    p: float
    """One-sided p-value of "suspects score no higher"."""
    p_method: str
    """How the p-value was made: exact, permutation or normal."""
    smallest_p: float
    """The smallest p-value that sets of these sizes can give."""
    detectable_auc: float
    """The AUC whose interval excludes chance in 80 % of such audits."""


def compare(suspects: Sequence[float], references: Sequence[float]) -> Comparison:
    """Return how `suspects` compare with `references`; both hold finite scores.

    Raises:
        ValueError: One of them has fewer than two.
    """
    n1, n2 = len(suspects), len(references)
    if min(n1, n2) < 2:
        raise ValueError(f"a comparison needs two scores a set; there are {n1} and {n2}")
    higher, lower = _histograms(suspects, references)
    auc = float(_auc(higher, lower))
    low, high, interval = _interval(higher, lower)
    p, method = _p_value(suspects, references)
    return Comparison(
        auc=auc,
        low=low,
        high=high,
        interval=interval,
        p=p,
        p_method=method,
        smallest_p=smallest_p(n1, n2),
        detectable_auc=detectable_auc(n1, n2),
    )


def smallest_p(n1: int, n2: int) -> float:
    """Return 1 / (n1 + n2 choose n1): the exact p-value of complete separation.

    >>> round(smallest_p(4, 4), 4)
    0.0143
    """
    return 1 / comb(n1 + n2, n1)


def detectable_auc(n1: int, n2: int) -> float:
    """Return the AUC whose 95 % interval excludes 0.5 in 80 % of audits of this size.

    Normal approximation with the standard error under the null, sqrt((n1 + n2 + 1) / (12
    n1 n2)); at most 1.

    >>> round(detectable_auc(50, 50), 2)
    0.66
    """
    from scipy.stats import norm

    error = sqrt((n1 + n2 + 1) / (12 * n1 * n2))
    return float(min(1.0, 0.5 + (norm.ppf((1 + LEVEL) / 2) + norm.ppf(POWER)) * error))


def _histograms(
    suspects: Sequence[float], references: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each of the different scores occurs, in ascending order, int64[v] twice."""
    values = np.unique([*suspects, *references])
    return tuple(  # type: ignore[return-value]
        np.bincount(np.searchsorted(values, scores), minlength=len(values))
        for scores in (suspects, references)
    )


def _auc(suspects: np.ndarray, references: np.ndarray) -> np.ndarray:
    """Return the AUC of histograms over the same values, [..., v]: one of each, or many."""
    below = np.cumsum(references, axis=-1) - references / 2
    wins = (suspects * below).sum(axis=-1)
    return np.asarray(wins / (suspects.sum(axis=-1) * references.sum(axis=-1)))


def _interval(suspects: np.ndarray, references: np.ndarray) -> tuple[float, float, str]:
    n1, n2 = int(suspects.sum()), int(references.sum())
    auc = _auc(suspects, references)
    if auc in (0, 1) or len(suspects) == 1:
        return _without_spread(float(auc), min(n1, n2))
    generator = np.random.default_rng(_SEED)
    batch = max(1, 5_000_000 // len(suspects))
    aucs = [
        _auc(
            generator.multinomial(n1, suspects / n1, min(batch, RESAMPLES - start)),
            generator.multinomial(n2, references / n2, min(batch, RESAMPLES - start)),
        )
        for start in range(0, RESAMPLES, batch)
    ]
    low, high = np.quantile(np.concatenate(aucs), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high), f"stratified bootstrap, {RESAMPLES} resamples"


def _without_spread(auc: float, pairs: int) -> tuple[float, float, str]:
    """Return limits where `pairs` disjoint pairs are all won, all lost or all tied.

    `limit` is the smallest share of such pairs that leaves all of them a chance of 2.5 %.
    """
    limit = ((1 - LEVEL) / 2) ** (1 / pairs)
    low, high = auc * limit, 1 - (1 - auc) * limit
    why = "all scores are equal" if auc == 0.5 else "the sets are separated"
    return low, high, f"Clopper-Pearson on {pairs} disjoint pairs, since {why}"


def _p_value(suspects: Sequence[float], references: Sequence[float]) -> tuple[float, str]:
    from scipy.stats import mannwhitneyu

    total = len(suspects) + len(references)
    tied = len({*suspects, *references}) < total
    if tied and total <= _PERMUTED:
        return _permutation_p(suspects, references), "permutation"
    exact = not tied and max(len(suspects), len(references)) <= _EXACT
    method = "exact" if exact else "asymptotic"
    p = mannwhitneyu(suspects, references, alternative="greater", method=method).pvalue
    return float(p), "exact" if exact else "normal"


def _permutation_p(suspects: Sequence[float], references: Sequence[float]) -> float:
    from scipy.stats import permutation_test, rankdata

    ranks = rankdata([*suspects, *references])
    result = permutation_test(
        (ranks[: len(suspects)], ranks[len(suspects) :]),
        lambda x, _, axis: np.mean(x, axis=axis),
        vectorized=True,
        alternative="greater",
        n_resamples=PERMUTATIONS,
        batch=max(1, 10_000_000 // len(ranks)),
        rng=np.random.default_rng(_SEED),
    )
    return float(result.pvalue)
