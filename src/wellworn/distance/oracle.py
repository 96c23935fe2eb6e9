"""The textbook edit distance: slow, obvious, and what every engine is tested against."""

from collections.abc import Hashable, Sequence


def distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the fewest insertions, deletions and substitutions that turn `a` into `b`.

    Wagner and Fischer's dynamic programme (1974), one row at a time.

    >>> distance("kitten", "sitting")
    3
    """
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def nearest_distances(sequences: Sequence[Sequence[Hashable]]) -> list[float]:
    """Return each sequence's smallest normalised distance to another one."""
    return [
        min(_normalized(a, b) for j, b in enumerate(sequences) if j != i)
        for i, a in enumerate(sequences)
    ]


def _normalized(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    longest = max(len(a), len(b))
    return distance(a, b) / longest if longest else 0.0
