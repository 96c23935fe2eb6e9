"""Satisfiability as Saturn and RL-MIA ask for it: bits in a box, checked against the clauses.

The prompt holds the problem as a JSON object with `k`, the number of variables, and `clause`,
as "!A!BD & ABE": "!" negates, letters side by side are joined by OR, " & " is AND. Any
assignment that satisfies all clauses is right. Our rules: as many bits as variables, no more
and no fewer. The published reward reads missing bits as 0, so that an empty box is right
wherever "all false" is a solution (18 % of its training problems).
"""

import json
import re
from typing import Any, NamedTuple

from wellworn.records import Prompt
from wellworn.verifiers.answers import in_box, last_boxed
from wellworn.verifiers.base import Verifier, unverifiable

_OBJECT = re.compile(r"\{[^{}]*\}")
_CLAUSE = re.compile(r"(?:!?[A-Z])+")
_LITERAL = re.compile(r"(!?)([A-Z])")
_SPARE = re.compile(r"[\s,{}$]|\\(?:text|mathrm|texttt)|\\[,;!]")


class Problem(NamedTuple):
    """A formula in conjunctive normal form."""

    k: int
    """How many variables it has."""
    clauses: tuple[tuple[tuple[int, str], ...], ...]
    """Of each clause, the literals: a variable, from 0, and the bit that makes it true."""


def problem_of(prompt: Prompt) -> Problem:
    """Return the problem that a prompt asks for: the last one in it.

    Raises:
        BadInput: It holds none that can be read.
    """
    for text in reversed(_OBJECT.findall(prompt.shown)):
        fields = _decoded(text)
        if isinstance(fields, dict) and "clause" in fields:
            parts = str(fields["clause"]).split(" & ")
            k = fields.get("k")
            clauses = tuple(_literals(part) for part in parts if _CLAUSE.fullmatch(part))
            highest = max((variable for clause in clauses for variable, _ in clause), default=0)
            if len(clauses) == len(parts) and isinstance(k, int) and highest < k:
                return Problem(k, clauses)
            raise unverifiable(prompt, f"the problem in it cannot be read: {text!r:.80}")
    raise unverifiable(prompt, "it holds no JSON object with 'k' and 'clause'")


def satisfies(problem: Problem, bits: str) -> bool:
    """Tell whether bits, one for each variable, make every clause true.

    >>> example = Problem(2, (((0, "1"), (1, "1")), ((0, "0"),)))  # AB & !A
    >>> satisfies(example, "01"), satisfies(example, "11"), satisfies(example, "1")
    (True, False, False)
    """
    return len(bits) == problem.k and all(
        any(bits[variable] == bit for variable, bit in clause) for clause in problem.clauses
    )


def restored(answer: int | str, k: int) -> str:
    """Return a solution that was stored as an integer with the zeros that it lost.

    >>> restored(1111, 5)
    '01111'
    """
    return str(answer).zfill(k)


def final_bits(text: str) -> str | None:
    """Return the bits in the last box; None if it holds anything else."""
    bits = _SPARE.sub("", last_boxed(text) or "")
    return bits if re.fullmatch("[01]+", bits) else None


def load() -> Verifier:
    """Return the verifier of satisfiability."""
    return Verifier("sat", _correct, final_bits, in_box)


def _correct(text: str, prompt: Prompt) -> bool:
    return satisfies(problem_of(prompt), final_bits(text) or "")


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _literals(clause: str) -> tuple[tuple[int, str], ...]:
    return tuple(
        (ord(letter) - ord("A"), "0" if negated else "1")
        for negated, letter in _LITERAL.findall(clause)
    )
