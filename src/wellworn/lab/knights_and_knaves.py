"""Fresh Knights and Knaves puzzles, and the verifier of their answers.

Everyone is a knight, whose claim is true, or a knave, whose claim is false. The claims
follow the grammar of Xie et al. 2024 (arXiv:2410.23123) at depth 2 and width 2: a die of
six picks a simple claim, not, and, or, implies, iff; nobody says "I am a knave", and no
compound says the same thing twice. A puzzle is kept if exactly one solution fits.

Differences from the paper: the names and the wording are ours, and people speak of
themselves as "I". No two puzzles of a pool say the same up to renaming and reordering
the people, where the paper compares the claims as written. The pool is shuffled: draws
without repetition turn up common puzzles first, and a pool cut in two would differ.
"""

import re
from collections.abc import Callable, Sequence
from itertools import permutations, product
from operator import itemgetter
from random import Random

import msgspec

from wellworn.errors import BadInput
from wellworn.lab.tasks.draws import pick, shuffled

World = tuple[bool, ...]
"""Who is a knight, by the person's place in the puzzle."""

OPERATORS: dict[str, tuple[int, Callable[..., bool], str]] = {
    "not": (1, lambda a: not a, "it is not true that {}"),
    "and": (2, lambda a, b: a and b, "{} and {}"),
    "or": (2, lambda a, b: a or b, "{} or {}, or both"),
    "implies": (2, lambda a, b: not a or b, "if {}, then {}"),
    "iff": (2, lambda a, b: a == b, "{} if and only if {}"),
}
"""Each operator: how many parts it joins, when it holds, and how it is said."""

NAMES = "Agnes Bruno Celia Dara Edgar Freya Gideon Hilda Ines Jonas Kira Leif Maud Nadia Otto Rosa"
REPORTS = ("{} answers:", "{} insists:", "{} swears:", "{} whispers:", "Word from {}:")
ROLES = "knave", "knight"
RULES = "A knight speaks only truth, a knave only lies. {} are each one or the other."
QUESTION = (
    "Who is what? Reason step by step, then end with one line for each person: "
    '"NAME is a knight" or "NAME is a knave".'
)
PATIENCE = 20_000  # draws in a row that may bring nothing new


class Is(msgspec.Struct, frozen=True, tag=True):
    """The simple claim that a person is a knight, or is a knave."""

    person: int
    knight: bool


class Compound(msgspec.Struct, frozen=True, tag=True):
    """A claim that joins simple ones by one of the `OPERATORS`."""

    operator: str
    parts: tuple[Is, ...]


Claim = Is | Compound


class Puzzle(msgspec.Struct, frozen=True):
    """People, what each of them claims, and the only solution.

    Claims with another solution, with none or with several raise BadInput.
    """

    names: tuple[str, ...]
    """Single words of letters, all different."""
    claims: tuple[Claim, ...]
    """Each is spoken by the person at its place."""
    solution: World
    reports: tuple[str, ...]
    """How each claim is introduced; the speaker's name replaces the braces."""

    def __post_init__(self) -> None:
        found = solutions(self.claims)
        if found != [self.solution]:
            raise BadInput(
                f"the puzzle of {', '.join(self.names)} is solved by {found}, not by "
                f"{self.solution} alone. Change a claim, so that one solution is left."
            )

    @property
    def text(self) -> str:
        """The puzzle in English: the rules, a line for each claim, the question."""
        people = f"{', '.join(self.names[:-1])} and {self.names[-1]}"
        lines = [RULES.format(people)]
        for speaker, claim in enumerate(self.claims):
            report = self.reports[speaker].format(self.names[speaker])
            said = _phrase(claim, speaker, self.names)
            lines.append(f'{report} "{said[0].upper()}{said[1:]}."')
        lines.append(QUESTION)
        return "\n".join(lines)

    @property
    def gold(self) -> str:
        """The right answer, in the form that the question asks for."""
        told = zip(self.names, self.solution, strict=True)
        return "\n".join(f"{name} is a {ROLES[knight]}" for name, knight in told)


def holds(claim: Claim, world: World) -> bool:
    """Return whether a claim is true where the people are as `world` says.

    >>> holds(Compound("implies", (Is(0, True), Is(1, True))), (True, False))
    False
    """
    if isinstance(claim, Is):
        return world[claim.person] == claim.knight
    _, meaning, _ = OPERATORS[claim.operator]
    return meaning(*(holds(part, world) for part in claim.parts))


def solutions(claims: Sequence[Claim]) -> list[World]:
    """Return every way to be knights and knaves that fits what each person claims.

    >>> solutions([Is(1, True), Is(0, True)])
    [(False, False), (True, True)]
    """
    worlds = product((False, True), repeat=len(claims))
    return [world for world in worlds if world == tuple(holds(claim, world) for claim in claims)]


def canonical(claims: Sequence[Claim]) -> tuple[bool, ...]:
    """Return a form that two puzzles share if they say the same, people aside.

    A claim stands as its truth table, so wording and the order of parts do not count:
    "not a knave" is "a knight". Of all orders of the people, the least form is taken.

    >>> canonical([Is(1, True), Is(0, False)]) == canonical([Is(1, False), Is(0, True)])
    True
    """
    worlds = list(product((False, True), repeat=len(claims)))
    truth = [{world: holds(claim, world) for world in worlds} for claim in claims]
    return min(
        tuple(truth[i][world] for i in order for world in sorted(worlds, key=itemgetter(*order)))
        for order in permutations(range(len(claims)))
    )


def draw_claim(
    rng: Random, people: int, speaker: int, kinds: Sequence[str] = ("simple", *OPERATORS)
) -> Claim:
    """Return a claim for a speaker, simple or by one of the operators, whichever is drawn."""
    simple = [Is(person, knight) for person in range(people) for knight in (True, False)]
    simple.remove(Is(speaker, False))
    kind = pick(rng, kinds)
    if kind == "simple":
        return pick(rng, simple)
    arity, _, _ = OPERATORS[kind]
    return Compound(kind, shuffled(rng, simple)[:arity])


def generate(count: int, *, people: int = 3, seed: int = 0) -> list[Puzzle]:
    """Return `count` different puzzles of 2 to 4 people each.

    They depend on the arguments alone, on any machine. Any split of one call's puzzles is
    disjoint and of one distribution; those of two calls may have puzzles in common.

    Raises:
        BadInput: There are fewer (some 40 of 2 people exist, 2,400 of 3, 240,000 of 4).
    """
    if people not in (2, 3, 4):
        raise BadInput(f"people is {people}. Puzzles have 2, 3 or 4 people.")
    rng = Random(seed)
    seen: set[tuple[bool, ...]] = set()
    pool: list[Puzzle] = []
    idle = 0
    while len(pool) < count:
        claims = tuple(draw_claim(rng, people, speaker) for speaker in range(people))
        found = solutions(claims)
        idle += 1
        if len(found) == 1 and (form := canonical(claims)) not in seen:
            seen.add(form)
            names, reports = shuffled(rng, NAMES.split()), shuffled(rng, REPORTS)
            pool.append(Puzzle(names[:people], claims, found[0], reports[:people]))
            idle = 0
        elif idle == PATIENCE:
            raise BadInput(
                f"only {len(pool)} different puzzles of {people} people were found; {count} "
                f"were asked for. Ask for fewer, or for more people in each."
            )
    return list(shuffled(rng, pool))


def verify(gold: str, answer: str) -> bool:
    r"""Return whether an answer gives exactly the people of `gold` exactly their roles.

    The last block decides: the last run of lines that each read "NAME is a knight" or
    "NAME is a knave". Empty lines may stand between them; bullets, numbers, emphasis, case
    and a final stop do not count. No other line counts, so reasoning may suppose anything.

    >>> verify("Agnes is a knight", "Agnes is a knave?\nI doubt it:\n- **Agnes** is a knight.")
    True
    """
    if not (expected := _last_block(gold)):
        raise BadInput(f"the gold answer {gold!r:.80} has no line 'NAME is a knight'.")
    return _last_block(answer) == expected


def _phrase(claim: Claim, speaker: int, names: Sequence[str]) -> str:
    if isinstance(claim, Compound):
        _, _, wording = OPERATORS[claim.operator]
        return wording.format(*(_phrase(part, speaker, names) for part in claim.parts))
    subject = "I am" if claim.person == speaker else f"{names[claim.person]} is"
    return f"{subject} a {ROLES[claim.knight]}"


_ANSWER = re.compile(r"(?:[-•]|\d+[.)])?\s*([^\W\d_]+) is a (knight|knave)[.,;]?", re.IGNORECASE)


def _last_block(text: str) -> set[tuple[str, str]]:
    block: set[tuple[str, str]] = set()
    ended = False
    for line in text.splitlines():
        plain = re.sub(r"[*_`]", "", line).strip()
        if match := _ANSWER.fullmatch(plain):
            said = {(match[1].casefold(), match[2].casefold())}
            block = said if ended else block | said
        ended = not match and (ended or line.strip() != "")
    return block
