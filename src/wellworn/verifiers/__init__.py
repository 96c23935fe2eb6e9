"""Verifiers: whether a completion solves its prompt, by a program and not by a model.

They measure pass rates and count distinct solutions, and the same functions can be the
reward of a training run. Completions are untrusted: nothing of them is executed, and what
cannot be read is wrong. A new verifier is a module and a line in `VERIFIERS`.
"""

from importlib import import_module

from wellworn.errors import BadInput, unknown
from wellworn.verifiers.base import Verifier

__all__ = ["VERIFIERS", "Verifier", "load_verifier"]

VERIFIERS: dict[str, tuple[str, str]] = {
    "exact": ("wellworn.verifiers.exact:load", "the answer is the gold text, but for case"),
    "knights": (
        "wellworn.verifiers.knights:load",
        "everyone is a knight or a knave as in the gold answer",
    ),
    "math": ("wellworn.verifiers.maths:load", "the boxed answer equals the gold one (math-verify)"),
    "number": ("wellworn.verifiers.number:load", "the final number equals the gold one (GSM8K)"),
    "sat": ("wellworn.verifiers.sat:load", "the boxed bits satisfy the clauses of the prompt"),
}
"""Name: where its function lies, and what it checks."""


def load_verifier(name: str) -> Verifier:
    """Return the verifier called `name`, or the one that `module:function` returns.

    Raises:
        BadInput: There is none, or a package that it needs is missing.
    """
    if name not in VERIFIERS and ":" not in name:
        raise BadInput(unknown("verifier", name, VERIFIERS))
    place = VERIFIERS[name][0] if name in VERIFIERS else name
    module, _, function = place.partition(":")
    try:
        load = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadInput(
            f"--verifier {name}: {error}.\nName a function of a module that Python finds, which "
            f"takes nothing and returns a wellworn.verifiers.Verifier."
        ) from None
    verifier = load()
    if not isinstance(verifier, Verifier):
        raise BadInput(
            f"--verifier {name}: the function returned {type(verifier).__name__}, and no "
            f"wellworn.verifiers.Verifier."
        )
    return verifier
