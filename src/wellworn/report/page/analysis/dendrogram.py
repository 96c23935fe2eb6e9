"""How completions are joined to modes, as SVG."""

from typing import NamedTuple

import numpy as np

from wellworn.analysis.modes import Tree

WIDTH, HEIGHT = 640, 200
"""Of many completions it is wider, so that their numbers stay apart."""
_LEAF = 18
COLOURS = 6
"""Modes that have a colour of their own; others are grey."""
_TOP, _BOTTOM = 8, 18


class Link(NamedTuple):
    """Two groups that are joined: a line up from one, across, and down to the other."""

    points: str
    mode: int | None
    """The mode that both belong to; None above the cut."""


class Leaf(NamedTuple):
    """A completion below the tree."""

    x: float
    place: int
    """Its index."""
    mode: int


class Dendrogram(NamedTuple):
    """What is drawn."""

    width: int
    links: list[Link]
    leaves: list[Leaf]
    cut: float
    """Height of the line of the cut."""


def dendrogram(tree: Tree, modes: np.ndarray, cut: float) -> Dendrogram:
    """Return the drawing of a tree whose distances lie from 0, below, to 1, at the top."""
    from scipy.cluster.hierarchy import dendrogram as arranged

    drawn = arranged(tree.links, no_plot=True)
    order: list[int] = tree.order[drawn["leaves"]].tolist()
    width = max(WIDTH, _LEAF * len(order))
    wide = width / len(order)

    def link(across: list[float], up: list[float]) -> Link:
        points = zip(across, up, strict=True)
        below = int(modes[order[int((across[0] - 5) // 10)]])
        return Link(
            " ".join(f"{x / 10 * wide:.1f},{_height(y):.1f}" for x, y in points),
            below if up[1] <= cut + 1e-9 else None,
        )

    links = [link(*each) for each in zip(drawn["icoord"], drawn["dcoord"], strict=True)]
    leaves = [
        Leaf(round((place + 0.5) * wide, 1), index, int(modes[index]))
        for place, index in enumerate(order)
    ]
    return Dendrogram(width, links, leaves, round(_height(cut), 1))


def _height(distance: float) -> float:
    return HEIGHT - _BOTTOM - distance * (HEIGHT - _TOP - _BOTTOM)
