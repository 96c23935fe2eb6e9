r"""Boxed answers, compared by the package math-verify.

Plain numbers are compared here, exactly: 025 is 25, and 336^\circ is 336, in a gold answer
too. All else goes to math-verify, which reads it as LaTeX, in a process of its own. It looks
at the end of an equation alone, and takes a pair for a set; so, before, 12 = 5 is not 5 here,
and (1,2) is not \{1,2\}.
"""

import re
from importlib.util import find_spec

from wellworn.errors import BadInput
from wellworn.records import Prompt
from wellworn.verifiers.answers import in_box, last_boxed
from wellworn.verifiers.base import Verifier, gold_of, unverifiable
from wellworn.verifiers.comparer import COMPARER
from wellworn.verifiers.number import as_number

_DEGREES = re.compile(r"(?:\^\{?\\circ\}?|°|\\degree)$")
_RELATION = re.compile(r"=|\\(?:approx|equiv|to|(?:R|r|Longr)ightarrow|implies|iff)(?![a-zA-Z])")
_VALUE = re.compile(r"(?:[^a-zA-Z\\]|\\(?:frac|sqrt|times|cdot|div|pm|pi)(?![a-zA-Z]))+")
_SET = re.compile(r"\\(?:\{|lbrace).*|\{[^{}]*,[^{}]*\}", re.DOTALL)
_SPACE = re.compile(r"(\\[a-zA-Z]+)\s+(?=[a-zA-Z])|\s+")


def load() -> Verifier:
    """Return the verifier of mathematical answers.

    Raises:
        BadInput: math-verify is not installed.
    """
    if find_spec("math_verify") is None:
        raise BadInput(
            "the verifier 'math' compares answers with the package 'math-verify'; it is not "
            "installed.\nInstall it with `pip install '.[math]'`."
        )
    return Verifier("math", _correct, final_expression, in_box)


def final_expression(text: str) -> str | None:
    r"""Return what the last box holds, in a plainer form; None if that is nothing.

    >>> final_expression(r"So \boxed{025}."), final_expression(r"\boxed{ \dfrac{1}{2} }")
    ('25', '\\frac{1}{2}')
    """
    return _plainer(last_boxed(text) or "")


def _plainer(expression: str) -> str | None:
    plain = re.sub(r"\\[dt]frac", r"\\frac", expression)
    plain = re.sub(r"\\(?:left|right)(?![a-zA-Z])|\\[!,;]|\$", "", plain)
    plain = _SPACE.sub(lambda space: f"{space[1]} " if space[1] else "", plain).rstrip(".")
    plain = _DEGREES.sub("", plain)
    return as_number(plain) or plain or None


def _correct(text: str, prompt: Prompt) -> bool:
    gold = gold_of(prompt)
    boxed = last_boxed(gold)
    expected, said = _plainer(gold if boxed is None else boxed), final_expression(text)
    if expected is None:
        raise unverifiable(prompt, "the gold answer is empty")
    if said is None or said == expected:
        return said == expected
    if as_number(said) and as_number(expected):
        return False
    return _same_kind(expected, said) and all(
        COMPARER.agree(expected, part) for part in _claims(said, expected)
    )


def _claims(said: str, expected: str) -> list[str]:
    """Return the whole, and each side of an equation that is a value: x in x = 5 is none."""
    sides = [] if _RELATION.search(expected) else _RELATION.split(said)[:-1]
    return [said, *(side for side in sides if _VALUE.fullmatch(side))]


def _same_kind(*expressions: str) -> bool:
    """Tell that not one is a set in braces and the other a pair, point or interval."""
    braced = any(_SET.fullmatch(each) for each in expressions)
    return not (braced and any(each.startswith(("(", "[")) for each in expressions))
