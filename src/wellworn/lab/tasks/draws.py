"""Chance that any Python repeats: it promises the same numbers of `random()` alone."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def pick(rng: Random, items: Sequence[T]) -> T:
    """Return one of the items, each as likely as another."""
    return items[int(rng.random() * len(items))]


def between(rng: Random, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`, both included."""
    return low + int(rng.random() * (high - low + 1))


def shuffled(rng: Random, items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in a random order."""
    return tuple(sorted(items, key=lambda _: rng.random()))


def weighted(rng: Random, weights: Sequence[int]) -> int:
    """Return a position, as likely as its weight says; one of them is above 0."""
    left = int(rng.random() * sum(weights))
    for position, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return position
    raise AssertionError("every weight is 0")
