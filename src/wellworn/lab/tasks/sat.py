"""Satisfiability with a planted solution, as Saturn draws it: 3 of 5 letters, 13 clauses.

    Ebc ADE bEA eab ...    ?c ?E ?B ACb>A eab! ?b BCa>a DBA>D = a b c D E

A capital letter says that the variable is true, a small one that it is false; a clause wants
one of its letters. Clauses are drawn evenly from those that a random solution satisfies, and
any solution is right. A trace supposes ("?A"), concludes ("cBd>B"), contradicts ("aCd!"), in
random order; of long items it names a true letter in every clause before the answer. Items
are easy where many assignments are right.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, permutations, product
from random import Random
from typing import NamedTuple

from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import pick, shuffled
from wellworn.lab.tasks.search import Constraint, Event, Fails, Supposed, explore

LETTERS = "ABCDEFGH"


class Size(NamedTuple):
    """How large a formula is."""

    literals: int
    """Letters a clause."""
    variables: int
    clauses: int


SIZES: dict[Level, Size] = {
    "standard": Size(3, 5, 13),
    "easy": Size(3, 5, 13),
    "short": Size(2, 4, 6),
    "long": Size(3, 8, 26),
}
MANY = 8
"""The solutions that an easy item has at least."""
_ANSWER = re.compile(r"=((?: ?[A-Ha-h])+)\s*$")


class Problem(Item, frozen=True):
    """A formula in conjunctive normal form."""

    clauses: tuple[str, ...]
    """The letters of each."""

    @property
    def variables(self) -> str:
        """The capital letters that occur, sorted."""
        return "".join(sorted({letter.upper() for letter in "".join(self.clauses)}))


def solves(clauses: tuple[str, ...], answer: str) -> bool:
    """Tell whether every clause has a letter of the answer.

    >>> solves(("Ab", "aB"), "ab"), solves(("Ab", "aB"), "aB")
    (True, False)
    """
    return all(set(clause) & set(answer) for clause in clauses)


def solutions(problem: Problem) -> list[str]:
    """Return every assignment that satisfies all clauses."""
    choices = [(letter, letter.lower()) for letter in problem.variables]
    return [answer for answer in map("".join, product(*choices)) if solves(problem.clauses, answer)]


def draw(rng: Random, level: Level) -> Problem:
    """Return an item in which every variable occurs."""
    size = SIZES[level]
    letters = LETTERS[: size.variables]
    while True:
        planted = "".join(pick(rng, (letter, letter.lower())) for letter in letters)
        clauses: dict[frozenset[str], str] = {}
        while len(clauses) < size.clauses:
            chosen = shuffled(rng, letters)[: size.literals]
            clause = "".join(pick(rng, (letter, letter.lower())) for letter in chosen)
            if solves((clause,), planted):
                clauses.setdefault(frozenset(clause), clause)
        problem = _problem(tuple(clauses.values()), planted)
        easy = level != "easy" or len(solutions(problem)) >= MANY
        if easy and problem.variables == letters:
            return problem


def canonical(problem: Problem) -> tuple[tuple[int, ...], ...]:
    """Return a form that two formulas share if renaming makes one the other.

    Variables may be renamed and negated, letters and clauses stand in any order. Of all ways
    to number the literals that put frequent ones first, the least form is taken.
    """
    return min(
        tuple(
            sorted(
                tuple(sorted(numbers[letter] for letter in clause)) for clause in problem.clauses
            )
        )
        for numbers in _numberings(problem)
    )


def paraphrase(problem: Problem, rng: Random) -> Problem:
    """Return the formula with variables renamed and negated, letters and clauses reordered."""
    renamed: dict[str, str] = {}
    for old, new in zip(problem.variables, shuffled(rng, problem.variables), strict=True):
        same = pick(rng, (True, False))
        renamed |= {old: new if same else new.lower(), old.lower(): new.lower() if same else new}
    clauses = (("".join(shuffled(rng, [renamed[x] for x in clause]))) for clause in problem.clauses)
    answer = "".join(renamed[letter] for letter in final(problem.answer) or "")
    return _problem(shuffled(rng, tuple(clauses)), answer)


def trace(problem: Problem, rng: Random) -> str:
    """Return a search for a solution, in random order."""
    events, found = explore(_constraints(problem), len(problem.variables), rng)
    answer = "".join(_letter(problem, *pair) for pair in sorted(found.items()))
    said = [_said(problem, event) for event in events]
    if len(problem.variables) == SIZES["long"].variables:
        for clause in shuffled(rng, problem.clauses):
            true = [letter for letter in clause if letter in answer]
            said.append(f"{clause}:{pick(rng, true)}")
    return f"{' '.join(said)} = {' '.join(answer)}"


def verify(problem: Problem, text: str) -> bool:
    """Return whether the answer gives each variable one value, and satisfies all clauses."""
    answer = final(text) or ""
    return answer.upper() == problem.variables and solves(problem.clauses, answer)


def final(text: str) -> str | None:
    """Return the letters after the last equals sign, by variable.

    >>> final("?a Ab! = B A"), final("= A") , final("A")
    ('AB', 'A', None)
    """
    match = _ANSWER.search(text)
    return "".join(sorted(match[1].replace(" ", ""), key=str.upper)) if match else None


def _problem(clauses: tuple[str, ...], solution: str) -> Problem:
    answer = f"= {' '.join(sorted(solution, key=str.upper))}"
    return Problem(" ".join(clauses), answer, clauses)


def _numberings(problem: Problem) -> Iterator[dict[str, int]]:
    """Yield each way to number the literals by how often they occur, ties in every order."""
    count = Counter("".join(problem.clauses))

    def often(letter: str) -> tuple[int, int]:
        both = sorted((count[letter], count[letter.lower()]), reverse=True)
        return both[0], both[1]

    ranked = sorted(problem.variables, key=often, reverse=True)
    ties = [tuple(tied) for _, tied in groupby(ranked, key=often)]
    for orders in product(*map(permutations, ties)):
        choices = []
        for letter in (letter for order in orders for letter in order):
            pair, difference = (letter, letter.lower()), count[letter] - count[letter.lower()]
            options = {1: [pair], -1: [pair[::-1]], 0: [pair, pair[::-1]]}
            choices.append(options[(difference > 0) - (difference < 0)])
        for pairs in product(*choices):
            yield {
                x: i + 1 if not j else -i - 1 for i, p in enumerate(pairs) for j, x in enumerate(p)
            }


def _constraints(problem: Problem) -> list[Constraint]:
    constraints = []
    for clause in problem.clauses:
        scope = tuple(problem.variables.index(letter.upper()) for letter in clause)
        rows = set(product((True, False), repeat=len(clause)))
        constraints.append(
            Constraint(clause, scope, frozenset(rows - {tuple(x.islower() for x in clause)}))
        )
    return constraints


def _letter(problem: Problem, variable: int, value: bool) -> str:
    letter = problem.variables[variable]
    return letter if value else letter.lower()


def _said(problem: Problem, event: Event) -> str:
    if isinstance(event, Fails):
        return f"{event.label}!"
    letter = _letter(problem, event.variable, event.value)
    return f"?{letter}" if isinstance(event, Supposed) else f"{event.label}>{letter}"


TASK = Task(
    name="sat",
    summary="find truth values that satisfy every clause",
    instruction=(
        "Each group of letters is a clause. A capital letter stands for a true variable, the "
        "small one for the same variable being false. Choose one of both for every variable, "
        "so that every clause holds at least one letter that you chose. Reason as you like, and "
        'end with an equals sign and your letters, as in "= A b C d E".'
    ),
    kind=Problem,
    draw=draw,
    canonical=canonical,
    paraphrase=paraphrase,
    trace=trace,
    verify=verify,
    final=final,
)
