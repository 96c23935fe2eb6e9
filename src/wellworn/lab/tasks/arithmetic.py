"""Word problems of several steps in the form of GSM8K, with several orders of work.

    Ann has 3 bags of 4 pens, finds 6, gives 2 friends 3 each. Each costs 2. What is the cost?
    3*2=6;2*3=6;4*3=12;12+6=18;18-6=12;12*2=24;#### 24

Groups are multiplied, parts added and taken away in any order that stays above 0; the price
comes first or last. As in GSM8K, the number after the four hash marks is the answer, and
nothing else is checked; the verdict is that of the verifier `number`, but the marks are
needed. Easy problems have small numbers, short ones two parts, long ones nine.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import msgspec

from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import between, pick, shuffled
from wellworn.verifiers.number import final_number

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
THINGS = ("pens", "nuts", "caps", "figs", "eggs", "keys")
HOLDERS = ("bags", "tins", "jars", "boxes")
MARK = "#### "


class Size(NamedTuple):
    """How large a problem is."""

    parts: int
    highest: int
    """Of the numbers in it; the lowest is 2."""
    total: int
    """The largest answer."""


SIZES: dict[Level, Size] = {
    "standard": Size(4, 6, 99),
    "easy": Size(4, 3, 99),
    "short": Size(2, 9, 99),
    "long": Size(9, 6, 299),
}


class Part(msgspec.Struct, frozen=True, order=True):
    """What comes or goes: groups of equal size; a single group is a plain number."""

    comes: bool
    groups: int
    size: int

    @property
    def value(self) -> int:
        """What it adds to the total."""
        return self.groups * self.size * (1 if self.comes else -1)


class Problem(Item, frozen=True):
    """Parts in the order of the story, and what each thing costs."""

    parts: tuple[Part, ...]
    price: int
    """1 where nothing is said of it."""

    @property
    def total(self) -> int:
        """The answer."""
        return self.price * sum(part.value for part in self.parts)


class Term(NamedTuple):
    """A number on the way to the total: added or taken away."""

    comes: bool
    value: int


def draw(rng: Random, level: Level) -> Problem:
    """Return a story in which nobody ever gives what they do not have."""
    size = SIZES[level]
    while True:
        parts = [_part(rng, size, comes=True)]
        while len(parts) < size.parts:
            parts.append(_part(rng, size, comes=rng.random() < 0.6))
        price = pick(rng, (1, between(rng, 2, size.highest)))
        problem = _problem(tuple(parts), price, rng)
        if _told(parts) and problem.total <= size.total:
            return problem


def canonical(problem: Problem) -> tuple[int, tuple[Part, ...]]:
    """Return the price and the parts, sorted; names, things and order do not count."""
    parts = (Part(p.comes, *sorted((p.groups, p.size))) for p in problem.parts)
    return problem.price, tuple(sorted(parts))


def paraphrase(problem: Problem, rng: Random) -> Problem:
    """Return the story with other names and things, and its parts in another order."""
    while True:
        parts = shuffled(rng, problem.parts)
        if _told(parts):
            return _problem(parts, problem.price, rng)


def trace(problem: Problem, rng: Random) -> str:
    """Return the steps to the total, in random order."""
    early = problem.price > 1 and rng.random() < 0.5
    steps: list[str] = []
    waiting = list(shuffled(rng, problem.parts))
    terms: list[Term] = []
    while waiting or len(terms) > 1:
        pairs = [(a, b) for a in terms for b in terms if a is not b and _joins(a, b)]
        if waiting and (not pairs or rng.random() < 0.6):
            terms.append(_worked(rng, waiting.pop(), problem.price if early else 1, steps))
        else:
            first, second = pick(rng, pairs)
            terms.remove(first)
            terms.remove(second)
            terms.append(_joined(first, second, steps))
    if problem.price > 1 and not early:
        steps.append(_product(rng, terms[0].value, problem.price))
    return f"{';'.join(steps)};{problem.answer}"


def verify(problem: Problem, text: str) -> bool:
    """Return whether the number after the last four hash marks is the total."""
    return final(text) == str(problem.total)


def final(text: str) -> str | None:
    """Return the number after the last four hash marks.

    >>> final("3*4=12;#### 12"), final("3*4=12")
    ('12', None)
    >>> final("#### 12, or ####") is None
    True
    """
    _, marks, said = text.rpartition("####")
    return final_number(f"{marks} {said}") if marks else None


def _part(rng: Random, size: Size, comes: bool) -> Part:
    grouped = rng.random() < 0.7
    groups = between(rng, 2, size.highest) if grouped else 1
    return Part(comes, groups, between(rng, 2, size.highest))


def _told(parts: Sequence[Part]) -> bool:
    """Tell whether something is left after each part."""
    return all(sum(part.value for part in parts[: i + 1]) > 0 for i in range(len(parts)))


def _problem(parts: tuple[Part, ...], price: int, rng: Random) -> Problem:
    name, things, holders = pick(rng, NAMES), pick(rng, THINGS), pick(rng, HOLDERS)
    begins, *goes_on = parts
    said = [f"{name} has {_amount(begins, holders)} {things}"]
    for part in goes_on:
        if part.comes:
            said.append(f"{pick(rng, ('finds', 'buys'))} {_amount(part, holders)}")
        elif part.groups > 1:
            said.append(f"gives {part.groups} friends {part.size} each")
        else:
            said.append(f"{pick(rng, ('loses', 'sells'))} {part.size}")
    asked = f"How many {things}?" if price == 1 else f"Each costs {price}. What is the cost?"
    total = price * sum(part.value for part in parts)
    return Problem(f"{', '.join(said)}. {asked}", f"{MARK}{total}", parts, price)


def _amount(part: Part, holders: str) -> str:
    return f"{part.groups} {holders} of {part.size}" if part.groups > 1 else f"{part.size}"


def _product(rng: Random, first: int, second: int) -> str:
    one, other = shuffled(rng, (first, second))
    return f"{one}*{other}={first * second}"


def _worked(rng: Random, part: Part, price: int, steps: list[str]) -> Term:
    """Return what a part comes to, and add the steps that say so."""
    value = part.size
    for factor in (part.groups, price):
        if factor > 1:
            steps.append(_product(rng, value, factor))
            value *= factor
    return Term(part.comes, value)


def _joins(first: Term, second: Term) -> bool:
    """Tell whether two terms can be joined in this order, with a result above 0."""
    return first.comes == second.comes or (first.comes and first.value > second.value)


def _joined(first: Term, second: Term, steps: list[str]) -> Term:
    sign = 1 if first.comes == second.comes else -1
    value = first.value + sign * second.value
    steps.append(f"{first.value}{'+' if sign > 0 else '-'}{second.value}={value}")
    return Term(first.comes, value)


TASK = Task(
    name="arithmetic",
    summary="word problems of several steps, as GSM8K has them",
    instruction=(
        "Solve the problem step by step, and end with four hash marks and the number, as in "
        '"3*4=12;12+6=18;#### 18".'
    ),
    kind=Problem,
    draw=draw,
    canonical=canonical,
    paraphrase=paraphrase,
    trace=trace,
    verify=verify,
    final=final,
)
