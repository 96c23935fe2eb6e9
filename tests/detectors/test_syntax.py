"""Syntax trees of foreign code: what is equal, what is not, and that nothing runs."""

import threading
import warnings

import pytest

from wellworn.detectors.syntax import code_in, linearised


def names(code):
    return [symbol[0] for symbol in linearised(code)]


def test_nodes_stand_before_their_children():
    assert names("y = f(1) + 2") == [
        *("Module", "Assign", "Name", "BinOp", "Call", "Name", "Constant", "Add", "Constant")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 3", "answer=3  # three"),
        ("def f(a):\n    return a", "def g(b): return b"),
        ("for i in range(3):\n    print(i)", "for item in range(3): print(item)"),
        ("class A:\n    def m(self): return self.v", "class B:\n    def n(me): return me.v"),
        ("print('a')", 'print("a")'),
        ("(x) = (1)", "x = 1"),
    ],
)
def test_layout_comments_and_own_names_do_not_matter(one, other):
    assert linearised(one) == linearised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 3", "x = 4"),
        ("x = 1", "x = True"),
        ("x = 1", "x = 1.0"),
        ("x = 'sum'", "x = 'max'"),
        ("print(sum(x))", "print(max(x))"),
        ("a.add(1)", "a.pop(1)"),
        ("x = 1 + 2", "x = 1 - 2"),
        ("import math", "import cmath"),
        ("from math import pi", "from math import e"),
        ("f(key=1)", "f(reverse=1)"),
        ("x = 'x'", "y = 'y'"),  # a constant is no name
    ],
)
def test_what_makes_another_program_does(one, other):
    assert linearised(one) != linearised(other)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x = 1", "x = 1"),
        ("First\n```\na\n```\nthen\n```py\nb\n```\n", "b\n"),
        ("1. So:\n   ```python\n   if a:\n       b\n   ```", "if a:\n    b\n"),
        ("Cut off:\n```python\nx = 1\ny", "x = 1\ny"),
        ("An `x = 1` in a line", "An `x = 1` in a line"),
        ("```python\n```", ""),
    ],
)
def test_the_code_is_the_last_fenced_block_or_the_whole_text(text, code):
    assert code_in(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "x = 3, so 2x = 6",
        "",
        "# only a comment",
        "def f(:",
        "x\0",
        "x = '\ud800'",
        "x = " + "9" * 5000,
        "-" * 100_000 + "1",
        "1+" * 100_000 + "1",
        "(" * 1000,
        "a" + ".b" * 100_000,
        "lambda:" * 5000 + "1",
        "".join(" " * i + "if 1:\n" for i in range(150)),
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_what_does_not_parse_is_no_code(text):
    assert linearised(text) is None


def test_a_number_too_long_to_print_is_a_constant():
    assert linearised("x = 0x" + "f" * 5000) != linearised("x = 0x" + "f" * 4999 + "e")


def test_nothing_is_executed():
    assert linearised("raise SystemExit") is not None
    assert linearised("import nothing_of_this_name") is not None


def test_a_doubtful_escape_is_code_and_warns_nobody():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert linearised("x = '\\d'; y = x is 1") is not None
    assert caught == []


def test_threads_leave_the_filters_of_warnings_as_they_were():
    before = list(warnings.filters)
    threads = [
        threading.Thread(target=lambda: [linearised("x = '\\d'") for _ in range(50)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before
