"""Exact nearest neighbours under the edit distance, by branch and bound over rapidfuzz.

Min-kNN Distance needs only the k smallest nearest-neighbour distances of a set, so most
of the work on a pair can be cut short. Let U_i be the smallest distance seen so far for
i, and tau the k-th smallest U. A pair at distance c = min(tau, max(U_i, U_j)) or more
changes nothing: it improves neither i nor j, or only beyond the k smallest. So every
pair is computed with the largest integer cutoff below c. The pairs come in the order of
their smallest possible distance, the difference of the lengths, and the search ends
when that reaches tau.

Cutoffs are integers throughout: rapidfuzz compares a *normalised* cutoff as a 32-bit
float, which rejects pairs that lie exactly on it.
"""

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from math import inf

import numpy as np
from rapidfuzz.distance import Levenshtein


def search(sequences: Sequence[str], k: int) -> np.ndarray:
    """Return an upper bound of each nearest-neighbour distance; the `k` smallest are exact.

    Args:
        sequences: Two or more.
        k: From 1 to the number of sequences.

    Returns:
        float64[m], normalised by the longer length of each pair, in [0, 1]. An entry
        that is not among the k smallest is an upper bound, or infinite.
    """
    groups: dict[str, list[int]] = {}
    for position, sequence in enumerate(sequences):
        groups.setdefault(sequence, []).append(position)
    members = list(groups.values())
    bounds = np.full(len(sequences), inf)
    bounds[[i for twins in members if len(twins) > 1 for i in twins]] = 0.0
    tau = _kth(bounds, k)
    for least, i, j in _pairs(list(groups)):
        if least >= tau:
            break
        first, second = members[i], members[j]
        limit = min(tau, max(bounds[first[0]], bounds[second[0]]))
        if least >= limit:
            continue
        found = _below(sequences[first[0]], sequences[second[0]], limit)
        if found is not None:
            bounds[first] = np.minimum(bounds[first], found)
            bounds[second] = np.minimum(bounds[second], found)
            tau = _kth(bounds, k)
    return bounds


def _pairs(unique: list[str]) -> Iterator[tuple[float, int, int]]:
    """Yield (smallest possible distance, i, j), in its order; no two sequences are equal."""
    lengths = [len(sequence) for sequence in unique]
    bounded = (
        (abs(lengths[i] - lengths[j]) / max(lengths[i], lengths[j]), i, j)
        for i, j in combinations(range(len(unique)), 2)
    )
    yield from sorted(bounded)


def _below(a: str, b: str, limit: float) -> float | None:
    """Return the normalised distance of two different sequences if it is below `limit`."""
    longest = max(len(a), len(b))
    if limit > 1:
        return float(Levenshtein.distance(a, b) / longest)
    cutoff = int(limit * longest)
    while cutoff / longest >= limit:
        cutoff -= 1
    distance = Levenshtein.distance(a, b, score_cutoff=cutoff)
    return float(distance / longest) if distance <= cutoff else None


def _kth(values: np.ndarray, k: int) -> float:
    return float(np.partition(values, k - 1)[k - 1])


def as_strings(sequences: Sequence[Sequence[Hashable]]) -> list[str]:
    """Return strings with the same equalities between symbols, for the engine to compare.

    Strings are kept. Words and token ids are numbered as they appear and written as
    characters; rapidfuzz itself would compare them by hash, where 2**61 - 1 equals 0.

    Raises:
        ValueError: The sequences hold more than 1,114,112 different symbols.
    """
    if all(isinstance(sequence, str) for sequence in sequences):
        return [str(sequence) for sequence in sequences]
    codes: dict[Hashable, str] = {}
    return [
        "".join([codes.get(s) or codes.setdefault(s, chr(len(codes))) for s in sequence])
        for sequence in sequences
    ]
