"""Boxed answers, and the process that compares them."""

import os
import subprocess
import sys
import threading

import pytest

from wellworn.errors import BackendError
from wellworn.records import Message, Prompt
from wellworn.verifiers import comparer
from wellworn.verifiers.comparer import COMPARER, Comparer
from wellworn.verifiers.maths import final_expression, load

CORRECT = load().correct


def correct(said, gold):
    prompt = Prompt(messages=(Message("user", "?"),), answer=gold)
    return CORRECT(rf"So \boxed{{{said}}}.", prompt)


@pytest.mark.parametrize(
    ("said", "gold"),
    [
        ("25", "025"),
        ("025", "25"),
        ("25.0", "25"),
        ("336", r"336^\circ"),
        (r"336^{\circ}", "336"),
        ("336°", "336"),
        (r"1{,}000", "1000"),
        (r"\dfrac{1}{2}", "0.5"),
        (r"\frac12", r"\frac{1}{2}"),
        (r"3\sqrt{2}", r"\sqrt{18}"),
        ("1 + x", "x+1"),
        ("x = 25", "25"),
        (r"\left(1, 2\right)", "(1,2)"),
        (r"\text{A}", "A"),
        ("3 + 3 = 6", "6"),
        (r"\theta = \frac{1}{2} = 0.5", "0.5"),
        ("y = 2x + 3", "y=2x+3"),
        (r"\{2, 1\}", r"\{1,2\}"),
        ("2, 1", r"\{1,2\}"),
        ("25", r"Add them up: \boxed{25}"),
    ],
)
def test_equal_answers(said, gold):
    assert correct(said, gold)


@pytest.mark.parametrize(
    ("said", "gold"),
    [
        ("24", "25"),
        ("", "25"),
        ("250", "25"),
        ("25.000001", "25"),
        ("24, 25", "25"),
        (r"25 \text{ or } 26", "25"),
        (r"\{24, 25\}", "25"),
        (r"x \le 25", "25"),
        ("12 = 5", "5"),
        ("12 = x = 5", "5"),
        ("3 + 3 = 5", "5"),
        (r"\frac{1}{2} = 5", "5"),
        (r"12 \equiv 5", "5"),
        ("(1,2)", r"\{1,2\}"),
        ("[1,2]", r"\{1,2\}"),
        ("(1,2)", "{1,2}"),
        (r"\{1,2\}", "(1,2)"),
        (r"\left\{1,2\right\}", "(1,2)"),
        ("x", "y"),
        (r"\frac{1}{3}", "0.33"),
        ("B", "A"),
    ],
)
def test_answers_that_differ(said, gold):
    assert not correct(said, gold)


def test_an_answer_outside_a_box_is_none():
    assert not CORRECT("The answer is 25.", Prompt(text="?", answer="25"))


def test_equal_forms_are_one_solution():
    said = [r"\boxed{ \dfrac{1}{2} }", r"\boxed{\frac{1}{2}}", r"\boxed{$\tfrac{1}{2}$.}"]
    assert {final_expression(text) for text in said} == {r"\frac{1}{2}"}
    assert final_expression(r"\boxed{\cos  x}") == r"\cos x"


@pytest.mark.parametrize("said", [r"9^{9^{9^{9}}}", "100000000!", "(" * 3_000 + "1"])
def test_an_answer_that_would_take_for_ever_is_wrong(monkeypatch, said):
    monkeypatch.setattr(comparer, "DEADLINE", 0.2)
    assert not correct(said, "25")
    monkeypatch.undo()
    assert correct(r"\frac12", "0.5")


def test_any_thread_may_ask():
    said = []
    threads = [
        threading.Thread(target=lambda i=i: said.append((i % 2, correct(rf"\frac{{{i}}}2", "0.5"))))
        for i in (1, 3, 1, 3, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer for _, answer in said) == [False, False, True, True, True]


def test_a_process_that_was_killed_is_started_again():
    assert COMPARER.agree("0.5", r"\frac12")
    COMPARER._process.kill()
    COMPARER._process.wait()
    assert COMPARER.agree("0.5", r"\frac12")


def test_a_library_that_cannot_be_loaded_is_no_wrong_answer(monkeypatch, tmp_path):
    (tmp_path / "math_verify.py").write_text("raise OSError('torn')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BackendError, match=r"^math-verify cannot be used: \"OSError: torn\"\.\n"):
        Comparer().agree("0.5", r"\frac12")


def test_no_process_is_left_behind():
    script = (
        "from wellworn.verifiers.comparer import COMPARER as c; "
        "print(c.agree('0.5', r'\\frac12'), c._process.pid)"
    )
    run = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    said, pid = done.stdout.split()
    assert (said, done.stderr) == ("True", "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
