"""Countdown: join all numbers of a list, two at a time, so that the target is left.

    4 7 2 9 -> 24      7+9=16;16/4=4;4*2=8 no
                       9-7=2;2+4=6;6*2=12 no ...

A trace takes steps and says at the end of a line whether they reached the target; after a
miss it may begin again. Every step of every line is checked, and so is what the line says.
Results stay between 1 and 30, and no step multiplies or divides by 1.

All ways from four numbers to a target are counted, so that traces are drawn evenly from the
right ones; longer lists first take random steps. Items are easy where many ways lead to the
target. Traces of long items repeat the numbers that are left after each step, and may miss
the target up to five times before they reach it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import between, pick, shuffled, weighted

HIGHEST = 30
"""The largest target and the largest result of a step."""
LENGTH: dict[Level, int] = {"standard": 4, "easy": 4, "short": 3, "long": 9}
MANY = 60
"""The ways to the target that an easy item has at least."""
COUNTED = 4  # numbers from which every way is counted
MISSES, MISSES_OF_LONG = 1, 5
"""The most lines of a trace that miss the target."""
_STEP = re.compile(r"([0-9]{1,4})([-+*/])([0-9]{1,4})=([0-9]{1,4})(?:\(([0-9 ]*)\))?")

Numbers = tuple[int, ...]


class Problem(Item, frozen=True):
    """Numbers from 1 to 10, and what to make of them."""

    numbers: Numbers
    target: int


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


def draw(rng: Random, level: Level) -> Problem:
    """Return an item whose target is what random steps made of its numbers."""
    while True:
        numbers = tuple(between(rng, 1, 10) for _ in range(LENGTH[level]))
        target = _missed(rng, numbers)[-1].result
        if level != "easy" or ways(tuple(sorted(numbers)))[target] >= MANY:
            return _problem(numbers, target, rng)


def canonical(problem: Problem) -> tuple[Numbers, int]:
    """Return the numbers in their order of size, and the target."""
    return tuple(sorted(problem.numbers)), problem.target


def paraphrase(problem: Problem, rng: Random) -> Problem:
    """Return the problem with its numbers in another order."""
    return _problem(shuffled(rng, problem.numbers), problem.target, rng)


def trace(problem: Problem, rng: Random) -> str:
    """Return steps to the target, perhaps after others that miss it."""
    most = MISSES_OF_LONG if len(problem.numbers) > COUNTED else MISSES
    tries = [_missed(rng, problem.numbers) for _ in range(between(rng, 0, most))]
    misses = [f"{_line(problem, s)} no" for s in tries if s[-1].result != problem.target]
    solved = _solved(rng, problem.numbers, problem.target)
    return "\n".join([*misses, f"{_line(problem, solved)} ok"])


def verify(problem: Problem, text: str) -> bool:
    """Return whether every line is right, and the last alone reaches the target."""
    told = [line.rstrip().rpartition(" ") for line in text.strip().split("\n")]
    results = [_result(problem.numbers, steps) for steps, _, _ in told]
    words = ["ok" if result == problem.target else "no" for result in results]
    expected = ["no"] * (len(told) - 1) + ["ok"]
    return None not in results and words == expected == [word for _, _, word in told]


def final(text: str) -> str | None:
    """Return the steps of the last line, whatever their order and that of sums and products.

    >>> final("4+2=6;9-7=2;6*2=12 ok") == final("9-7=2;2+4=6;2*6=12 ok")
    True
    """
    found = _STEP.findall(text.strip().rpartition("\n")[2])
    steps = [(*(sorted((a, b)) if sign in "+*" else (a, b)), sign) for a, sign, b, _, _ in found]
    return " ".join(f"{a}{sign}{b}" for a, b, sign in sorted(steps)) or None


def _problem(numbers: Numbers, target: int, rng: Random) -> Problem:
    prompt = f"{' '.join(map(str, numbers))} -> {target}"
    answer = ";".join(map(str, _solved(rng, numbers, target)))
    return Problem(prompt, f"{answer} ok", numbers, target)


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


def _missed(rng: Random, numbers: Numbers) -> list[Step]:
    """Return random steps until one number is left."""
    while True:
        steps, left = _walk(rng, numbers, 1)
        if len(left) == 1:
            return steps


def _solved(rng: Random, numbers: Numbers, target: int) -> list[Step]:
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


def _line(problem: Problem, steps: Sequence[Step]) -> str:
    """Return the steps as text; of long problems with the numbers that each one leaves."""
    left, said = list(problem.numbers), []
    for step in steps:
        left.remove(step.first)
        left.remove(step.second)
        left.append(step.result)
        listed = f"({' '.join(map(str, left))})" if len(problem.numbers) > COUNTED else ""
        said.append(f"{step}{listed}")
    return ";".join(said)


def _result(numbers: Numbers, text: str) -> int | None:
    """Return what the steps of a line make of all numbers; None if one of them is wrong."""
    left = list(numbers)
    for said in text.split(";"):
        match = _STEP.fullmatch(said)
        if not match:
            return None
        step = Step(int(match[1]), match[2], int(match[3]), int(match[4]))
        if step not in joined(step.first, step.second) or not _took(left, step):
            return None
        if match[5] is not None and sorted(match[5].split()) != sorted(map(str, left)):
            return None
    return left[0] if len(left) == 1 else None


def _took(left: list[int], step: Step) -> bool:
    """Replace the numbers of a step by its result; tell whether both were there."""
    for number in (step.first, step.second):
        if number not in left:
            return False
        left.remove(number)
    left.append(step.result)
    return True


TASK = Task(
    name="countdown",
    summary="join all numbers, two at a time, to reach a target",
    instruction=(
        "Join all the numbers on the left, two at a time with + - * or /, so that the number "
        "on the right is left. Every result is a whole number from 1 to 30; do not multiply or "
        "divide by 1. Write the steps in one line, joined by semicolons, and end it with ok, as "
        'in "9-7=2;2*4=8;8+2=10 ok". A line that misses the target ends with no, and a new one '
        "follows. Write nothing else."
    ),
    kind=Problem,
    draw=draw,
    canonical=canonical,
    paraphrase=paraphrase,
    trace=trace,
    verify=verify,
    final=final,
)
