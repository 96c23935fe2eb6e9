"""Exact edit distances, and the search for the nearest neighbours of every completion.

A sequence is a string, an array of integers (token ids), or any sequence of hashable
symbols, such as words. All distances are Levenshtein distances with unit costs;
*normalised* means divided by the longer length, so that 0 is equality and 1 shares nothing.
Two empty sequences are at 0, an empty one and another at 1.

The native kernel computes them where it was built, rapidfuzz elsewhere, with the same
results; `engine_name()` says which. Besides the sequences (4 bytes a symbol) the native
search takes at most about 400 MB, whatever their number and length: up to 256 MB of
profiles at once, one group more while it is made, and a workspace of 1,700 bytes for each 64
symbols of the longest. A matrix takes 4 bytes a pair. docs/distance.md tells how it works.
"""

from collections.abc import Sequence

import numpy as np

from wellworn.distance.engines import engine
from wellworn.distance.nearest import nearest_bounds
from wellworn.distance.symbols import Symbols, as_strings
from wellworn.errors import BadInput

__all__ = [
    "distance",
    "distance_matrix",
    "engine_name",
    "min_knn_distance",
    "nearest_distances",
]


def engine_name() -> str:
    """Return which engine computes distances, such as "native (avx2)" or "rapidfuzz"."""
    return engine().name


def distance(a: Symbols, b: Symbols, cutoff: int | None = None) -> int:
    """Return the edit distance of two sequences; cutoff + 1 if it is above a `cutoff`.

    Raises:
        BadInput: The cutoff is below 0.

    >>> distance("kitten", "sitting")
    3
    >>> distance("kitten", "sitting", cutoff=1)
    2
    """
    from rapidfuzz.distance import Levenshtein

    if cutoff is not None and cutoff < 0:
        raise BadInput(f"cutoff is {cutoff}. No distance is below 0: cutoff >= 0.")
    return int(Levenshtein.distance(*as_strings([a, b]), score_cutoff=cutoff))


def distance_matrix(sequences: Sequence[Symbols], *, normalized: bool = False) -> np.ndarray:
    """Return all distances, int32[m, m]; float64[m, m] in [0, 1] if `normalized`.

    >>> distance_matrix(["ab", "abcd"]).tolist()
    [[0, 2], [2, 0]]
    >>> distance_matrix(["ab", "abcd"], normalized=True).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    strings = as_strings(sequences)
    distances = engine().matrix(strings)
    if not normalized:
        return distances
    lengths = np.array([len(string) for string in strings])
    longest = np.maximum.outer(lengths, lengths)
    return np.asarray(distances / np.maximum(longest, 1))


def nearest_distances(sequences: Sequence[Symbols], k: int | None = None) -> np.ndarray:
    """Return each sequence's normalised distance to the one most like it, float64[m].

    Args:
        sequences: Two or more.
        k: If given, only the k smallest are searched for, which is faster; the others are
            NaN, unless they are equal to the k-th.

    Raises:
        BadInput: There are fewer than two sequences, or k is below 1.

    >>> nearest_distances(["aaaa", "aaab", "abbb", "cccc"]).tolist()
    [0.25, 0.25, 0.5, 1.0]
    >>> nearest_distances(["aaaa", "aaab", "abbb", "cccc"], k=2).tolist()
    [0.25, 0.25, nan, nan]
    """
    strings, k = _checked(sequences, len(sequences) if k is None else k)
    bounds = nearest_bounds(strings, k)
    return np.where(bounds <= np.partition(bounds, k - 1)[k - 1], bounds, np.nan)


def min_knn_distance(sequences: Sequence[Symbols], k: int) -> float:
    """Return the mean of the `k` smallest nearest-neighbour distances, in [0, 1].

    With fewer than k sequences, the mean is over all of them.

    Raises:
        BadInput: There are fewer than two sequences, or k is below 1.

    >>> min_knn_distance(["aaaa", "aaab", "abbb", "cccc"], k=2)
    0.25
    """
    strings, k = _checked(sequences, k)
    return float(np.sort(nearest_bounds(strings, k))[:k].mean())


def _checked(sequences: Sequence[Symbols], k: int) -> tuple[list[str], int]:
    """Return the sequences as strings, and k cut to their number."""
    if len(sequences) < 2:
        raise BadInput(f"a nearest neighbour needs two sequences; this set has {len(sequences)}.")
    if k < 1:
        raise BadInput(f"k is {k}. Min-kNN Distance averages at least one distance: k >= 1.")
    return as_strings(sequences), min(k, len(sequences))
