"""Python code as a sequence of the nodes of its syntax tree.

Two programs can do the same in other words: another comment, another name, another layout.
Compared node by node they are near each other, and a program that goes another way is not.
The code of a completion is its last fenced block, or all of it where there is none. It is
parsed and never executed.

A node is its type with what it holds itself: an operator, a constant, an attribute, the name
of a built-in or of a module. Names that the code binds (variables, arguments, functions,
classes) are one and the same placeholder, since a renaming is no other program; so two
variables that are swapped are not seen.
"""

import ast
import re
import threading
import warnings
from collections.abc import Hashable, Iterator
from textwrap import dedent

_FENCED = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```|\Z)", re.MULTILINE | re.DOTALL)
_PARSING = threading.Lock()
"""Filters of warnings belong to the process, and records are scored in threads."""


def linearised(text: str) -> tuple[Hashable, ...] | None:
    """Return the nodes of the code in a text, each before its children; None without any code.

    What does not parse is no code, nor are comments alone.

    >>> linearised("x = 3") == linearised("answer = 3  # three")
    True
    >>> linearised("x = 3, so 2x = 6") is None
    True
    """
    tree = _parsed(code_in(text))
    if tree is None or not tree.body:
        return None
    own = frozenset(_bound(tree))
    nodes: list[Hashable] = []
    waiting: list[ast.AST] = [tree]
    while waiting:  # not by recursion, which foreign code could exhaust
        node = waiting.pop()
        if not isinstance(node, ast.expr_context):
            nodes.append(_symbol(node, own))
            waiting += reversed(list(ast.iter_child_nodes(node)))
    return tuple(nodes)


def code_in(text: str) -> str:
    r"""Return the last fenced block of a text, to its end if it is not closed; else the text.

    >>> code_in("So:\n```python\nx = 3\n```\nDone.")
    'x = 3\n'
    """
    blocks = _FENCED.findall(text)
    return dedent(blocks[-1]) if blocks else text


def _parsed(code: str) -> ast.Module | None:
    """Parse foreign code, which may be nested too deeply, or hold what is no text."""
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield the names that the code gives to something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def _symbol(node: ast.AST, own: frozenset[str]) -> Hashable:
    held = [
        value for _, value in ast.iter_fields(node) if not isinstance(value, ast.AST | list | None)
    ]
    if not isinstance(node, ast.Constant):
        held = ["" if value in own else value for value in held]
    return (type(node).__name__, *((type(value).__name__, value) for value in held))
