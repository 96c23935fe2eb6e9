"""Joining numbers two at a time: the steps that there are, and every way to a target, counted.

Results stay between 1 and 30, and no step multiplies or divides by 1. All ways from four
numbers to a target are counted, so that steps to it are drawn evenly from the right ones;
longer lists first take random steps.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from wellworn.lab.tasks.draws import pick, shuffled, weighted

HIGHEST = 30
"""The largest target and the largest result of a step."""
COUNTED = 4  # numbers from which every way is counted
_STEP = re.compile(r"([0-9]{1,4})([-+*/])([0-9]{1,4})=([0-9]{1,4})")

Numbers = tuple[int, ...]


class Step(NamedTuple):
    """Two numbers joined, in this order, and what they make."""

    first: int
    sign: str
    second: int
    result: int

    def __str__(self) -> str:
        return f"{self.first}{self.sign}{self.second}={self.result}"


def joined(first: int, second: int) -> list[Step]:
    """Return the steps that join two numbers in this order.

    >>> [str(step) for step in joined(6, 3)]
    ['6+3=9', '6-3=3', '6*3=18', '6/3=2']
    """
    whole = second > 1 and first % second == 0
    steps = [
        Step(first, "+", second, first + second),
        Step(first, "-", second, first - second),
        Step(first, "*", second, first * second if min(first, second) > 1 else 0),
        Step(first, "/", second, first // second if whole else 0),
    ]
    return [step for step in steps if 1 <= step.result <= HIGHEST]


@lru_cache(maxsize=1 << 15)
def moves(numbers: Numbers) -> tuple[tuple[Step, Numbers], ...]:
    """Return each different step from sorted numbers, with the numbers after it, sorted."""
    found: dict[Step, Numbers] = {}
    for i, first in enumerate(numbers):
        for j, second in enumerate(numbers):
            if i != j:
                rest = [number for k, number in enumerate(numbers) if k not in (i, j)]
                steps = joined(first, second)
                found |= {step: tuple(sorted([*rest, step.result])) for step in steps}
    return tuple(found.items())


@lru_cache(maxsize=1 << 15)
def ways(numbers: Numbers) -> Counter[int]:
    """Return how many different series of steps lead from sorted numbers to each target.

    >>> sorted(ways((2, 3)).items())
    [(1, 1), (5, 2), (6, 2)]
    """
    if len(numbers) == 1:
        return Counter(numbers)
    total: Counter[int] = Counter()
    for _, rest in moves(numbers):
        total.update(ways(rest))
    return total


def drawn(rng: Random, numbers: Numbers) -> list[Step]:
    """Return random steps until one number is left."""
    while True:
        steps, left = _walk(rng, numbers, 1)
        if len(left) == 1:
            return steps


def solved(rng: Random, numbers: Numbers, target: int) -> list[Step]:
    """Return steps to the target: random ones, then each way as likely as another."""
    while True:
        steps, left = _walk(rng, numbers, COUNTED)
        if ways(left)[target]:
            break
    while len(left) > 1:
        after = moves(left)
        step, left = after[weighted(rng, [ways(rest)[target] for _, rest in after])]
        steps.append(step)
    return steps


def line(steps: Sequence[Step]) -> str:
    """Return steps as they are written."""
    return ";".join(map(str, steps))


def result(numbers: Numbers, text: str) -> int | None:
    """Return what the steps of a line make of all numbers; None if one of them is wrong."""
    left = list(numbers)
    for said in text.split(";"):
        match = _STEP.fullmatch(said)
        if not match:
            return None
        step = Step(int(match[1]), match[2], int(match[3]), int(match[4]))
        if step not in joined(step.first, step.second) or not _took(left, step):
            return None
    return left[0] if len(left) == 1 else None


def normalised(text: str) -> str | None:
    """Return the steps in a text, whatever their order and that of sums and products.

    >>> normalised("4+2=6;9-7=2;6*2=12") == normalised("9-7=2;2+4=6;2*6=12")
    True
    """
    found = _STEP.findall(text)
    steps = [(*(sorted((a, b)) if sign in "+*" else (a, b)), sign) for a, sign, b, _ in found]
    return " ".join(f"{a}{sign}{b}" for a, b, sign in sorted(steps)) or None


def _walk(rng: Random, numbers: Numbers, left: int) -> tuple[list[Step], Numbers]:
    """Return random steps until `left` numbers or a dead end, and the numbers after them."""
    steps: list[Step] = []
    while len(numbers) > left:
        first, second, *rest = shuffled(rng, numbers)
        if possible := joined(first, second):
            steps.append(pick(rng, possible))
            numbers = (*rest, steps[-1].result)
        elif not moves(tuple(sorted(numbers))):
            break
    return steps, tuple(sorted(numbers))


def _took(left: list[int], step: Step) -> bool:
    """Replace the numbers of a step by its result; tell whether both were there."""
    for number in (step.first, step.second):
        if number not in left:
            return False
        left.remove(number)
    left.append(step.result)
    return True
