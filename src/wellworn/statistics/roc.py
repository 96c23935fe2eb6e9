"""What a threshold on the scores achieves, on labelled prompts.

A prompt is called a member if its score is at or above the threshold. The thresholds that
matter are the scores themselves, and infinity, above which nothing is called a member.

The true positive rate at a false positive rate is the largest that any threshold gives
whose false positive rate is at most the level: a point exactly at the level counts, and
nothing is interpolated. Below 1 / level non-members, the level asks for no false positive
at all, whatever its number; then nothing is given.

Youden's threshold, the first with the largest TPR - FPR, is chosen on the very labels that
it is measured on, which flatters. So it is also cross-fitted: chosen on four fifths of the
prompts, applied to the last fifth, in turn.
"""

import msgspec
import numpy as np

from wellworn.statistics.comparison import LEVEL
from wellworn.statistics.folds import FOLDS, REPEATS, stratified_folds

FPR_LEVELS = (0.01, 0.05, 0.10)
"""False positive rates at which the true positive rate is given."""


class TprAtFpr(msgspec.Struct, frozen=True, kw_only=True):
    """How many members are found while few non-members are accused."""

    level: float
    """The most that the false positive rate may be."""
    tpr: float | None = None
    """The largest true positive rate at such a false positive rate."""
    low: float | None = None
    """Lower 95 % limit of the rate at this threshold (Clopper-Pearson)."""
    high: float | None = None
    """Upper 95 % limit of the rate at this threshold (Clopper-Pearson)."""
    fpr: float | None = None
    """The false positive rate that the threshold has."""
    threshold: float | None = None
    """The highest such threshold; null where nothing can be called a member."""
    reason: str | None = None
    """Why there is no rate."""


class Youden(msgspec.Struct, frozen=True, kw_only=True):
    """The threshold with the largest TPR - FPR, measured where it was chosen."""

    threshold: float | None
    """The threshold; null where none does better than calling nothing a member."""
    j: float
    """TPR - FPR, in [0, 1]."""
    f1: float
    """2 TP / (2 TP + FP + FN), in [0, 1]; calling all members gives 2/3 where half are."""


class CrossFitted(msgspec.Struct, frozen=True, kw_only=True):
    """Youden's threshold measured on prompts that it was not chosen on; means over repeats."""

    j: float
    """TPR - FPR, in [-1, 1]."""
    f1: float
    """2 TP / (2 TP + FP + FN), in [0, 1]."""
    folds: int
    repeats: int


def tpr_at_fpr(labels: np.ndarray, scores: np.ndarray, level: float) -> TprAtFpr:
    """Return the largest true positive rate whose false positive rate is at most `level`.

    Args:
        labels: bool[n], true for members; at least one of each class.
        scores: float[n], finite; higher means more likely a member.
        level: In (0, 1).
    """
    from scipy.stats import binomtest

    members, others = int(labels.sum()), int((~labels).sum())
    if others * level < 1:
        reason = f"it needs {round(1 / level)} non-members; there are {others}"
        return TprAtFpr(level=level, reason=reason)
    thresholds, found, accused = _curve(labels, scores)
    best = int(np.argmax(np.where(accused / others <= level, found, -1)))
    limits = binomtest(int(found[best]), members).proportion_ci(LEVEL, method="exact")
    return TprAtFpr(
        level=level,
        tpr=float(found[best] / members),
        low=float(limits.low),
        high=float(limits.high),
        fpr=float(accused[best] / others),
        threshold=_finite(thresholds[best]),
    )


def youden(labels: np.ndarray, scores: np.ndarray) -> Youden:
    """Return Youden's threshold, and what it achieves on the same labels.

    Args:
        labels: bool[n], true for members; at least one of each class.
        scores: float[n], finite; higher means more likely a member.
    """
    threshold = _youden_threshold(labels, scores)
    j, f1 = _rates(labels, scores >= threshold)
    return Youden(threshold=_finite(threshold), j=j, f1=f1)


def cross_fitted(labels: np.ndarray, scores: np.ndarray) -> CrossFitted:
    """Return what Youden's threshold achieves on prompts that it was not chosen on.

    Args:
        labels: bool[n], true for members; at least two of each class.
        scores: float[n], finite; higher means more likely a member.
    """
    rates = []
    for repeat in range(REPEATS):
        called = np.zeros(len(labels), dtype=bool)
        for seen, held_out in stratified_folds(labels, repeat):
            threshold = _youden_threshold(labels[seen], scores[seen])
            called[held_out] = scores[held_out] >= threshold
        rates.append(_rates(labels, called))
    j, f1 = np.mean(rates, axis=0)
    folds = int(min(FOLDS, labels.sum(), (~labels).sum()))
    return CrossFitted(j=float(j), f1=float(f1), folds=folds, repeats=REPEATS)


def _curve(labels: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every threshold, from infinity down, with the members and non-members it calls."""
    values, place = np.unique(-scores, return_inverse=True)
    counts = (np.bincount(place[mask], minlength=len(values)) for mask in (labels, ~labels))
    found, accused = (np.cumsum([0, *each]) for each in counts)
    return np.array([np.inf, *-values]), found, accused


def _youden_threshold(labels: np.ndarray, scores: np.ndarray) -> float:
    thresholds, found, accused = _curve(labels, scores)
    gain = found * (~labels).sum() - accused * labels.sum()  # whole numbers, so ties are ties
    return float(thresholds[np.argmax(gain)])


def _rates(labels: np.ndarray, called: np.ndarray) -> tuple[float, float]:
    """Return TPR - FPR and F1 of calling these prompts members."""
    found, accused = int((called & labels).sum()), int((called & ~labels).sum())
    members, others = int(labels.sum()), int((~labels).sum())
    return found / members - accused / others, 2 * found / (found + accused + members)


def _finite(threshold: float) -> float | None:
    return float(threshold) if np.isfinite(threshold) else None
