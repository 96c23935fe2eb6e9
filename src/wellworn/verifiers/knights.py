"""Knights and Knaves in the form of RL-MIA: who is what, one statement a person.

Within the last answer tags every statement counts, so one that contradicts another is wrong.
Without tags, the last run of statements decides: those with nothing but numbers, marks and
"and" between them; reasoning before it may suppose anything. Nothing is told by what is only
supposed, reported, asked, denied or made to depend on something. The published reward needs the
tags, and counts the words "knight" and "knave" in them.
"""

import re

from wellworn.records import Prompt
from wellworn.verifiers.answers import in_tags, last_block
from wellworn.verifiers.base import Verifier, gold_of, unverifiable

Told = frozenset[tuple[str, str]]
"""Who is said to be what: pairs of a name and a role, in lower case."""

_EMPHASIS = re.compile(r"[*_`\"]")
_STATEMENT = re.compile(
    r"(?<![^\W\d_])([^\W\d_]+)\s*(?:\bis\s|[:=(|→\u2013\u2014-])\s*(?:an?\s+|the\s+)?(knight|knave)\b"
    r"(?!\s*+(?:/|(?:,\s*+)?(?:and|or)\s)\s*+(?:an?\s++)?(?:knight|knave))",  # both are neither
    re.IGNORECASE,
)
_WEIGHED = re.compile(
    r"\b(?:if|unless|whether|either|neither|when|suppos\w*|assum\w*|imagin\w*|consider|hypothe\w*"
    r"|case|scenario|(?<!only )possib\w*|perhaps|maybe|could|might|would|says|said|claim\w*"
    r"|let['\u2019]s say|false\w*|untrue|wrong|impossib\w*|doubt\w*"
    r"|(?:not|cannot|\w+n['\u2019]t)\s(?:\w+\s){0,3}that)\b",
    re.IGNORECASE,
)
_RESOLVED = re.compile(
    r"\b(?:so|thus|hence|therefore|consequently)\b(?!\s(?:if|that)\b)", re.IGNORECASE
)
_UNDONE = re.compile(
    r"[^.!?;\n]{0,200}\?"
    r"|[^\w.!?]{0,9}(?:if|unless|or|provided|when|would)\b"
    r"|\W{0,9}(?:(?:but|and|so|then|which|that|this|it|is|are|would|be|leads?|to|gives?|an?)\b\W{0,9}){0,8}"
    r"(?:impossible|contradict\w*|false|untrue|wrong|inconsistent|fails?|can(?:no|['\u2019])t"
    r"|(?:isn['\u2019]t|doesn['\u2019]t|not) (?:possible|true|right|correct|consistent|work))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;](?=\s|$)|\n")
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
    if any(_weighed(plain, match) for match in found):
        return frozenset()
    if found and _UNDONE.match(plain, found[-1].end()):
        return frozenset()
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
    return Verifier("knights", _correct, final_roles, in_tags)


def _correct(text: str, prompt: Prompt) -> bool:
    gold = gold_of(prompt)
    expected = told(gold)
    names = {name for name, _ in expected}
    if not expected or len(names) < len(expected):
        raise unverifiable(prompt, f"the gold answer {gold!r:.80} does not say who is a knight")
    return {pair for pair in told(text) if pair[0] in names} == expected


def _weighed(text: str, statement: re.Match[str]) -> bool:
    """Tell whether what leads to a statement, in its sentence or up to a colon, only weighs it."""
    before = text[max(0, statement.start() - 200) : statement.start()]
    bare = before.rstrip("()0123456789.#- \t\n")  # the marks of a list
    lead = _SENTENCE.split(bare if bare.endswith(":") else before)[-1]
    return _WEIGHED.search(_RESOLVED.split(lead)[-1]) is not None


def _last_run(text: str, found: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the last of the statements that follow each other directly."""
    start = len(found) - 1
    while start > 0 and _BETWEEN.fullmatch(text, found[start - 1].end(), found[start].start()):
        start -= 1
    return found[max(start, 0) :]
