"""A completion coloured by the frequent n-grams that it is made of."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from wellworn.analysis.ngrams import CATEGORIES, Frequent
from wellworn.analysis.tokens import spans

TEXT = 3_000
"""Characters of a completion that are shown."""
_LEVELS = (0.5, 0.75)
"""Shares of the completions from which a colour is one level stronger."""


class Segment(NamedTuple):
    """A piece of a text, and what it is coloured by."""

    text: str
    category: str
    """Empty where no frequent n-gram is."""
    level: int
    """1 to 3, by how many completions have the n-gram."""


def heat(text: str, frequent: Frequent, m: int) -> list[Segment]:
    """Return a text in pieces, each coloured by the most widespread n-gram that covers it.

    Of equally widespread ones, the first of `CATEGORIES` counts. Space between two tokens of one
    colour has it too.

    Args:
        text: A completion; what is beyond `TEXT` characters is left out.
        frequent: The frequent n-grams of its prompt.
        m: Completions of its prompt.
    """
    tokens = list(spans(text[:TEXT]))
    colours = [colour[1:] for colour in _colours([token for _, _, token in tokens], frequent, m)]
    pieces: list[Segment] = []
    at = 0
    for colour, run in groupby(zip(tokens, colours, strict=True), key=lambda pair: pair[1]):
        covered = [token for token, _ in run]
        start, end = covered[0][0], covered[-1][1]
        if start > at:
            pieces.append(Segment(text[at:start], "", 0))
        pieces.append(Segment(text[start:end], *colour))
        at = end
    return [*pieces, Segment(text[at:TEXT], "", 0)] if at < len(text[:TEXT]) else pieces


def _colours(tokens: list[str], frequent: Frequent, m: int) -> Iterator[tuple[int, str, int]]:
    """Yield how widespread the n-gram over each token is, its category and its level."""
    known = {
        gram: (int(spread), category)
        for gram, spread, category in zip(
            frequent.grams, frequent.spread, frequent.categories, strict=True
        )
    }
    n = len(frequent.grams[0]) if frequent.grams else 1
    best: list[tuple[int, int]] = [(0, 0)] * len(tokens)
    for start in range(len(tokens) - n + 1):
        spread, category = known.get(tuple(tokens[start : start + n]), (0, "other"))
        if spread:
            found = (spread, -CATEGORIES.index(category))
            for place in range(start, start + n):
                best[place] = max(best[place], found)
    for spread, negative in best:
        level = 1 + sum(spread > share * m for share in _LEVELS)
        yield (spread, CATEGORIES[-negative], level) if spread else (0, "", 0)
