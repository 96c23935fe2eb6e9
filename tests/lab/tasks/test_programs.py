"""Texts that want more than arithmetic, or more of it than we give."""

import ast
from inspect import getsource
from time import perf_counter

import pytest

from wellworn.lab.tasks import evaluator, programs
from wellworn.lab.tasks.evaluator import call
from wellworn.lab.tasks.programs import Rejected, read

OUT_OF_REACH = [
    "return x.__class__",
    "return ().__class__.__base__.__subclasses__()",
    "return __import__(x)",
    "return __builtins__",
    "return open(x)",
    "return eval(x)",
    "return exec(x)",
    "return f(x)",
    "return max",
    "return range(x)",
    "return 'a' * 9",
    "return [x]",
    "return [0][0]",
    "return {x}",
    "return (x, y)",
    "return (x for x in range(9))",
    "return [0 for a in range(99999999) for b in range(99999999)]",
    "return sum(1 for a in range(9))",
    "return (lambda: x)()",
    "return max(*x)",
    "return max(x, y, key=abs)",
    "return (a := x)",
    "return x / y",
    "return x << 99",
    "return x @ y",
    "return ~x",
    "return x is y",
    "return x in y",
    "return not_there",
    "return None",
    "return 1.5",
    "return 1j",
    "return ...",
    "return",
    "import os",
    "global x",
    "del x",
    "pass",
    "yield x",
    "return await x",
    "return x\nreturn y",
    "return x; import os",
    "return 1if x else 2",
    "return 0x1f",
    "return ١",  # noqa: RUF001
    "return \N{MATHEMATICAL ITALIC SMALL X}",
    "",
    "def f(x): return x",
    "def f(x, y, z): return x",
    "def f(x, x): return x",
    "def f(x, y=1): return x",
    "def f(x, *y): return x",
    "def f(x, y, /): return x",
    "def f(x: int, y): return x",
    "def f(x, y) -> int: return x",
    "def max(x, y): return x",
    "def f(abs, y): return y",
    "def f(x, y):\n max = 3\n return max",
    "def f(x, y):\n a = b = x\n return a",
    "def f(x, y):\n a, b = x, y\n return a",
    "def f(x, y):\n a: int = x\n return a",
    "def f(x, y):\n for a in x: return a",
    "def f(x, y):\n for a in range(3): x += a\n else: x = 0\n return x",
    "def f(x, y):\n while x > 9: x -= 1\n else: x = 0\n return x",
    "def f(x, y):\n def g(x): return x\n return x",
    "def f(x, y):\n class A: pass\n return x",
    "def f(x, y):\n try: return x\n except: return y",
    "def f(x, y):\n with x: return y",
    "def f(x, y):\n assert x\n return y",
    "def f(x, y):\n if x: return y\n return (lambda: x)",
]
WITHOUT_END = [
    "return 9**9**9",
    "return 2**65",
    "return (9**20)**(9**20)",
    "return (-9)**999999999",
    "return 2**-1",
    "return 9999999999*9999999999*9999999999",
    "return " + "9" * 30,
    "return " + "abs(" * 60 + "1" + ")" * 60,
    "return " + "-" * 300 + "1",
    "return " + "not " * 90 + "1",
    "return " + "1+" * 150 + "1",
    "return " + "x if x else " * 30 + "1",
    "return " + "x+" * 1000 + "1",
    "def f(x, y):\n while 1: x = 1",
    "def f(x, y):\n for a in range(999999999): x = 1\n return x",
    "def f(x, y):\n"
    + "".join(" " * i + f" for a{i} in range(99):\n" for i in range(9))
    + " " * 10
    + "x=1",
    "def f(x, y):\n while 1: x *= 9",
    "def f(x, y):\n for a in range(1, 9, 0): x = 1\n return x",
    "return 1 // 0",
    "return x % (y - y)",
    "return max(1)",
    "return abs(1, 2)",
    "def f(x, y):\n x = 1",
    "def f(x, y):\n if x > 99: a = 1\n return a",
]


@pytest.mark.parametrize("text", OUT_OF_REACH + WITHOUT_END)
def test_it_is_rejected_at_once(text):
    start = perf_counter()
    with pytest.raises(Rejected):
        call(read(text, "xy"), (2, 3))
    assert perf_counter() - start < 0.5


@pytest.mark.parametrize("text", OUT_OF_REACH)
def test_what_is_out_of_reach_is_not_even_run(text):
    if text not in ("return __builtins__", "return not_there"):  # plain names, of nothing
        with pytest.raises(Rejected):
            read(text, "xy")


RIGHT = [
    "return x",
    "return ((((x))))",
    "return -x + y * 3 - (x - y)",
    "return x // 2 + x % 3 + y ** 2",
    "return -7 // 2 + -7 % 3",
    "return max(x, y, 4) - min(x, y) + abs(x - 9)",
    "return x if x > y else y",
    "return 0 < x <= y != 4",
    "return x > 9 or y",
    "return x and y - 3 or 5",
    "return not x",
    "return True + True",
    "return 2 ** 60 + 1 ** 999999999 + 0 ** 5 + (-1) ** 7",
    "def f(x, y): return x * y",
    "def g(a, b):\n c = a + b\n c += 1\n c *= 2\n return c - a",
    "def f(x, y):\n if x > y:\n  return x\n elif x == y: return 0\n else:\n  return y",
    "def f(x, y):\n a = 0\n for i in range(x, y, 2):\n  a += i\n  if a > 9: return i\n return a",
    "def f(x, y):\n while x < 20:\n  x = x * 2 + 5\n  if x == 15: return y\n return x",
    "def f(x, y):\n for i in range(3): x = x + i\n return x + i",
]


@pytest.mark.parametrize("text", RIGHT)
def test_values_are_those_of_python(text):
    whole = text if text.startswith("def") else f"def f(x, y): {text}"
    names = {}
    exec(whole, names)
    [function] = [value for name, value in names.items() if name in "fg"]
    program = read(text, "xy")
    for x, y in [(0, 0), (1, 2), (5, 3), (7, 7), (-4, 9)]:
        assert call(program, (x, y)) == function(x, y)


def test_every_node_that_is_read_is_run():
    tables = (evaluator._VALUES, evaluator._STATEMENTS, evaluator._BINARY, evaluator._UNARY)
    run = {node for table in (*tables, evaluator._COMPARED) for node in table}
    assert run | {ast.Load, ast.Store, ast.And, ast.Or} == programs._ALLOWED
    assert set(evaluator._FUNCTIONS) == set(programs.FUNCTIONS)


def test_neither_module_calls_python_on_a_text():
    for module in (evaluator, programs):
        nodes = list(ast.walk(ast.parse(getsource(module))))
        calls = [node.func for node in nodes if isinstance(node, ast.Call)]
        called = {function.id for function in calls if isinstance(function, ast.Name)}
        assert called.isdisjoint({"eval", "exec", "compile", "getattr", "__import__"})
