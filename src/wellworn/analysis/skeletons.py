"""What a mode looks like: its medoid, and the steps that its members share.

Steps are lines, sentences, or what semicolons set apart. The medoid is the member nearest to all
others. Its skeleton are those of its steps that half of the members share, in its order; a member
shares a step if it has half of the step's n-grams, or, of a shorter one, all of it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wellworn.analysis.ngrams import grams_of
from wellworn.analysis.tokens import split

_ENDS = re.compile(r"\n+|(?<=[.!?])\s+(?=[A-Z\\$(])|;\s*")
SHARED = 0.5
"""The share of n-grams that makes a step shared, and of members that makes it the mode's."""


class Skeleton(NamedTuple):
    """A mode, made readable."""

    members: list[int]
    """Places of the completions."""
    medoid: int
    """Place of the one that is nearest to all others."""
    steps: list[tuple[str, float]]
    """The medoid's steps that members share, with the share of the members that do."""


def steps(text: str) -> list[str]:
    r"""Return the steps of a text, without those that are empty.

    >>> steps("Let x = 3. Then 2x = 6.\nSo 1+2=3;3+3=6 ok")
    ['Let x = 3.', 'Then 2x = 6.', 'So 1+2=3', '3+3=6 ok']
    """
    return [step.strip() for step in _ENDS.split(text) if step.strip()]


def skeletons(
    texts: Sequence[str], distances: np.ndarray, modes: np.ndarray, n: int, least: int
) -> Iterator[Skeleton]:
    """Yield the modes of at least so many members, the largest first.

    Args:
        texts: The completions.
        distances: float[m, m] between them.
        modes: int[m], the mode of each; 0 is the largest.
        n: Tokens of the n-grams by which steps are compared.
        least: Members that a mode must have.
    """
    for mode in range(int(modes.max(initial=-1)) + 1):
        members = np.flatnonzero(modes == mode)
        if len(members) >= least:
            inner = distances[np.ix_(members, members)].sum(axis=1)
            medoid = int(members[int(inner.round(9).argmin())])
            held = [texts[place] for place in members.tolist()]
            yield Skeleton(members.tolist(), medoid, _shared(texts[medoid], held, n))


def _shared(medoid: str, members: Sequence[str], n: int) -> list[tuple[str, float]]:
    tokens = [split(text) for text in members]
    grams = {size: [grams_of(each, size) for each in tokens] for size in range(1, n + 1)}
    found = []
    for step in steps(medoid):
        own = split(step)
        size = min(n, len(own))
        wanted = grams_of(own, size)
        sharing = sum(len(wanted & held) >= SHARED * len(wanted) for held in grams[size])
        if sharing >= SHARED * len(members):
            found.append((step, sharing / len(members)))
    return found
