"""Programs by example: write an expression, or a short function, that passes the tests shown.

    f(1,2)=4 f(3,0)=6 f(2,5)=9 f(7,1)=15      x+y: 3 no
                                              y+2*x: 4 6 9 15 ok
                                              return y+2*x

The tests are those of a hidden expression of two variables; any program that passes them is
right. It is run by our own evaluator (`wellworn.lab.tasks.evaluator`), never by Python. A
trace tries expressions until one passes, and hands it in as an expression or as a function.
Two items are one if their expressions agree on all x and y from 0 to 5, exchanged or not.
Three operators are hidden (some 10,000 items exist); easy items hide + - max and min alone
(2,600), short ones two operators (500), long ones four, and show more tests.
"""

import re
from random import Random
from typing import NamedTuple

from wellworn.lab.tasks.base import Item, Level, Task
from wellworn.lab.tasks.draws import between, shuffled
from wellworn.lab.tasks.evaluator import call
from wellworn.lab.tasks.expressions import Node, Tree, drawn, renamed, text, value, varied
from wellworn.lab.tasks.programs import Program, Rejected, read

PARAMETERS = ("x", "y")
GRID = range(6)
"""Where two expressions are compared."""
ARGUMENT = 9
"""The largest number of a test; the smallest is 0."""
TRIES = 2
"""The most expressions that a trace tries in vain."""
_PROGRAM = re.compile(r"^(?=def |return )", re.MULTILINE)


class Size(NamedTuple):
    """How large an item is."""

    operators: int
    tests: int
    highest: int
    """Of the numbers in the expression."""


SIZES: dict[Level, Size] = {
    "standard": Size(3, 4, 5),
    "easy": Size(3, 4, 5),
    "short": Size(2, 4, 9),
    "long": Size(4, 8, 5),
}


class Problem(Item, frozen=True):
    """Tests, and an expression that passes them."""

    tests: tuple[tuple[int, int, int], ...]
    """x, y and the result."""
    expression: Tree
    operators: int


def draw(rng: Random, level: Level) -> Problem:
    """Return an item whose expression depends on both variables."""
    size = SIZES[level]
    while True:
        tree = drawn(rng, size.operators, size.highest)
        plain = level != "easy" or not set("*/%") & set(text(tree))
        if plain and _depends(tree):
            break
    inputs = shuffled(rng, [(x, y) for x in range(ARGUMENT + 1) for y in range(ARGUMENT + 1)])
    tests = tuple((x, y, value(tree, x, y)) for x, y in inputs[: size.tests])
    return _problem(tests, tree, size.operators)


def canonical(problem: Problem) -> tuple[int, ...]:
    """Return the results on the grid; of both orders of the variables, the least."""
    tree = problem.expression
    return min(
        tuple(value(tree, x, y) for x in GRID for y in GRID),
        tuple(value(tree, x, y) for y in GRID for x in GRID),
    )


def paraphrase(problem: Problem, rng: Random) -> Problem:
    """Return the item with its variables exchanged and its tests in another order."""
    tests = tuple((y, x, result) for x, y, result in problem.tests)
    return _problem(shuffled(rng, tests), renamed(problem.expression), problem.operators)


def trace(problem: Problem, rng: Random) -> str:
    """Return expressions that fail, one that passes, and that as a program."""
    lines = []
    for _ in range(between(rng, 0, TRIES)):
        tree = drawn(rng, problem.operators, SIZES["standard"].highest)
        said, passed = _tried(problem, tree)
        lines += [] if passed else [said]
    right = varied(problem.expression, rng)
    return "\n".join([*lines, _tried(problem, right)[0], _program(rng, right)])


def verify(problem: Problem, text: str) -> bool:
    """Return whether the last program of a text passes every test."""
    try:
        program = _last_program(text)
        return all(call(program, (x, y)) == result for x, y, result in problem.tests)
    except Rejected:
        return False


def final(text: str) -> str | None:
    r"""Return the last program, as Python writes it; None if there is none that we run.

    >>> final("x: 3 no\nreturn (x) + 1")
    'x, y: return x + 1'
    """
    try:
        return str(_last_program(text))
    except Rejected:
        return None


def _last_program(text: str) -> Program:
    return read(_PROGRAM.split(text)[-1] if _PROGRAM.search(text) else "", PARAMETERS)


def _problem(tests: tuple[tuple[int, int, int], ...], tree: Tree, operators: int) -> Problem:
    prompt = " ".join(f"f({x},{y})={result}" for x, y, result in tests)
    return Problem(prompt, f"return {text(tree)}", tests, tree, operators)


def _depends(tree: Tree) -> bool:
    """Tell whether both variables make a difference on the grid."""
    rows = {tuple(value(tree, x, y) for y in GRID) for x in GRID}
    columns = {tuple(value(tree, x, y) for x in GRID) for y in GRID}
    return len(rows) > 1 and len(columns) > 1


def _tried(problem: Problem, tree: Tree) -> tuple[str, bool]:
    """Return what an expression gives, up to the first wrong result, and whether it passes."""
    said: list[str] = []
    for x, y, expected in problem.tests:
        said.append(str(found := value(tree, x, y)))
        if found != expected:
            return f"{text(tree)}: {' '.join(said)} no", False
    return f"{text(tree)}: {' '.join(said)} ok", True


def _program(rng: Random, tree: Tree) -> str:
    """Return an expression to hand in; sometimes as a function that first names a part of it."""
    if isinstance(tree, Node) and isinstance(tree.left, Node) and rng.random() < 0.3:
        rest = Node(tree.sign, "a", tree.right)
        return f"def f(x,y):\n a={text(tree.left)}\n return {text(rest)}"
    return f"return {text(tree)}"


TASK = Task(
    name="code",
    summary="write an expression or a function that passes the tests shown",
    instruction=(
        "Find a function of x and y with these results. Reason as you like, and end with a line "
        'of its return statement, as in "return y+2*x", or with a short function "def f(x,y):". '
        "Use whole numbers, + - * // % **, comparisons, if, for over range, while, abs, max and "
        "min, nothing else."
    ),
    kind=Problem,
    draw=draw,
    canonical=canonical,
    paraphrase=paraphrase,
    trace=trace,
    verify=verify,
    final=final,
)
