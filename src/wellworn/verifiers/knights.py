"""Knights and Knaves in the form of RL-MIA: who is what, one statement a person.

Within the last answer tags every statement counts, so one that contradicts another is wrong.
Without tags, the last run of statements decides: those with nothing but numbers, marks and
"and" between them; reasoning before it may suppose anything. The published reward needs the
tags, and counts the words "knight" and "knave" in them.
"""

import re

from wellworn.records import Prompt
from wellworn.verifiers.answers import last_block
from wellworn.verifiers.base import Verifier, gold_of, unverifiable

Told = frozenset[tuple[str, str]]
"""Who is said to be what: pairs of a name and a role, in lower case."""

_EMPHASIS = re.compile(r"[*_`\"]")
_STATEMENT = re.compile(
    r"(?<![^\W\d_])([^\W\d_]+)\s*(?:\bis\s|[:=(|→\u2013\u2014-])\s*(?:an?\s+|the\s+)?(knight|knave)\b"
    r"(?!\s*(?:/|,?\s*(?:and|or)\s)\s*(?:an?\s+)?(?:knight|knave))",  # both are neither
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:[\W\d]|\band\b)*+", re.IGNORECASE)


def told(text: str) -> Told:
    r"""Return who is said to be what in the answer of a completion.

    >>> sorted(told("If Ann is a knight, so is Bo. Thus (1) Ann is a knave\n(2) **Bo**: knight."))
    [('ann', 'knave'), ('bo', 'knight')]
    """
    block = last_block(text)
    plain = _EMPHASIS.sub("", text if block is None else block)
    found = list(_STATEMENT.finditer(plain))
    if block is None:
        found = _last_run(plain, found)
    return frozenset((match[1].casefold(), match[2].casefold()) for match in found)


def final_roles(text: str) -> str | None:
    """Return who is what, by name; None if nobody is anything, or somebody is both.

    >>> final_roles("<answer>(1) Bo is a knight (2) Ann is a knave</answer>")
    'ann knave, bo knight'
    """
    said = told(text)
    if not said or len({name for name, _ in said}) < len(said):
        return None
    return ", ".join(f"{name} {role}" for name, role in sorted(said))


def load() -> Verifier:
    """Return the verifier of Knights and Knaves."""
    return Verifier("knights", _correct, final_roles)


def _correct(text: str, prompt: Prompt) -> bool:
    gold = gold_of(prompt)
    expected = told(gold)
    names = {name for name, _ in expected}
    if not expected or len(names) < len(expected):
        raise unverifiable(prompt, f"the gold answer {gold!r:.80} does not say who is a knight")
    return {pair for pair in told(text) if pair[0] in names} == expected


def _last_run(text: str, found: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the last of the statements that follow each other directly."""
    start = len(found) - 1
    while start > 0 and _BETWEEN.fullmatch(text, found[start - 1].end(), found[start].start()):
        start -= 1
    return found[max(start, 0) :]
