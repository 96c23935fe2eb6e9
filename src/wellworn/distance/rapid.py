"""The engine without a compiler: branch and bound over pairs, each by rapidfuzz.

Cutoffs are integers throughout: rapidfuzz compares a *normalised* cutoff as a 32-bit float,
which rejects pairs that lie exactly on it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist


def search(strings: Sequence[str], k: int, bounds: np.ndarray) -> None:
    """Lower `bounds` so that the k smallest of those that begin infinite are exact.

    The search is that of the native engine, a pair at a time: see `native/search.cpp`.
    """
    ranked = np.isinf(bounds)
    tau = np.inf
    for least, i, j in _pairs(strings):
        if least > tau:
            break
        a, b = strings[i], strings[j]
        longest = max(len(a), len(b))
        cutoff = _cutoff(max(bounds[i], bounds[j]), tau, longest)
        if abs(len(a) - len(b)) > cutoff:
            continue
        distance = Levenshtein.distance(a, b, score_cutoff=cutoff)
        if distance <= cutoff:
            bounds[[i, j]] = np.minimum(bounds[[i, j]], distance / longest)
            tau = np.partition(bounds[ranked], k - 1)[k - 1]


def matrix(strings: Sequence[str]) -> np.ndarray:
    """Return all distances, int32[m, m]."""
    return np.asarray(cdist(strings, strings, scorer=Levenshtein.distance, dtype=np.int32))


def _pairs(strings: Sequence[str]) -> Iterator[tuple[float, int, int]]:
    """Yield (smallest distance that the lengths allow, i, j), in its order."""
    lengths = [len(string) for string in strings]
    bounded = (
        (abs(lengths[i] - lengths[j]) / max(lengths[i], lengths[j]), i, j)
        for i, j in combinations(range(len(strings)), 2)
    )
    yield from sorted(bounded)


def _cutoff(limit: float, tau: float, longest: int) -> int:
    """Return the largest integer x with x / longest < limit and x / longest <= tau, or -1."""
    x = int(min(limit, tau, 1) * longest) + 1
    while x >= 0 and (x / longest >= limit or x / longest > tau):
        x -= 1
    return x
