r"""The final number of a completion, as GSM8K asks for it.

It is the number after the last "####"; without one, the only number in the last box; without
a box, the last number of the text. Numbers are compared as numbers, of any length: 018.00 is
18, and $1,800. is 1800. The published reward (RL-MIA's code) takes the first "####" and
compares the characters, so that 18.00 and 18. are wrong there.
"""

import re

from wellworn.records import Prompt
from wellworn.verifiers.answers import last_boxed
from wellworn.verifiers.base import Verifier, gold_of, unverifiable

_DIGITS = r"(?:(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
_NUMBER = rf"(?:(?<![\w)\]}}$])[-\u2212])?(?:\\?[$€£][-\u2212]?)?{_DIGITS}"
_ANYWHERE = re.compile(_NUMBER)
_MARKED = re.compile(rf"####\W{{0,20}}?({_NUMBER})")
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
    """Return the final number of a completion, in its canonical form."""
    if marked := _MARKED.findall(text):
        return _canonical(marked[-1])
    boxed = last_boxed(text)
    if boxed is None:
        return next(reversed(numbers(text)), None)
    found = numbers(boxed.rpartition("=")[2])
    return found[0] if len(found) == 1 else None


def load() -> Verifier:
    """Return the verifier of final numbers."""
    return Verifier("number", _correct, final_number)


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
