import pytest

from wellworn.lab.tasks.countdown import TASK, Problem, canonical, final
from wellworn.lab.tasks.joining import ways

PROBLEM = Problem("4 7 2 9 -> 12", "", (4, 7, 2, 9), 12)


@pytest.mark.parametrize(
    "text",
    [
        "9-7=2;4+2=6;6*2=12 ok",
        "9-7=2;2+4=6;2*6=12 ok\n",
        "7+9=16;16/4=4;4*2=8 no\n9-7=2;4+2=6;6*2=12 ok",
    ],
)
def test_a_right_line_is_taken(text):
    assert TASK.verify(PROBLEM, text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9-7=2;4+2=6;6*2=12", "it does not say ok"),
        ("9-7=2;4+2=6;6*2=12 no", "it says no"),
        ("9-7=2;4+2=6;6*2=13 ok", "a product is wrong"),
        ("9-7=2;4+2=6;6+2=8 ok", "it misses the target"),
        ("9-7=2;2+2=4;4*3=12 ok", "nobody gave a 3"),
        ("9-7=2;9+2=11;4/4=1 ok", "9 is used twice"),
        ("4*2=8;8+4=12 ok", "4 is used twice, and numbers are left"),
        ("9-7=2;4+2=6;6*2=12 ok ok", "it says ok twice"),
        ("7-9=-2;4+2=6;6*2=12 ok", "a result is negative"),
        ("9-7=2(4 2 2);4+2=6;6*2=12 ok", "there is more than a step"),
        ("7+9=16;16/4=4;4*2=8 ok\n9-7=2;4+2=6;6*2=12 ok", "it calls a miss ok"),
        ("7+9=17;16/4=4;4*2=8 no\n9-7=2;4+2=6;6*2=12 ok", "a step of the miss is wrong"),
        ("9-7=2;4+2=6;6*2=12 no\n9-7=2;4+2=6;6*2=12 ok", "it calls the target a miss"),
        ("9-7=2;4+2=6;6*2=12 ok\n7+9=16;16/4=4;4*2=8 no", "it goes on after ok"),
        ("12 ok", "there are no steps"),
        ("ok", "there is nothing"),
    ],
)
def test_a_wrong_line_is_refused(text, why):
    assert not TASK.verify(PROBLEM, text), why


@pytest.mark.parametrize("text", ["6*1=6;6+6=12 ok", "6/1=6;6+6=12 ok", "6+6=12;12*1=12 ok"])
def test_nothing_is_multiplied_or_divided_by_one(text):
    assert not TASK.verify(Problem("6 1 6 -> 12", "", (6, 1, 6), 12), text)


def test_easy_items_have_many_ways():
    easy = [ways(canonical(item)[0])[item.target] for item in TASK.generate(1, 50, "easy")]
    standard = [ways(canonical(item)[0])[item.target] for item in TASK.generate(1, 50)]
    assert min(easy) >= 60 > sorted(standard)[25]


def test_solutions_count_once_whatever_their_order():
    one, same = "9-7=2;4+2=6;6*2=12 ok", "2+4=6;9-7=2;2*6=12 ok"
    assert final(one) == final(f"1+1=2 no\n{same}")
    assert final(one) != final("9-7=2;2+2=4;4+4=8 ok")
    assert final("no idea") is None
