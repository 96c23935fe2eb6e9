import re
from random import Random

import pytest

from wellworn.lab.tasks.code import TASK, Problem, canonical
from wellworn.lab.tasks.expressions import Node, drawn, text, value, varied

TESTS = ((1, 2, 4), (3, 0, 6), (2, 5, 9), (7, 1, 15))
PROBLEM = Problem("", "", TESTS, Node("+", Node("*", 2, "x"), "y"), 2)


@pytest.mark.parametrize(
    "said",
    [
        "return 2*x+y",
        "x: 1 no\nreturn x+(x+y)",
        "return x\nreturn y+x*2",
        "def f(x,y):\n a=2*x\n return a+y",
        "def f(a,b):\n for i in range(a): b += 2\n return b",
        "return y+2*x\n\n",
    ],
)
def test_any_program_that_passes_is_right(said):
    assert TASK.verify(PROBLEM, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "2*x+y",
        "return 2*x+y+1",
        "return 2*x+y\nreturn x",
        "return 2*x+y\nthat is it",
        "def f(x,y):\n return 2*x+y\nreturn x",
        "return 2*x+z",
        " return 2*x+y",
        "return (2*x+y",
        "return 2*x+y.real",
    ],
)
def test_all_else_is_wrong(said):
    assert not TASK.verify(PROBLEM, said)


def test_expressions_are_written_and_varied_as_python_reads_them():
    rng = Random(5)
    for _ in range(500):
        tree = drawn(rng, 4, 5)
        for same in (tree, varied(tree, rng)):
            for x, y in ((0, 3), (7, 2), (9, 9)):
                assert value(tree, x, y) == value(same, x, y) == eval(text(same))


def test_the_prompt_shows_what_the_hidden_expression_gives():
    for item in TASK.generate(3, 40):
        shown = re.findall(r"f\((\d),(\d)\)=(-?\d+)", item.prompt)
        assert len(set(shown)) == 4
        expression = item.answer.removeprefix("return ")
        assert [str(eval(expression, {"x": int(x), "y": int(y)})) for x, y, _ in shown] == [
            result for _, _, result in shown
        ]


def test_exchanged_variables_are_the_same_item():
    def form(tree):
        return canonical(Problem("", "", (), tree, 2))

    assert form(Node("-", "x", "y")) == form(Node("-", "y", "x"))
    assert form(Node("+", "x", "x")) == form(Node("*", 2, "y"))
    assert form(Node("-", "x", "y")) != form(Node("+", "x", "y"))
