"""The programs of `wellworn.lab.tasks.programs`, run by walking their trees.

No `exec`, no `eval`, no object of Python within reach. Steps and the size of numbers are
limited; a program that goes past a limit is wrong, like one that fails. Values are those of
Python where there is one.
"""

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

from wellworn.lab.tasks.programs import Program, Rejected

STEPS = 2_000
"""The most nodes that one call may visit."""
BITS = 64
"""The most bits of a number."""


def call(program: Program, arguments: Sequence[int]) -> int:
    """Return what a program makes of some numbers.

    Raises:
        Rejected: It returns nothing, fails, or goes past a limit.

    >>> from wellworn.lab.tasks.programs import read
    >>> call(read("return x if x > y else y", "xy"), (3, 5))
    5
    """
    run = _Run(dict(zip(program.parameters, arguments, strict=True)))
    try:
        result = run.block(program.body)
    except (ArithmeticError, KeyError, TypeError, ValueError) as error:
        raise Rejected(f"it fails: {error!r}") from error
    if result is None:
        raise Rejected("it returns nothing")
    return result


class _Run:
    """One call: its variables, and how many nodes it may still visit."""

    def __init__(self, variables: dict[str, int]) -> None:
        self.variables = variables
        self.left = STEPS

    def value(self, node: ast.expr) -> int:
        self._visit()
        value = _VALUES[type(node)](self, node)
        if value.bit_length() > BITS:
            raise Rejected(f"a number has more than {BITS} bits")
        return value

    def block(self, body: Sequence[ast.stmt]) -> int | None:
        """Return what is returned, None if the end is reached."""
        for statement in body:
            self._visit()
            if (result := _STATEMENTS[type(statement)](self, statement)) is not None:
                return result
        return None

    def _visit(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Rejected(f"it takes more than {STEPS} steps")


def _power(base: int, power: int) -> int:
    if power < 0 or (abs(base) > 1 and power * (base.bit_length() - 1) > BITS):
        raise Rejected("a power is no whole number, or too large")
    return int(base**power)


def _binary(run: _Run, node: ast.BinOp) -> int:
    return _BINARY[type(node.op)](run.value(node.left), run.value(node.right))


def _compare(run: _Run, node: ast.Compare) -> bool:
    left = run.value(node.left)
    for sign, other in zip(node.ops, node.comparators, strict=True):
        right = run.value(other)
        if not _COMPARED[type(sign)](left, right):
            return False
        left = right
    return True


def _either(run: _Run, node: ast.BoolOp) -> int:
    """Return the first part that decides, or the last, as Python does."""
    *parts, last = node.values
    for part in parts:
        value = run.value(part)
        if bool(value) == isinstance(node.op, ast.Or):
            return value
    return run.value(last)


def _add_to(run: _Run, node: ast.AugAssign) -> None:
    assert isinstance(node.target, ast.Name)
    sum_ = ast.BinOp(ast.Name(node.target.id), node.op, node.value)
    run.variables[node.target.id] = run.value(sum_)


def _assign(run: _Run, node: ast.Assign) -> None:
    [target] = node.targets
    assert isinstance(target, ast.Name)
    run.variables[target.id] = run.value(node.value)


def _if(run: _Run, node: ast.If) -> int | None:
    return run.block(node.body if run.value(node.test) else node.orelse)


def _while(run: _Run, node: ast.While) -> int | None:
    while run.value(node.test):
        if (result := run.block(node.body)) is not None:
            return result
    return None


def _for(run: _Run, node: Any) -> int | None:
    for number in range(*map(run.value, node.iter.args)):
        run.variables[node.target.id] = number
        if (result := run.block(node.body)) is not None:
            return result
    return None


_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_UNARY: dict[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_COMPARED: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"abs": abs, "max": max, "min": min}
_VALUES: dict[type[ast.expr], Callable[[_Run, Any], int]] = {
    ast.Constant: lambda run, node: node.value,
    ast.Name: lambda run, node: run.variables[node.id],
    ast.BinOp: _binary,
    ast.UnaryOp: lambda run, node: _UNARY[type(node.op)](run.value(node.operand)),
    ast.BoolOp: _either,
    ast.Compare: _compare,
    ast.IfExp: lambda run, node: run.value(node.body if run.value(node.test) else node.orelse),
    ast.Call: lambda run, node: _FUNCTIONS[node.func.id](*map(run.value, node.args)),
}
_STATEMENTS: dict[type[ast.stmt], Callable[[_Run, Any], int | None]] = {
    ast.Assign: _assign,
    ast.AugAssign: _add_to,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.Return: lambda run, node: run.value(node.value),
}
