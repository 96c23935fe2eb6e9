r"""The final number of a completion, as GSM8K asks for it.

It is the number after the last "####"; without one, the only number in the last answer tags,
or in the last box; without these, the last number of the text. A number that is only a part of
something is none: of 1/2, 2^10, 18e3, 3:30, 10 - 5, 1,00 or x_2. Numbers are compared as
numbers, of any length: 018.00 is 18, and $1,800. is 1800. The published reward (RL-MIA's
code) takes the first "####" and compares the characters, so that 18.00 and 18. are wrong there.
"""

import re

from wellworn.records import Prompt
from wellworn.verifiers.answers import in_box, in_tags, last_block, last_boxed
from wellworn.verifiers.base import Verifier, gold_of, unverifiable

_DIGITS = r"(?:(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
_NUMBER = rf"(?:(?<![\w)\]}}$])[-\u2212])?(?:\\?[$€£][-\u2212]?)?{_DIGITS}"
_ANYWHERE = re.compile(_NUMBER)
_LINK = (  # what makes two numbers one term; around signs as many blanks before as after
    r"(?:[ \t]{0,3}(?:[/\u00f7\u2044^]|\\(?:times|cdot|div|pm)(?![a-zA-Z]))[ \t]{0,3}"
    r"|(?P<blank>[ \t]{0,3})(?:\*{1,2}|[-+\u00d7\u00b7:\u2212\u2013])(?P=blank)"
    r"|[ \u00a0\u2009\u202f](?=[0-9]{3}(?!\w))|[.,]|[^\W\d]++)[({]{0,3}"
)
_TERM = rf"(?:{_NUMBER}(?:{_LINK}{_NUMBER})*+)"
_TERMS = re.compile(_TERM)
_MARKED = re.compile(rf"####\W{{0,20}}?(?P<term>{_TERM})")
_BEFORE = re.compile(  # a term is an index, a power, an argument, a part of a fraction or a name
    r"(?:[^\W\d]|[\^_][{(]?|/[({]?|\}\s?\{|\\(?:[dt]?frac|sqrt|binom|log|ln)\s?[{(]?)[-\u2212]?$"
)
_AFTER = re.compile(
    r"[})]?\s?(?:\^(?!\{?\\circ)|/[({\\]|\{|\\(?:pi|sqrt|[dt]?frac)(?![a-z]))|[_\d]"
    r"|[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2150-\u215e]"  # 2², 1½
)
_TIGHT = re.compile(r"\{,\}|\\[,!]")  # what LaTeX puts between thousands


def numbers(text: str) -> list[str]:
    r"""Return every number of a text, in its canonical form.

    >>> numbers(r"10-4 = 6.0, -\$1,000 or 1{,}000.")
    ['10', '4', '6', '-1000', '1000']
    """
    return [_canonical(found) for found in _ANYWHERE.findall(_TIGHT.sub("", text))]


def as_number(text: str) -> str | None:
    """Return the canonical form of a text that is one number and nothing else.

    >>> as_number("$025"), as_number("25 to 30")
    ('25', None)
    """
    plain = _TIGHT.sub("", text).strip()
    return _canonical(plain) if _ANYWHERE.fullmatch(plain) else None


def final_number(text: str) -> str | None:
    """Return the final number of a completion, in its canonical form.

    >>> final_number("3 + 4 = 7"), final_number("The answer is 1/2")
    ('7', None)
    """
    text = _TIGHT.sub("", text)
    if marked := list(_MARKED.finditer(text)):
        return _whole(text, *marked[-1].span("term"))
    said = _asked(text)
    terms = list(_TERMS.finditer(text if said is None else said))
    if said is None:
        return _whole(text, *terms[-1].span()) if terms else None
    found = [_whole(said, *term.span()) for term in terms if said.rfind("=") < term.start()]
    sides = {as_number(side) for side in said.split("=")} - {None}  # 12 = 5 is no answer
    return found[0] if len(found) == 1 and sides <= set(found) else None


def load() -> Verifier:
    """Return the verifier of final numbers."""
    return Verifier("number", _correct, final_number, _explicit)


def _asked(text: str) -> str | None:
    block = last_block(text)
    boxed = last_boxed(text if block is None else block)
    return block if boxed is None else boxed


def _whole(text: str, start: int, end: int) -> str | None:
    """Return the number that a term is; None if it is none, or a part of something else."""
    bound = _BEFORE.search(text, max(0, start - 10), start) or _AFTER.match(text, end)
    return None if bound else as_number(text[start:end])


def _explicit(text: str) -> bool:
    return bool(_MARKED.search(text)) or in_tags(text) or in_box(text)


def _correct(text: str, prompt: Prompt) -> bool:
    expected = final_number(gold_of(prompt))
    if expected is None:
        raise unverifiable(prompt, f"the gold answer {prompt.answer!r:.80} holds no number")
    return final_number(text) == expected


def _canonical(number: str) -> str:
    """Return a number without commas, signs of currency and zeros that say nothing."""
    whole, _, part = re.sub(r"[^0-9.]", "", number).partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    value = f"{whole}.{part}" if part else whole
    return f"-{value}" if value != "0" and re.search(r"[-\u2212]", number) else value
