"""How far a number of a prompt is its own, and how far the luck of its samples.

The reliability of a measure is the share of its variance between prompts that would be seen
again with other samples of the same model. What is adjusted for with low reliability is
hardly adjusted for at all, so the ladder asks it of the base model's pass rates.

A rate can be reliable and yet say nothing of difficulty: that of a base model that mostly fails to
put its answer as the verifier reads it is 0 but for a few odd prompts, which differ by far more
than luck. So the ladder also asks that the base model's rates foretell the tuned model's.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np


def jackknife_error(without: Sequence[float]) -> float:
    """Return the standard error of a score over its completions (Tukey 1958).

    Args:
        without: The score when each of the m completions is left out, m of them, two or more.

    The jackknife asks that a score changes smoothly: that of a mean of nearest-neighbour
    distances is a rough guide. For a mean it is the usual standard error.

    >>> round(jackknife_error([2.5, 2.0, 1.5]), 4)  # of the mean of 1, 2 and 3
    0.5774
    """
    values = np.asarray(without, dtype=float)
    return sqrt((len(values) - 1) * float(values.var()))


def split_half(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the reliability of a score from scores of both halves of the completions.

    It is the halves' correlation over prompts, stepped up to the whole by Spearman's and
    Brown's formula (1910). None where fewer than three prompts are given or a half does not
    vary; below 0 it is no reliability at all.

    >>> round(split_half([1, 2, 3, 4], [1, 3, 2, 4]), 4)  # a correlation of 0.8
    0.8889
    """
    halves = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(halves[0]) < 3 or min(map(np.ptp, halves)) == 0:
        return None
    r = float(np.corrcoef(*halves)[0, 1])
    return 2 * r / (1 + r) if r > -1 else -1.0


def reliability_of_rates(
    rates: np.ndarray, samples: np.ndarray, suspect: np.ndarray
) -> float | None:
    """Return the reliability of pass rates, from what chance does to so many samples.

    A rate p of m samples has the sampling variance p (1 - p) / (m - 1), without bias. What
    the variance of the rates within the sets has beyond its mean is the prompts' own.

    Args:
        rates: float[n] in [0, 1].
        samples: float[n], how many each is of, two or more.
        suspect: bool[n], with two of each set or more.

    Returns:
        At most 1, below 0 where rates vary less than chance would have it; None where they
        do not vary.
    """
    sides = [rates[side] - rates[side].mean() for side in (suspect, ~suspect)]
    variance = sum((side**2).sum() for side in sides) / (len(rates) - 2)
    if variance < 1e-12:
        return None
    return float(1 - (rates * (1 - rates) / (samples - 1)).mean() / variance)


def foretold(base: np.ndarray, tuned: np.ndarray) -> float | None:
    """Return how far a base model's pass rates foretell the tuned model's: their correlation.

    Args:
        base: float[n], of prompts that nobody suspects, since training moves those it is of.
        tuned: float[n], of the same prompts; NaN where it is not known, and they are left out.

    Returns:
        Pearson's r; None of fewer than three prompts, or where a rate does not vary.

    >>> round(foretold(np.array([0.0, 0.25, 0.5, 0.5]), np.array([0.25, 0.5, 0.5, 1.0])), 3)
    0.761
    """
    known = np.isfinite(tuned)
    if known.sum() < 3 or min(np.ptp(base[known]), np.ptp(tuned[known])) < 1e-12:
        return None
    return float(np.corrcoef(base[known], tuned[known])[0, 1])
