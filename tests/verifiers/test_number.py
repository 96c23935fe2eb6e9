"""Final numbers, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.records import Message, Prompt
from wellworn.verifiers.number import as_number, final_number, load, numbers

CORRECT = load().correct


@pytest.mark.parametrize(
    ("text", "number"),
    [
        # after the last ####
        ("3 + 4\n#### 18", "18"),
        ("#### 18.00", "18"),
        ("#### 018", "18"),
        ("#### $1,800.", "1800"),
        ("####18", "18"),
        ("####\n**18**", "18"),
        ("#### -5", "-5"),
        ("#### -$5.50", "-5.5"),
        ("#### \u22125", "-5"),
        ("#### 18 dollars in 3 weeks", "18"),
        ("#### 3\nNo:\n#### 4", "4"),
        ("#### 4\n#### Done after 3 steps", "4"),
        ("The answer comes after ####. 9 + 9 = 18", "9"),
        # else the only number of the last box
        (r"So \boxed{18}, in 3 steps", "18"),
        (r"\boxed{3} \boxed{4}", "4"),
        (r"\boxed{x = 18.0}", "18"),
        (r"\boxed{\$1{,}800}", "1800"),
        (r"\boxed{18 \text{ dollars}}", "18"),
        (r"\boxed{\frac{1}{18}}", None),
        (r"18 \boxed{}", None),
        (r"18 \boxed{1", None),
        # else the last number
        ("9 + 9 is 18. Not more.", "18"),
        ("20-2=18", "18"),
        ("it went from 20-18", "18"),
        ("it fell to -18", "-18"),
        ("$18$", "18"),
        ("1,2,3", "3"),
        ("1,234,567.10", "1234567.1"),
        ("0.50", "0.5"),
        ("-0.0", "0"),
        ("about .5", "0.5"),
        ("18%", "18"),
        ("none", None),
        ("", None),
    ],
)
def test_the_final_number(text, number):
    assert final_number(text) == number


@pytest.mark.parametrize("said", ["18", "18.0", "$18", "018", "18.", "#### 18", r"\boxed{18}"])
def test_a_number_is_right_however_it_is_written(said):
    for gold in ("18", "9 + 9 = <<9+9=18>>18\n#### 18", "18.00"):
        prompt = Prompt(messages=(Message("user", "?"),), answer=gold)
        assert CORRECT(said, prompt)
        assert not CORRECT(said.replace("18", "180"), prompt)


@given(st.decimals(-(10**12), 10**12, places=4))
def test_numbers_are_compared_as_decimals_are(value):
    assert final_number(f"#### {value:,f}") == as_number(f"{value:f}")
    plain = f"{value.normalize():f}" if value else "0"
    assert as_number(f"{value:f}") == plain


def test_numbers_longer_than_any_float_differ_in_their_last_digit():
    long = "1" * 5_000
    assert as_number(long) != as_number(long[:-1] + "2")


def test_all_numbers_of_a_text():
    text = r"In 2024, $1{,}000$ of 1,000 people (10-20 %) paid \$3.50, i.e. -0.5 of 7th."
    assert numbers(text) == ["2024", "1000", "1000", "10", "20", "3.5", "-0.5", "7"]


@pytest.mark.parametrize("text", ["", "x", "1 2", "1-2", "1e5", "1/2", "1.2.3", "(1)"])
def test_what_is_no_number_alone(text):
    assert as_number(text) is None


def test_a_gold_answer_without_a_number():
    prompt = Prompt(messages=(Message("user", "?"),), answer="blue", source="a.jsonl:3")
    with pytest.raises(BadInput, match=r"^a\.jsonl:3: the gold answer 'blue' holds no number\.\n"):
        CORRECT("18", prompt)
