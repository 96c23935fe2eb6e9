"""Small programs out of a model's text: a closed part of Python over whole numbers.

A program is an expression after `return`, or one function. It is parsed, never compiled, and
kept only if its tree holds nothing but what `wellworn.lab.tasks.evaluator` runs: numbers,
names, arithmetic without true division, comparisons, and/or/not, if, for over range, while,
and the functions abs, max and min. There are no attributes, indices, texts, containers,
lambdas or comprehensions.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

TEXT = 400
"""The most characters of a program."""
DEPTH = 24
"""The most levels of its tree."""
FUNCTIONS = ("abs", "max", "min")
_CHARACTERS = re.compile(r"[A-Za-z0-9_ \n+\-*/%(),:=<>!]*")  # no quote, dot, bracket, backslash
_GLUED = re.compile(r"[0-9][A-Za-z_]")  # 1if, 0x1f, 1_000: Python warns of some
_RESERVED = {*FUNCTIONS, "range"}


class Rejected(Exception):
    """A text is no program that we run, or it went past a limit."""


class Program(NamedTuple):
    """A program that holds nothing but what we run."""

    parameters: tuple[str, ...]
    body: tuple[ast.stmt, ...]

    def __str__(self) -> str:
        return f"{', '.join(self.parameters)}: {'; '.join(map(ast.unparse, self.body))}"


def read(text: str, parameters: Sequence[str]) -> Program:
    """Return the program that a text holds.

    Args:
        text: Of a model; anything.
        parameters: The names that an expression may use; a function has as many of its own.

    Raises:
        Rejected: It is too long, too deep, or holds anything that we do not run.

    >>> str(read("return max(x,2)*y", "xy"))
    'x, y: return max(x, 2) * y'
    """
    if len(text) > TEXT or not _CHARACTERS.fullmatch(text) or _GLUED.search(text):
        raise Rejected("it is too long, or has characters that no program of ours has")
    text = text.strip()
    if not text.startswith("def "):
        text = f"def f({', '.join(parameters)}): {text}"
    try:
        [function] = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Rejected("it is no single statement of Python") from error
    if not isinstance(function, ast.FunctionDef) or function.returns:
        raise Rejected("it is no plain function")
    for node in _nodes(function.body):
        if type(node) not in _ALLOWED or not _RULES.get(type(node), _anything)(node):
            raise Rejected(f"it holds {type(node).__name__} in a form that we do not run")
    return Program(_parameters(function, len(parameters)), tuple(function.body))


def _parameters(function: ast.FunctionDef, count: int) -> tuple[str, ...]:
    """Return the names of the parameters, which have no defaults, stars or annotations."""
    names = [argument.arg for argument in function.args.args]
    plain = ", ".join(names) if len(names) < DEPTH else ""
    if len(set(names)) != count or plain != ast.unparse(function.args):
        raise Rejected(f"its parameters are not {count} plain names")
    if _RESERVED & {function.name, *names}:
        raise Rejected(f"it gives another meaning to one of {', '.join(sorted(_RESERVED))}")
    return tuple(names)


def _nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield every node of a body, without going deeper than we run."""
    level: Sequence[ast.AST] = body
    for _ in range(DEPTH):
        yield from level
        level = [child for node in level for child in _children(node)]
    if level:
        raise Rejected(f"it is nested more than {DEPTH} levels deep")


def _children(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node; of calls and loops without the name that is called."""
    if isinstance(node, ast.Call):
        return [*node.args, *node.keywords]
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
        return [node.target, *_children(node.iter), *node.body]
    return list(ast.iter_child_nodes(node))


def _variable(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id not in _RESERVED


def _calls(node: ast.AST, names: Sequence[str]) -> bool:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return named and node.func.id in names  # type: ignore[attr-defined]


def _anything(node: ast.AST) -> bool:
    return True


_ALLOWED = {
    *(ast.Constant, ast.Name, ast.Load, ast.Store, ast.Call, ast.IfExp),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow),
    *(ast.UnaryOp, ast.USub, ast.UAdd, ast.Not, ast.BoolOp, ast.And, ast.Or),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    *(ast.Assign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Return),
}
_RULES: dict[type[ast.AST], Callable[[Any], bool]] = {
    ast.Constant: lambda node: type(node.value) in (int, bool),
    ast.Name: _variable,
    ast.Call: lambda node: _calls(node, FUNCTIONS),
    ast.Assign: lambda node: len(node.targets) == 1 and _variable(node.targets[0]),
    ast.AugAssign: lambda node: _variable(node.target),
    ast.While: lambda node: not node.orelse,
    ast.For: lambda node: (
        _variable(node.target) and _calls(node.iter, ["range"]) and not node.orelse
    ),
    ast.Return: lambda node: node.value is not None,
}
"""What a node has to be, where its type alone does not say enough."""
