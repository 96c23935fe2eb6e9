"""Modes side by side: the steps of their medoids, alike ones in one row."""

from collections.abc import Sequence
from typing import NamedTuple

from wellworn.analysis.tokens import split
from wellworn.distance import distance

ALIKE = 0.4
"""Edit distance of two steps in tokens, divided by the longer, up to which they are alike."""


class Cell(NamedTuple):
    """A step of a medoid."""

    text: str
    shared: float | None
    """The share of the mode's members that have it; None where fewer than half do."""


Row = list[Cell | None]


def aligned(columns: Sequence[Sequence[Cell]]) -> list[Row]:
    """Return the steps of several medoids in rows, one column each.

    Each is laid beside those before it so that as many steps as can be stand in a row with one
    that is alike, in order.
    """
    rows: list[Row] = [[cell] for cell in columns[0]] if columns else []
    for width, column in enumerate(columns[1:], 1):
        rows = _joined(rows, column, width)
    return rows


def _joined(rows: Sequence[Row], column: Sequence[Cell], width: int) -> list[Row]:
    heads = [split(next(cell.text for cell in row if cell)) for row in rows]
    steps = [split(cell.text) for cell in column]
    alike = [[_alike(head, step) for step in steps] for head in heads]
    longest = _common(alike, len(column))
    joined: list[Row] = []
    place, at = 0, 0
    while place < len(rows) or at < len(column):
        both = place < len(rows) and at < len(column)
        if both and alike[place][at]:
            joined.append([*rows[place], column[at]])
            place, at = place + 1, at + 1
        elif at == len(column) or (both and longest[place + 1][at] >= longest[place][at + 1]):
            joined.append([*rows[place], None])
            place += 1
        else:
            joined.append([*[None] * width, column[at]])
            at += 1
    return joined


def _common(alike: Sequence[Sequence[bool]], wide: int) -> list[list[int]]:
    """Return how many pairs can stand together from each place on."""
    longest = [[0] * (wide + 1) for _ in range(len(alike) + 1)]
    for i in range(len(alike) - 1, -1, -1):
        for j in range(wide - 1, -1, -1):
            longest[i][j] = (
                1 + longest[i + 1][j + 1]
                if alike[i][j]
                else max(longest[i + 1][j], longest[i][j + 1])
            )
    return longest


def _alike(first: Sequence[str], second: Sequence[str]) -> bool:
    return distance(first, second) <= ALIKE * max(len(first), len(second))
