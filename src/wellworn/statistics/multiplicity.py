"""Many tests at once: the expected share of false flags among those that are raised.

Holm's procedure, for few tests of which none may be false, is in `wellworn.statistics.paired`.
"""

from collections.abc import Sequence
from math import ceil

import numpy as np

FALSE_DISCOVERIES = 0.1
"""The expected share of false flags that q-values are read at."""


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return q-values, in the order of the p-values (Benjamini and Hochberg 1995).

    Flagging what has a q of at most 0.1 holds the expected share of false flags at 0.1.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    if not p_values:
        return []
    ordered = np.argsort(p_values)
    ranks = np.arange(1, len(p_values) + 1)
    raised = np.asarray(p_values, dtype=float)[ordered] * len(p_values) / ranks
    q = np.empty(len(p_values))
    q[ordered] = np.minimum.accumulate(np.minimum(raised, 1.0)[::-1])[::-1]
    return [float(value) for value in q]


def least_flagged(smallest_p: float, tests: int, level: float = FALSE_DISCOVERIES) -> int | None:
    """Return how many tests must have the smallest p-value for any to be flagged at a level.

    None where not even all of them would do.

    >>> least_flagged(1 / 41, 30)  # 40 references, 30 suspects
    8
    """
    needed = ceil(smallest_p * tests / level - 1e-9)
    return max(1, needed) if needed <= tests else None
