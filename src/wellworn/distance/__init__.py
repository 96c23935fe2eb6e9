"""Exact edit distances, and the search for the nearest neighbours of every completion.

A sequence is a string, or any sequence of hashable symbols, such as words or token ids.
All distances are Levenshtein distances with unit costs; *normalised* means divided by
the longer length, so that 0 is equality and 1 shares nothing. Two empty sequences are
at 0, an empty one and another at 1.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from wellworn.distance.search import as_strings, search
from wellworn.errors import BadInput

__all__ = ["distance", "distance_matrix", "min_knn_distance", "nearest_distances"]

Symbols = Sequence[Hashable]


def distance(a: Symbols, b: Symbols) -> int:
    """Return the edit distance between two sequences.

    >>> distance("kitten", "sitting")
    3
    """
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(*as_strings([a, b])))


def distance_matrix(sequences: Sequence[Symbols], *, normalized: bool = False) -> np.ndarray:
    """Return all distances, int32[m, m]; float64[m, m] in [0, 1] if `normalized`.

    >>> distance_matrix(["ab", "abcd"]).tolist()
    [[0, 2], [2, 0]]
    >>> distance_matrix(["ab", "abcd"], normalized=True).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    strings = as_strings(sequences)
    distances: np.ndarray = cdist(strings, strings, scorer=Levenshtein.distance, dtype=np.int32)
    if not normalized:
        return distances
    lengths = np.array([len(string) for string in strings])
    longest = np.maximum.outer(lengths, lengths)
    return np.asarray(distances / np.maximum(longest, 1))


def nearest_distances(sequences: Sequence[Symbols]) -> np.ndarray:
    """Return each sequence's normalised distance to the one most like it, float64[m].

    Raises:
        BadInput: There are fewer than two sequences.

    >>> nearest_distances(["aaaa", "aaab", "abbb", "cccc"]).tolist()
    [0.25, 0.25, 0.5, 1.0]
    """
    return search(_two_or_more(sequences), len(sequences))


def min_knn_distance(sequences: Sequence[Symbols], k: int) -> float:
    """Return the mean of the `k` smallest nearest-neighbour distances, in [0, 1].

    With fewer than k sequences, the mean is over all of them.

    Raises:
        BadInput: There are fewer than two sequences, or k is below 1.

    >>> min_knn_distance(["aaaa", "aaab", "abbb", "cccc"], k=2)
    0.25
    """
    if k < 1:
        raise BadInput(f"k is {k}. Min-kNN Distance averages at least one distance: k >= 1.")
    strings = _two_or_more(sequences)
    k = min(k, len(strings))
    return float(np.sort(search(strings, k))[:k].mean())


def _two_or_more(sequences: Sequence[Symbols]) -> list[str]:
    if len(sequences) < 2:
        raise BadInput(f"a nearest neighbour needs two sequences; this set has {len(sequences)}.")
    return as_strings(sequences)
