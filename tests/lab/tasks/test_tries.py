from random import Random

import pytest

from wellworn.lab.tasks.joining import ways
from wellworn.lab.tasks.tries import TASK, TRIES, Problem, canonical, final

PROBLEM = Problem("4 7 2 9 -> 12 in 3", "", (4, 7, 2, 9), 12, 3)
HIT, MISS = "9-7=2;4+2=6;6*2=12", "7+9=16;16/4=4;4*2=8"
WRONG = "7+9=16;16/4=4;4*2=12"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"1 {HIT} ok\n2 {MISS} no\n3 {MISS} no", "the first reaches it"),
        (f"1 {MISS} no\n2 {MISS} no\n3 {HIT} ok\n", "the last reaches it"),
        (f"1 {HIT} ok\n2 {HIT} ok\n3 {HIT} ok", "all reach it, on one way"),
        (f"1 {WRONG} ok\n2 {HIT} ok\n3 1+1=3 no", "what is wrong does not count"),
        (f"1 {HIT} no\n2 {HIT} ok\n3 {MISS} ok", "nor does a wrong word"),
    ],
)
def test_one_right_line_is_enough(text, why):
    assert TASK.verify(PROBLEM, text), why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"1 {MISS} no\n2 {MISS} no\n3 {MISS} no", "none reaches it"),
        (f"1 {MISS} ok\n2 {WRONG} ok\n3 {MISS} no", "those that say so do not"),
        (f"1 {HIT} no\n2 {MISS} no\n3 {MISS} no", "the one that does says no"),
        (f"1 {MISS} no\n2 {HIT} ok", "a line is missing"),
        (f"1 {MISS} no\n2 {HIT} ok\n3 {MISS} no\n4 {HIT} ok", "there is one too many"),
        (f"1 {MISS} no\n1 {HIT} ok\n3 {MISS} no", "a number comes twice"),
        (f"{MISS} no\n{HIT} ok\n{MISS} no", "there are no numbers"),
        (f"1 {MISS} no\n2 {HIT} ok\n3", "the last line is cut"),
        (f"1 {MISS} no\n\n2 {HIT} ok\n3 {MISS} no", "there is an empty line"),
        ("", "there is nothing"),
    ],
)
def test_all_else_is_wrong(text, why):
    assert not TASK.verify(PROBLEM, text), why


@pytest.mark.parametrize("level", TRIES)
def test_the_prompt_says_what_there_is_to_do(level):
    for item in TASK.generate(3, 30, level):
        numbers = " ".join(map(str, item.numbers))
        assert item.prompt == f"{numbers} -> {item.target} in {TRIES[level]}"


def test_traces_try_and_do_not_always_reach():
    rng = Random(4)
    items = TASK.generate(3, 200)
    words = [
        line.rpartition(" ")[2] for item in items for line in TASK.trace(item, rng).split("\n")
    ]
    least = (1 + 15 * 0.25) / 16  # the line that is sure, and a quarter of the others
    assert len(words) == 200 * 16
    assert least < words.count("ok") / len(words) < least + 0.1


def test_easy_items_alone_have_many_ways():
    easy, standard = (
        [ways(canonical(item)[0])[item.target] for item in TASK.generate(1, 50, level)]
        for level in ("easy", "standard")
    )
    assert min(easy) >= 80 > max(standard)
    assert min(standard) >= 30


def test_the_first_line_that_says_ok_is_the_answer():
    assert final(f"1 {MISS} no\n2 {HIT} ok\n3 {MISS} ok") == final(f"1 {HIT} ok")
    assert final(f"1 {MISS} no\n2 {HIT} ok") == final("1 4+2=6;9-7=2;2*6=12 ok")
    assert final(f"1 {MISS} no") is None
