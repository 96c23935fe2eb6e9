"""How many ways of reasoning a prompt's completions fall into: agglomerative clustering.

The paper clusters hierarchically and counts stable clusters; its features, linkage and cut are
not published. Ours: a completion is the set of its frequent symbolic n-grams, two are as far
apart as Jaccard says (two empty sets at 0, an empty one and another at 1), groups are joined by
average linkage while they are at most `cut` apart. Edit distances can stand in for the sets.

The cut is chosen on the base model, and frozen for every other: where its completions have
fewest modes against those that chance gives. Chance is a shuffle that keeps how many n-grams each
completion has and how many completions each n-gram (Strona et al. 2014, "curveball"); for edit
distances, the same distances between other pairs. Without structure, both have as many modes.

A mode is stable if it holds 3 of 32 completions, or that share of others, and two at least.
"""

from collections import Counter
from collections.abc import Sequence
from math import ceil, log
from random import Random
from statistics import fmean
from typing import NamedTuple

import numpy as np

from wellworn.analysis.design import CUTS, Linkage
from wellworn.errors import Unscorable

STABLE = 3 / 32
"""The share of the completions from which a mode is stable."""
_TRADES = 5
"""Trades of a shuffle for each completion."""
USUAL = 0.5
"""The cut if none can be chosen; of two that are equally good, the nearer to it is taken."""


class Tree(NamedTuple):
    """How m completions are joined, group by group."""

    links: np.ndarray
    """float[m - 1, 4], as scipy's linkage gives it."""
    order: np.ndarray
    """int64[m], the completion that each of its leaves is."""

    def modes(self, cut: float) -> np.ndarray:
        """Return the mode of each completion, int64[m]; 0 is the largest."""
        from scipy.cluster.hierarchy import fcluster

        names = np.zeros(len(self.order), int)
        names[self.order] = fcluster(self.links, cut + 1e-9, criterion="distance")
        ranked = Counter(names.tolist()).most_common()
        places = {name: place for place, (name, _) in enumerate(ranked)}
        return np.array([places[name] for name in names.tolist()])


def jaccard(features: np.ndarray) -> np.ndarray:
    """Return the Jaccard distances of sets, float64[m, m].

    Args:
        features: bool[m, g], which completion has which n-gram.

    >>> sets = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0]], dtype=bool)
    >>> jaccard(sets).round(3).tolist()
    [[0.0, 0.667, 1.0], [0.667, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    held = features.astype(np.float64)
    both, sizes = held @ held.T, held.sum(axis=1)
    either = sizes[:, None] + sizes - both
    return np.where(either > 0, 1 - both / np.maximum(either, 1), 0.0)


def tree_of(distances: np.ndarray, linkage: Linkage, texts: Sequence[str] | None = None) -> Tree:
    """Return how completions are joined.

    Args:
        distances: float[m, m] between them.
        linkage: The distance of two groups.
        texts: The completions. Which of equal distances are joined first depends on the order,
            so they are taken in that of their texts, not as they came.

    Raises:
        Unscorable: There are fewer than two.
    """
    from scipy.cluster.hierarchy import linkage as join
    from scipy.spatial.distance import squareform

    if len(distances) < 2:
        raise Unscorable(f"modes need two completions; there are {len(distances)}")
    order = np.arange(len(distances))
    if texts is not None:
        order = np.array(sorted(range(len(texts)), key=texts.__getitem__))
    held = squareform(distances[np.ix_(order, order)], checks=False)
    return Tree(join(held, method=linkage), order)


def measures_of(modes: np.ndarray) -> dict[str, float]:
    """Return what the modes of m completions are like, by name.

    Args:
        modes: int[m], the mode of each.

    Returns:
        `modes`, how many; `stable modes`; `few modes`, 1 where at most two are stable, else 0;
        `largest mode`, the share of the completions in it; `singletons`, the share that are
        alone; `mode entropy`, of the shares of the modes, in nats.

    >>> measures_of(np.array([0, 0, 0, 1]))["largest mode"]
    0.75
    """
    sizes = np.bincount(modes)
    shares = sizes / len(modes)
    stable = int((sizes >= least_stable(len(modes))).sum())
    return {
        "modes": float(len(sizes)),
        "stable modes": float(stable),
        "few modes": float(stable <= 2),
        "largest mode": float(shares.max()),
        "singletons": float((sizes == 1).sum() / len(modes)),
        "mode entropy": abs(-sum(share * log(share) for share in shares.tolist())),
    }


def least_stable(m: int) -> int:
    """Return how many of m completions make a stable mode.

    >>> least_stable(32), least_stable(64), least_stable(8)
    (3, 6, 2)
    """
    return max(2, ceil(STABLE * m))


def shuffled_features(features: np.ndarray, random: Random) -> np.ndarray:
    """Return sets of the same sizes, in which each n-gram is as widespread, at random."""
    sets = [set(np.flatnonzero(row).tolist()) for row in features]
    for _ in range(_TRADES * len(sets)):
        first, second = random.sample(range(len(sets)), 2)
        shared = sets[first] & sets[second]
        traded = sorted(sets[first] ^ sets[second])
        random.shuffle(traded)
        given = len(sets[first]) - len(shared)
        sets[first], sets[second] = shared | {*traded[:given]}, shared | {*traded[given:]}
    shuffled = np.zeros_like(features)
    for row, held in enumerate(sets):
        shuffled[row, sorted(held)] = True
    return shuffled


def shuffled_distances(distances: np.ndarray, random: Random) -> np.ndarray:
    """Return the same distances between other pairs."""
    above = np.triu_indices(len(distances), k=1)
    values = distances[above].tolist()
    random.shuffle(values)
    shuffled = np.zeros_like(distances)
    shuffled[above] = values
    return np.asarray(shuffled + shuffled.T)


def best_cut(trees: Sequence[tuple[Tree, Tree]]) -> float | None:
    """Return the cut of `CUTS` at which prompts have fewest modes against chance.

    Args:
        trees: Of each prompt, how its completions are joined, and how those of chance are.
            Without any, none can be chosen.
    """
    if not trees:
        return None
    gaps = {
        cut: round(fmean(_count(null, cut) - _count(tree, cut) for tree, null in trees), 9)
        for cut in CUTS
    }
    return max(CUTS, key=lambda cut: (gaps[cut], -abs(cut - USUAL)))


def _count(tree: Tree, cut: float) -> int:
    return int(tree.modes(cut).max()) + 1
