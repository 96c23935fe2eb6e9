"""Arithmetic expressions of two variables: drawn, computed, written in many equal ways."""

import operator
from collections.abc import Callable
from random import Random
from typing import Union

import msgspec

from wellworn.lab.tasks.draws import between, pick, shuffled

_MEANING: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "max": max,
    "min": min,
    "//": operator.floordiv,
    "%": operator.mod,
}
SUMS = ("+", "-")
DIVIDING = ("//", "%")
PRODUCTS = ("*", *DIVIDING)
_WORDING = {
    "max": "max({0},{1})",
    "min": "min({0},{1})",
    "max if": "({0} if {0}>{1} else {1})",
    "min if": "({0} if {0}<{1} else {1})",
}


class Node(msgspec.Struct, frozen=True):
    """Two expressions joined."""

    sign: str
    left: "Tree"
    right: "Tree"


Tree = Union[int, str, Node]  # noqa: UP007
"""A number, the variable x or y, or two expressions joined."""


def drawn(rng: Random, operators: int, highest: int) -> Tree:
    """Return an expression with so many operators and numbers from 1 to `highest`.

    It divides by numbers alone, from 2, and joins no number with a number and nothing with
    itself.
    """
    if operators == 0:
        return pick(rng, ("x", "y")) if rng.random() < 0.7 else between(rng, 1, highest)
    sign = pick(rng, list(_MEANING))
    before = operators - 1 if sign in DIVIDING else between(rng, 0, operators - 1)
    while True:
        left, right = drawn(rng, before, highest), drawn(rng, operators - 1 - before, highest)
        if sign in DIVIDING:
            right = between(rng, 2, highest)
        if left != right and not (isinstance(left, int) and isinstance(right, int)):
            return Node(sign, left, right)


def value(tree: Tree, x: int, y: int) -> int:
    """Return what an expression comes to.

    >>> value(Node("max", Node("*", 2, "x"), "y"), 3, 5)
    6
    """
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return x if tree == "x" else y
    left, right = value(tree.left, x, y), value(tree.right, x, y)
    return _MEANING[tree.sign.removesuffix(" if")](left, right)


def text(tree: Tree) -> str:
    """Return an expression as Python, with the brackets that it needs.

    >>> text(Node("-", "x", Node("-", "y", Node("*", 2, "x"))))
    'x-(y-2*x)'
    """
    if not isinstance(tree, Node):
        return str(tree)
    if tree.sign in _WORDING:
        return _WORDING[tree.sign].format(text(tree.left), text(tree.right))
    return f"{_part(tree, tree.left)}{tree.sign}{_part(tree, tree.right)}"


def renamed(tree: Tree) -> Tree:
    """Return an expression with x and y exchanged."""
    if isinstance(tree, Node):
        return Node(tree.sign, renamed(tree.left), renamed(tree.right))
    return {"x": "y", "y": "x"}.get(tree, tree) if isinstance(tree, str) else tree


def varied(tree: Tree, rng: Random) -> Tree:
    """Return an expression of equal value, drawn from those that the rules of algebra give."""
    if not isinstance(tree, Node):
        return tree
    left, right = varied(tree.left, rng), varied(tree.right, rng)
    if tree.sign == "-" or tree.sign in DIVIDING:
        return Node(tree.sign, left, right)
    left, right = shuffled(rng, (left, right))
    if tree.sign == "*":
        return _spread(rng, left, right)
    if isinstance(left, Node) and left.sign == tree.sign and rng.random() < 0.5:
        outer, right = left.left, Node(tree.sign, left.right, right)
        left = outer
    test = " if" if tree.sign in ("max", "min") and rng.random() < 0.3 else ""
    return Node(tree.sign + test, left, right)


def _spread(rng: Random, left: Tree, right: Tree) -> Tree:
    """Return a product: 2*a may be a+a, and c*(a+b) may be c*a+c*b."""
    if left == 2 and rng.random() < 0.3:
        return Node("+", right, right)
    if isinstance(left, Node) or not isinstance(right, Node) or right.sign not in SUMS:
        return Node("*", left, right)
    spread = Node(right.sign, Node("*", left, right.left), Node("*", left, right.right))
    return pick(rng, (spread, Node("*", left, right)))


def _part(whole: Node, part: Tree) -> str:
    """Return an operand, in brackets where Python would else compute another value."""
    right = part is whole.right
    inner = part.sign if isinstance(part, Node) else ""
    product = whole.sign in PRODUCTS
    bracketed = (inner in SUMS and (product or (right and whole.sign == "-"))) or (
        inner in PRODUCTS and product and right
    )
    return f"({text(part)})" if bracketed else text(part)
