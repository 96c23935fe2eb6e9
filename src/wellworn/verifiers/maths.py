r"""Boxed answers, compared by the package math-verify.

Plain numbers are compared here, exactly: 025 is 25, and 336^\circ is 336, in a gold answer
too. All else goes to math-verify, which reads it as LaTeX, in a process of its own.
"""

import re
from importlib.util import find_spec

from wellworn.errors import BadInput
from wellworn.records import Prompt
from wellworn.verifiers.answers import last_boxed
from wellworn.verifiers.base import Verifier, gold_of, unverifiable
from wellworn.verifiers.comparer import COMPARER
from wellworn.verifiers.number import as_number

_DEGREES = re.compile(r"(?:\^\{?\\circ\}?|°|\\degree)$")
_SPACE = re.compile(r"(\\[a-zA-Z]+)\s+(?=[a-zA-Z])|\s+")


def load() -> Verifier:
    """Return the verifier of mathematical answers.

    Raises:
        BadInput: math-verify is not installed.
    """
    if find_spec("math_verify") is None:
        raise BadInput(
            "the verifier 'math' compares answers with the package 'math-verify'; it is not "
            "installed.\nInstall it with `pip install 'wellworn[math]'`."
        )
    return Verifier("math", _correct, final_expression)


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
    return COMPARER.agree(expected, said)
