"""Fresh twins of prompts: the same words around another problem of the same form.

References should differ from the suspects in nothing but that they cannot have been trained
on. For tasks that can be generated, a twin is that: it keeps the suspect's text and exchanges
the problem in it, drawn anew with the same sizes. Which problems come out as often as the
suspects' did is a matter of their generator; ours follow the published ones:

    knights    every person's claim: a simple one, a denied one, or two joined by and, or, if,
               iff, a die deciding; exactly one solution (grammar of arXiv 2410.23123)
    sat        as many clauses over as many variables, each of as many literals, around a
               planted solution (arXiv 2505.16368)
    countdown  as many numbers of the range that the prompts have, and a target that they reach
"""

import json
import re
from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput, unknown
from wellworn.probes import with_last
from wellworn.records import Prompt

PATIENCE = 5_000
"""Draws for one twin that may bring nothing."""


class Problem(NamedTuple):
    """A problem, as it stands in a prompt, with its gold answer."""

    text: str
    """The whole last turn."""
    answer: str


Draw = Callable[[str, Random], Problem | None]
"""draw(last turn, dice): the turn with another problem; None if this draw brought none."""


def twins(kind: str, prompts: Sequence[Prompt], seed: int = 0) -> list[Prompt]:
    """Return one fresh twin of each prompt, none of which asks what a prompt asks.

    Args:
        kind: One of `KINDS`.
        prompts: The suspects.
        seed: Another seed gives other twins.

    Raises:
        BadInput: The kind is unknown, a prompt holds no such problem, or nothing new is left.
    """
    if kind not in KINDS:
        raise BadInput(unknown("kind", kind, KINDS))
    taken = {prompt.question for prompt in prompts}
    found = []
    for prompt in prompts:
        twin = _twin(KINDS[kind], prompt, Random(f"{seed} {prompt.id}"), taken)
        if twin is None:
            raise BadInput(
                f"{prompt.source or prompt.id}: no twin of this prompt is found in {PATIENCE} "
                f"draws.\nIs it a problem of the kind '{kind}', in its published wording?"
            )
        taken.add(twin.question)
        found.append(twin)
    return found


def _twin(draw: Draw, prompt: Prompt, dice: Random, taken: set[str]) -> Prompt | None:
    for _ in range(PATIENCE):
        problem = draw(prompt.shown, dice)
        if problem is not None:
            twin = replace(with_last(prompt, problem.text), answer=problem.answer, source="twin")
            if twin.question not in taken:
                return twin
    return None


_SIMPLE = r"[A-Z][a-z]+ is (?:not )?a (?:knight|knave)"
_CLAIM = re.compile(
    rf"If {_SIMPLE} then {_SIMPLE}|{_SIMPLE}(?: (?:and|or|if and only if) {_SIMPLE})?"
)
_PEOPLE = re.compile(r"\d+ inhabitants: ([^.]+)\.")
_JOINED: dict[str, Callable[[bool, bool], bool]] = {
    "{} and {}": lambda a, b: a and b,
    "{} or {}": lambda a, b: a or b,
    "If {} then {}": lambda a, b: not a or b,
    "{} if and only if {}": lambda a, b: a == b,
}


def _knights(text: str, dice: Random) -> Problem | None:
    people = _PEOPLE.search(text)
    names = re.findall(r"[A-Z][a-z]+", people[1]) if people else []
    claims = list(_CLAIM.finditer(text))
    if not names or len(claims) != len(names):
        return None
    drawn = [_claim(names, dice) for _ in names]
    worlds = [
        world
        for world in product([False, True], repeat=len(names))
        if all(claim(world) == world[speaker] for speaker, (_, claim) in enumerate(drawn))
    ]
    if len(worlds) != 1:
        return None
    new = iter(said for said, _ in drawn)
    roles = [
        f"{name} is a {'knight' if knight else 'knave'}"
        for name, knight in zip(names, worlds[0], strict=True)
    ]
    answer = "\n".join(f"({place}) {role}" for place, role in enumerate(roles, 1))
    return Problem(_CLAIM.sub(lambda _: next(new), text), answer)


def _claim(names: Sequence[str], dice: Random) -> tuple[str, Callable[[tuple[bool, ...]], bool]]:
    """Return what a person says, and whether that is so in a world."""
    form = dice.randrange(6)
    if form < 2:
        person, knight = _part(names, dice)
        said = _said(names, (person, knight))
        if form == 1:
            said = said.replace(" is a ", " is not a ")
        return said, lambda world: (world[person] is knight) is (form == 0)
    first = second = _part(names, dice)
    while first == second:
        second = _part(names, dice)
    joined, holds = list(_JOINED.items())[form - 2]
    said = joined.format(_said(names, first), _said(names, second))
    return said, lambda world: holds(world[first[0]] is first[1], world[second[0]] is second[1])


def _part(names: Sequence[str], dice: Random) -> tuple[int, bool]:
    return dice.randrange(len(names)), dice.random() < 0.5


def _said(names: Sequence[str], part: tuple[int, bool]) -> str:
    return f"{names[part[0]]} is a {'knight' if part[1] else 'knave'}"


def _sat(text: str, dice: Random) -> Problem | None:
    told = _last_json(text)
    if told is None:
        return None
    place, problem = told
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: problem["k"]]
    planted = {letter: dice.random() < 0.5 for letter in letters}
    wanted = len(problem["clause"].split(" & "))
    clauses: set[str] = set()
    for _ in range(PATIENCE):
        if len(clauses) == wanted:
            break
        chosen = sorted(dice.sample(letters, problem["n_sat"]))
        signs = {letter: dice.random() < 0.5 for letter in chosen}
        if any(signs[letter] is planted[letter] for letter in chosen):
            clauses.add("".join(letter if signs[letter] else f"!{letter}" for letter in chosen))
    if len(clauses) < wanted:
        return None
    new = json.dumps(problem | {"clause": " & ".join(sorted(clauses))})
    answer = "".join(str(int(planted[letter])) for letter in letters)
    return Problem(text[: place[0]] + new + text[place[1] :], answer)


def _last_json(text: str) -> tuple[tuple[int, int], dict] | None:  # type: ignore[type-arg]
    """Return where the last formula of a text stands, and what it says."""
    for match in reversed(list(re.finditer(r"\{[^{}]*\}", text))):
        try:
            told = json.loads(match[0])
        except ValueError:
            continue
        if {"n_sat", "k", "clause"} <= told.keys() and told["n_sat"] <= told["k"] <= 26:
            return match.span(), told
    return None


_NUMBERS = re.compile(r"\[(\d+(?:, ?\d+)+)\]")
_TARGET = re.compile(r"(equals?(?: to)?|target(?: of)?|make|is) (\d+)")


def _countdown(text: str, dice: Random) -> Problem | None:
    numbers, target = _NUMBERS.search(text), _TARGET.search(text)
    if numbers is None or target is None:
        return None
    held = [int(number) for number in numbers[1].split(",")]
    drawn = [dice.randint(min(held), max(max(held), min(held) + 1)) for _ in held]
    value, said = drawn[0], str(drawn[0])
    for number in dice.sample(drawn[1:], len(drawn) - 1):
        value, said = _step(value, said, number, dice)
    if not 1 <= value <= 2 * max(int(target[2]), max(held)):
        return None
    new = text.replace(numbers[0], f"[{', '.join(map(str, drawn))}]", 1)
    place = _TARGET.search(new)
    assert place is not None
    start, end = place.span(2)
    return Problem(f"{new[:start]}{value}{new[end:]}", said)


def _step(value: int, said: str, number: int, dice: Random) -> tuple[int, str]:
    """Return a value joined with a further number, and how that is written."""
    options = [(value + number, "+"), (value - number, "-"), (value * number, "*")]
    if number and value % number == 0:
        options.append((value // number, "/"))
    result, sign = dice.choice(options)
    return result, f"({said} {sign} {number})"


KINDS: dict[str, Draw] = {"knights": _knights, "sat": _sat, "countdown": _countdown}
"""Kinds of problems, and how another one is drawn."""
