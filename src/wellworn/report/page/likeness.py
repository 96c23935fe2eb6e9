"""Completions that are alike: groups by average linkage, and the nearest pairs.

Two groups become one while the mean distance between their members is at most the cut. The cut
is a choice that makes groups readable, no measure of convergence: no score depends on it.
"""

from typing import NamedTuple

import numpy as np

CUT = 0.5
"""Mean edit distance, divided by the longer length, up to which groups become one."""


class Likeness(NamedTuple):
    """Which of m completions are alike."""

    groups: list[list[int]]
    """Places of the members, the largest group first; those most alike stand side by side."""
    pairs: list[tuple[int, int]]
    """The nearest pair, and the nearest of those that share no member with it."""


def likeness(distances: np.ndarray) -> Likeness:
    """Return groups and nearest pairs of a matrix of distances, float[m, m] in [0, 1]."""
    return Likeness(_groups(distances), _nearest_pairs(distances))


def _groups(distances: np.ndarray) -> list[list[int]]:
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(distances) < 2:
        return [[place] for place in range(len(distances))]
    tree = linkage(squareform(distances, checks=False), method="average")
    names = fcluster(tree, CUT, criterion="distance")
    groups: dict[int, list[int]] = {}
    for place in leaves_list(tree):
        groups.setdefault(int(names[place]), []).append(int(place))
    return sorted(groups.values(), key=len, reverse=True)


def _nearest_pairs(distances: np.ndarray) -> list[tuple[int, int]]:
    rows, columns = np.triu_indices(len(distances), k=1)
    order = np.argsort(distances[rows, columns], kind="stable")
    ranked = [(int(rows[place]), int(columns[place])) for place in order]
    if not ranked:
        return []
    apart = [pair for pair in ranked[1:] if not {*pair} & {*ranked[0]}]
    return [ranked[0], *apart[:1]]
