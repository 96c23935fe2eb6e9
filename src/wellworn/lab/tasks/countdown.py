"""Countdown: join all numbers of a list, two at a time, so that the target is left.

    4 7 2 9 -> 24      7+9=16;16/4=4;4*2=8 no
                       9-7=2;2+4=6;6*2=12 no ...

A trace takes steps and says at the end of a line whether they reached the target; after a
miss it may begin again. Every step of every line is checked, and so is what the line says.
Items are easy where many ways lead to the target; short ones have three numbers, long ones five.
"""

from random import Random

from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import between, shuffled
from wellworn.lab.tasks.joining import Numbers, drawn, line, normalised, result, solved, ways

LENGTH: dict[Level, int] = {"standard": 4, "easy": 4, "short": 3, "long": 5}
MANY = 60
"""The ways to the target that an easy item has at least."""
MISSES = 1
"""The most lines of a trace that miss the target."""


class Problem(Item, frozen=True):
    """Numbers from 1 to 10, and what to make of them."""

    numbers: Numbers
    target: int


def draw(rng: Random, level: Level) -> Problem:
    """Return an item whose target is what random steps made of its numbers."""
    while True:
        numbers = tuple(between(rng, 1, 10) for _ in range(LENGTH[level]))
        target = drawn(rng, numbers)[-1].result
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
    tries = [drawn(rng, problem.numbers) for _ in range(between(rng, 0, MISSES))]
    misses = [f"{line(steps)} no" for steps in tries if steps[-1].result != problem.target]
    return "\n".join([*misses, f"{line(solved(rng, problem.numbers, problem.target))} ok"])


def verify(problem: Problem, text: str) -> bool:
    """Return whether every line is right, and the last alone reaches the target."""
    told = [each.rstrip().rpartition(" ") for each in text.strip().split("\n")]
    results = [result(problem.numbers, steps) for steps, _, _ in told]
    words = ["ok" if end == problem.target else "no" for end in results]
    expected = ["no"] * (len(told) - 1) + ["ok"]
    return None not in results and words == expected == [word for _, _, word in told]


def final(text: str) -> str | None:
    """Return the steps of the last line, whatever their order and that of sums and products.

    >>> final("4+2=6;9-7=2;6*2=12 ok") == final("9-7=2;2+4=6;2*6=12 ok")
    True
    """
    return normalised(text.strip().rpartition("\n")[2])


def _problem(numbers: Numbers, target: int, rng: Random) -> Problem:
    prompt = f"{' '.join(map(str, numbers))} -> {target}"
    return Problem(prompt, f"{line(solved(rng, numbers, target))} ok", numbers, target)


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
