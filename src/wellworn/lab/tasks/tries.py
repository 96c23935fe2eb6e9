"""Countdown in a fixed number of tries: many lines, of which one has to reach the target.

    4 7 2 9 -> 24 in 3      1 7+9=16;16/4=4;4*2=8 no
                            2 9-7=2;4*2=8;8+2=10 no
                            3 7+9=16;2*4=8;16+8=24 ok

Long traces by design: all lines have to be there, numbered, whether or not one of them reached
the target, so that no reward makes an answer shorter or longer. A line that is wrong only does
not count. Most problems are solved by luck in so many tries; to be surer takes lines that
serve this problem alone. The lines are those of `countdown`, four numbers each. Standard
items have 16 tries, which is 320 tokens, short ones 2, long ones 32; easy ones have more ways.
"""

import re
from random import Random

from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import between, shuffled
from wellworn.lab.tasks.joining import (
    Numbers,
    Step,
    drawn,
    line,
    normalised,
    result,
    solved,
    ways,
)

LENGTH = 4
"""Numbers of an item."""
TRIES: dict[Level, int] = {"standard": 16, "easy": 16, "short": 2, "long": 32}
WAYS, EASY = range(30, 80), range(80, 10_000)
"""How many ways lead to the target: of items of all levels, and of easy ones."""
AIMED = 0.25
"""The share of lines of a trace that are drawn from those that reach the target; the others
are random steps."""
_LINE = re.compile(r"([0-9]{1,2}) (\S+) (ok|no)")


class Problem(Item, frozen=True):
    """Numbers from 1 to 10, what to make of them, and in how many lines."""

    numbers: Numbers
    target: int
    tries: int


def draw(rng: Random, level: Level) -> Problem:
    """Return an item whose target is what random steps made of its numbers."""
    while True:
        numbers = tuple(between(rng, 1, 10) for _ in range(LENGTH))
        target = drawn(rng, numbers)[-1].result
        if ways(tuple(sorted(numbers)))[target] in (EASY if level == "easy" else WAYS):
            return _problem(numbers, target, TRIES[level], rng)


def canonical(problem: Problem) -> tuple[Numbers, int]:
    """Return the numbers in their order of size, and the target."""
    return tuple(sorted(problem.numbers)), problem.target


def paraphrase(problem: Problem, rng: Random) -> Problem:
    """Return the problem with its numbers in another order."""
    return _problem(shuffled(rng, problem.numbers), problem.target, problem.tries, rng)


def trace(problem: Problem, rng: Random) -> str:
    """Return all tries, of which at least one reaches the target."""
    return _trace(problem.numbers, problem.target, problem.tries, rng)


def verify(problem: Problem, text: str) -> bool:
    """Return whether all lines are there, and one that reaches the target says ok."""
    lines = [_LINE.fullmatch(each.rstrip()) for each in text.strip().split("\n")]
    told = [match.groups() for match in lines if match]
    if len(told) < len(lines) or [int(number) for number, _, _ in told] != [
        *range(1, problem.tries + 1)
    ]:
        return False
    reached = [steps for _, steps, word in told if word == "ok"]
    return problem.target in (result(problem.numbers, steps) for steps in reached)


def final(text: str) -> str | None:
    r"""Return the steps of the first line that says ok, whatever their order.

    >>> final("1 4+2=6 no\n2 9-7=2;2+4=6;2*6=12 ok") == final("1 4+2=6;9-7=2;6*2=12 ok")
    True
    """
    lines = (each.rstrip() for each in text.split("\n"))
    return normalised(next((each for each in lines if each.endswith(" ok")), ""))


def _problem(numbers: Numbers, target: int, tries: int, rng: Random) -> Problem:
    prompt = f"{' '.join(map(str, numbers))} -> {target} in {tries}"
    return Problem(prompt, _trace(numbers, target, tries, rng), numbers, target, tries)


def _trace(numbers: Numbers, target: int, tries: int, rng: Random) -> str:
    sure = between(rng, 1, tries)
    lines = []
    for number in range(1, tries + 1):
        aimed = number == sure or rng.random() < AIMED
        steps = solved(rng, numbers, target) if aimed else drawn(rng, numbers)
        lines.append(f"{number} {_said(steps, target)}")
    return "\n".join(lines)


def _said(steps: list[Step], target: int) -> str:
    return f"{line(steps)} {'ok' if steps[-1].result == target else 'no'}"


TASK = Task(
    name="tries",
    summary="Countdown in a fixed number of tries, for long traces",
    instruction=(
        "Join all the numbers on the left, two at a time with + - * or /, so that the number "
        "after the arrow is left. Every result is a whole number from 1 to 30; do not multiply "
        "or divide by 1. The last number says how many tries you have. Write each of them in a "
        "line of its own: its number, the steps, joined by semicolons, and ok if they reach the "
        'target, else no, as in "1 9-7=2;2*4=8;8+2=10 ok". Write all of them, and nothing else; '
        "one has to reach the target."
    ),
    kind=Problem,
    draw=draw,
    canonical=canonical,
    paraphrase=paraphrase,
    trace=trace,
    verify=verify,
    final=final,
)
