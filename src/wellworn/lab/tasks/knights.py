"""Knights and Knaves for small models: the puzzles of `wellworn.lab.knights_and_knaves`, short.

    A: not C knight                     ?D=knave D>A=knave A>C=knight C>B=knight B!
    B: if C knight then A knight        ?D=knight D>A=knight A>C=knave C>B=knight
    C: B knight iff A knave             so A=knight B=knight C=knave D=knight
    D: A knight

People have letters. A trace supposes, concludes from what somebody says, contradicts ("C!":
what C says cannot stand), in random order. The verdict is that of the verifier `knights`.
Easy puzzles join simple claims by "not" and "and" alone. Short ones have 2 or 3 people (some
2,400 exist), the others 4.
"""

from collections.abc import Sequence
from itertools import product
from random import Random

from wellworn.lab.knights_and_knaves import (
    OPERATORS,
    ROLES,
    Claim,
    Compound,
    Is,
    draw_claim,
    holds,
    solutions,
)
from wellworn.lab.knights_and_knaves import canonical as form
from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import pick, shuffled
from wellworn.lab.tasks.search import Constraint, Event, Fails, Known, Supposed, explore
from wellworn.verifiers.knights import final_roles, told

LETTERS = "ABCD"
PEOPLE: dict[Level, tuple[int, ...]] = {
    "standard": (4,),
    "easy": (4,),
    "short": (2, 3),
    "long": (4,),
}
EASY = ("simple", "not", *["and"] * 4)
"""What is drawn from for easy puzzles: as many claims of two parts as in standard ones."""
WORDING = {
    "not": "not {}",
    "and": "{} and {}",
    "or": "{} or {}",
    "implies": "if {} then {}",
    "iff": "{} iff {}",
}


class Problem(Item, frozen=True):
    """People and what each of them claims."""

    claims: tuple[Claim, ...]
    """Each is spoken by the person at its place."""
    checked: bool
    """Whether traces go through all claims at the end."""


def draw(rng: Random, level: Level) -> Problem:
    """Return a puzzle with one solution."""
    people = pick(rng, PEOPLE[level])
    operators = EASY if level == "easy" else ("simple", *OPERATORS)
    while True:
        claims = tuple(draw_claim(rng, people, speaker, operators) for speaker in range(people))
        if len(solutions(claims)) == 1:
            return _problem(claims, checked=level == "long")


def canonical(problem: Problem) -> tuple[bool, ...]:
    """Return the truth tables of the claims, in the least of all orders of the people."""
    return form(problem.claims)


def paraphrase(problem: Problem, rng: Random) -> Problem:
    """Return the puzzle with its people, and the parts of what they say, in another order."""
    places = shuffled(rng, range(len(problem.claims)))
    claims = [_moved(claim, places, rng) for claim in problem.claims]
    moved = tuple(claims[places.index(place)] for place in range(len(claims)))
    return _problem(moved, problem.checked)


def trace(problem: Problem, rng: Random) -> str:
    """Return a search for the solution, in random order."""
    constraints = [_constraint(speaker, claim) for speaker, claim in enumerate(problem.claims)]
    events, found = explore(constraints, len(constraints), rng)
    lines = [" ".join(map(_said, events)).replace("! ", "!\n")]
    if problem.checked:
        for speaker in shuffled(rng, range(len(constraints))):
            truth = "true" if found[speaker] else "false"
            lines.append(f"{_line(speaker, problem.claims[speaker])} {truth}")
    return "\n".join([*lines, f"so {_answer(found)}"])


def verify(problem: Problem, text: str) -> bool:
    """Return whether the last run of statements gives everyone the right role, and nobody two."""
    return told(text) == told(problem.answer)


def _problem(claims: tuple[Claim, ...], checked: bool) -> Problem:
    [solution] = solutions(claims)
    prompt = "\n".join(_line(speaker, claim) for speaker, claim in enumerate(claims))
    return Problem(prompt, _answer(dict(enumerate(solution))), claims, checked)


def _line(speaker: int, claim: Claim) -> str:
    if isinstance(claim, Is):
        return f"{LETTERS[speaker]}: {_role(claim.person, claim.knight, ' ')}"
    parts = (_role(part.person, part.knight, " ") for part in claim.parts)
    return f"{LETTERS[speaker]}: {WORDING[claim.operator].format(*parts)}"


def _role(person: int, knight: bool, sign: str = "=") -> str:
    return f"{LETTERS[person]}{sign}{ROLES[knight]}"


def _answer(known: Known) -> str:
    return " ".join(_role(person, known[person]) for person in sorted(known))


def _said(event: Event) -> str:
    if isinstance(event, Fails):
        return f"{event.label}!"
    sign = "?" if isinstance(event, Supposed) else f"{event.label}>"
    return f"{sign}{_role(event.variable, event.value)}"


def _constraint(speaker: int, claim: Claim) -> Constraint:
    """Return what a claim leaves possible: the speaker is a knight if, and only if, it holds."""
    parts = (claim,) if isinstance(claim, Is) else claim.parts
    scope = tuple(sorted({speaker, *(part.person for part in parts)}))
    rows = set()
    for row in product((True, False), repeat=len(scope)):
        world = dict(zip(scope, row, strict=True))
        people = tuple(world.get(person, False) for person in range(len(LETTERS)))
        if holds(claim, people) == world[speaker]:
            rows.add(row)
    return Constraint(LETTERS[speaker], scope, frozenset(rows))


def _moved(claim: Claim, places: Sequence[int], rng: Random) -> Claim:
    if isinstance(claim, Is):
        return Is(places[claim.person], claim.knight)
    parts = tuple(Is(places[part.person], part.knight) for part in claim.parts)
    ordered = parts if claim.operator == "implies" else shuffled(rng, parts)
    return Compound(claim.operator, ordered)


TASK = Task(
    name="knights",
    summary="who is a knight, who is a knave?",
    instruction=(
        "A knight speaks only truth, a knave only lies; each letter is one or the other. A line "
        "gives what the letter before the colon claims. Find out who is what. Reason as you "
        'like, and end with the roles of all, as in "so A=knight B=knave".'
    ),
    kind=Problem,
    draw=draw,
    canonical=canonical,
    paraphrase=paraphrase,
    trace=trace,
    verify=verify,
    final=final_roles,
)
