"""Exact nearest neighbours under the edit distance, by branch and bound.

Min-kNN Distance needs only the k smallest nearest-neighbour distances of a set, so most of
the work on a pair can be cut short. Let U_i be the smallest distance seen so far for i, and
tau the k-th smallest U. A pair at max(U_i, U_j) or more improves neither i nor j, and one
above tau only beyond the k smallest, since tau only falls. So every pair is computed up to
the largest integer that is neither. The pairs come in the order of the smallest distance
that their lengths allow, and the search ends when that exceeds tau.

Equal sequences are at 0 from each other and are searched once.
"""

from collections.abc import Sequence
from math import inf

import numpy as np

from wellworn.distance.engines import engine


def nearest_bounds(strings: Sequence[str], k: int) -> np.ndarray:
    """Return an upper bound of each nearest-neighbour distance; the `k` smallest are exact.

    Args:
        strings: Two or more.
        k: From 1 to the number of strings.

    Returns:
        float64[m], normalised by the longer length of each pair, in [0, 1]. An entry above
        the k-th smallest is an upper bound, or infinite.
    """
    places: dict[str, list[int]] = {}
    for place, string in enumerate(strings):
        places.setdefault(string, []).append(place)
    twins = [place for group in places.values() if len(group) > 1 for place in group]
    bounds = np.array([0.0 if len(group) > 1 else inf for group in places.values()])
    if k > len(twins):
        engine().search(list(places), k - len(twins), bounds)
    found = np.empty(len(strings))
    for bound, group in zip(bounds, places.values(), strict=True):
        found[group] = bound
    return found
