"""How scores of the same prompts differ between two runs, and between two sets of prompts.

The change of a prompt is its score in the second run minus that in the first. Its mean has a
percentile bootstrap interval over prompts; that it is no tendency at all is tested by
Wilcoxon's signed ranks, two-sided. Two sets whose changes differ are a difference in
differences, which is compared as scores are.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from wellworn.statistics.comparison import LEVEL, RESAMPLES

_SEED = 20_260_211


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """How the scores of a set change from one run to another."""

    prompts: int
    first: float
    """Mean score in the first run."""
    second: float
    mean: float
    """Mean change; above 0, the second run's model has converged more."""
    low: float
    """Lower limit of its 95 % interval."""
    high: float
    """Upper limit of its 95 % interval."""
    rose: int
    """Prompts whose score rose."""
    fell: int
    p: float
    """Two-sided p-value of Wilcoxon's signed ranks; 1 where nothing changed."""


def change(first: Sequence[float], second: Sequence[float]) -> Change:
    """Return how scores change, prompt by prompt.

    Args:
        first: Score of each prompt in the first run, finite.
        second: Score of the same prompts in the second run, in the same order.

    Raises:
        ValueError: They are not equally many, or fewer than two.
    """
    before, after = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(before) != len(after) or len(before) < 2:
        raise ValueError(f"a change needs two prompts in both runs; {len(before)}, {len(after)}")
    changes = after - before
    drawn = np.random.default_rng(_SEED).integers(len(changes), size=(RESAMPLES, len(changes)))
    low, high = np.quantile(changes[drawn].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Change(
        prompts=len(changes),
        first=float(before.mean()),
        second=float(after.mean()),
        mean=float(changes.mean()),
        low=float(low),
        high=float(high),
        rose=int((changes > 0).sum()),
        fell=int((changes < 0).sum()),
        p=_p(changes),
    )


def _p(changes: np.ndarray) -> float:
    from scipy.stats import wilcoxon

    return float(wilcoxon(changes).pvalue) if changes.any() else 1.0
