"""Diversity of sets of completions: of one prompt, and of different prompts, at several sizes.

All lexical measures depend on how many texts there are, so they are given at 4, 8, 16, … up to m,
and compare only at the same size. A smaller set of one prompt is one of the disjoint parts of its
completions, in order, and the value is the mean over the parts.

Across prompts a set holds one completion each of n prompts. The prompts are shuffled and divided
into disjoint sets, three times over. The standard error is that of one division, whose sets are
independent: it is on the safe side, since three are averaged.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

import numpy as np

from wellworn.analysis.design import Design
from wellworn.analysis.diversity import (
    ORDERS,
    compression_ratio,
    distinct_n,
    ead,
    mean_distance,
    self_bleu,
)
from wellworn.analysis.tokens import count_ngrams, tokenised
from wellworn.distance import distance_matrix
from wellworn.errors import Unscorable

DIVISIONS = 3
"""How often prompts are divided into sets."""
_SMALLEST = 4
_SEED = 20_260_211

LEXICAL = (
    "ead",
    *(f"ead-{n}" for n in ORDERS),
    *(f"distinct-{n}" for n in (1, 2, 3)),
    "compression",
    "self-bleu",
    "edit",
)
"""Names of the measures, in the order in which they are shown."""


Neural = Mapping[str, Callable[[Sequence[str]], dict[str, float]]]
"""Measures of texts by models: what is measured how, and what gives values by their names."""


class Across(NamedTuple):
    """A measure over sets of different prompts."""

    value: float
    error: float
    """Standard error."""
    sets: int
    """Disjoint sets of each division, two or more."""


def sizes(m: int) -> list[int]:
    """Return the sizes at which sets of up to m texts are measured.

    >>> sizes(32), sizes(10), sizes(2)
    ([4, 8, 16, 32], [4, 8, 10], [2])
    """
    doubled = [_SMALLEST << step for step in range(m.bit_length()) if _SMALLEST << step < m]
    return [*doubled, m]


class Wording:
    """Texts, counted once, of which any subset can be measured."""

    def __init__(self, texts: Sequence[str], design: Design) -> None:
        self._texts, self._vocabulary = texts, design.vocabulary
        self.tokens = tokenised(texts, design.tokens)
        self._lengths = np.array([len(ids) for ids in self.tokens.ids])
        self._counts = [count_ngrams(self.tokens, n).counts for n in ORDERS]
        self.distances = distance_matrix(texts, normalized=True)

    def measures(self, places: Sequence[int]) -> dict[str, float]:
        """Return the measures that some of the texts have, by name; short ones lack some."""
        chosen = list(places)
        counts = [each[chosen] for each in self._counts]
        held = {
            n: (int(each.any(axis=0).sum()), int(each.sum()))
            for n, each in zip(ORDERS, counts, strict=True)
        }
        adjusted = _known(
            {f"ead-{n}": partial(ead, *held[n], self._vocabulary) for n in ORDERS},
        )
        others = {
            **{f"distinct-{n}": partial(distinct_n, *held[n]) for n in (1, 2, 3)},
            "compression": partial(compression_ratio, [self._texts[place] for place in chosen]),
            "self-bleu": partial(self_bleu, counts[:4], self._lengths[chosen]),
            "edit": partial(mean_distance, self.distances[np.ix_(chosen, chosen)]),
        }
        mean = {"ead": fmean(adjusted.values())} if len(adjusted) == len(ORDERS) else {}
        return mean | adjusted | _known(others)


def _known(measures: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """Return the values of those measures that have one."""
    found = {}
    for name, measure in measures.items():
        with suppress(Unscorable):
            found[name] = measure()
    return found


def within(wording: Wording, m: int) -> dict[int, dict[str, float]]:
    """Return the measures of one prompt's m texts, by size of the sets.

    A size has those that all its sets have.
    """
    return {size: _mean(wording, m, size) for size in sizes(m)}


def _mean(wording: Wording, m: int, size: int) -> dict[str, float]:
    parts = [wording.measures(range(start, start + size)) for start in _parts(m, size)]
    shared = [name for name in parts[0] if all(name in part for part in parts)]
    return {name: fmean(part[name] for part in parts) for name in shared}


def _parts(count: int, size: int) -> range:
    return range(0, count - size + 1, size)


def across(
    texts: Mapping[str, Sequence[str]], design: Design, neural: Neural | None = None
) -> Iterator[tuple[int, dict[str, Across]]]:
    """Yield the measures of sets of different prompts, by size, up to half of the prompts.

    Args:
        texts: Completions of each prompt, by its id; as many of each.
        design: How they are measured.
        neural: Measures by models, which only the largest sets of one division have.
    """
    most = min(len(texts) // 2, min(map(len, texts.values()), default=0))
    for size in sizes(most) if most > 1 else ():
        found = [
            [
                _all(chosen, design, neural if (size, number) == (most, 0) else {})
                for chosen in _division(texts, size, number)
            ]
            for number in range(DIVISIONS)
        ]
        names = dict.fromkeys(name for each in chain(*found) for name in each)
        pooled = {name: _pooled(found, name) for name in names}
        if held := {name: each for name, each in pooled.items() if each}:
            yield size, held


def _division(texts: Mapping[str, Sequence[str]], size: int, number: int) -> Iterator[list[str]]:
    """Yield disjoint sets of completions of different prompts."""
    random = Random(f"{_SEED} {size} {number}")
    order = random.sample(sorted(texts), len(texts))
    for start in _parts(len(order), size):
        yield [random.choice(texts[prompt_id]) for prompt_id in order[start : start + size]]


def _all(texts: Sequence[str], design: Design, neural: Neural | None) -> dict[str, float]:
    """Return the measures that a set has."""
    found = Wording(texts, design).measures(range(len(texts)))
    for measure in (neural or {}).values():
        with suppress(Unscorable):
            found |= measure(texts)
    return found


def _pooled(divisions: Sequence[Sequence[dict[str, float]]], name: str) -> Across | None:
    """Return a measure over divisions; None where none of them has two sets with it."""
    held = [[each[name] for each in division if name in each] for division in divisions]
    values = [each for each in held if len(each) > 1]
    if not values:
        return None
    fewest = min(map(len, values))
    error = sqrt(fmean(variance(each) for each in values) / fewest)
    return Across(fmean(map(fmean, values)), error, fewest)
