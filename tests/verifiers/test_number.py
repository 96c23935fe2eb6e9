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
        ("The answer comes after ####. 9 + 9 = 18", None),
        ("#### 1/2", None),
        ("#### 3:30", None),
        ("#### 18 - all of them", "18"),
        # else the only number of the last answer tags
        ("<answer> 18 </answer> after 3 days", "18"),
        (r"<answer>\boxed{18}</answer>", "18"),
        ("<answer>18 or 19</answer>", None),
        # else the only number of the last box
        (r"So \boxed{18}, in 3 steps", "18"),
        (r"\boxed{3} \boxed{4}", "4"),
        (r"\boxed{x = 18.0}", "18"),
        (r"\boxed{\$1{,}800}", "1800"),
        (r"\boxed{18 \text{ dollars}}", "18"),
        (r"\boxed{\frac{1}{18}}", None),
        (r"\boxed{x_2}", None),
        (r"\boxed{\sqrt{4}}", None),
        (r"\boxed{3 + 2 = 5}", "5"),
        (r"\boxed{12 = 5}", None),
        (r"\boxed{x = 2 = 5}", None),
        (r"18 \boxed{}", None),
        (r"18 \boxed{1", None),
        # else the last number
        ("9 + 9 is 18. Not more.", "18"),
        ("20-2=18", "18"),
        ("it went from 20 to 18", "18"),
        ("Step 1: 18", "18"),
        ("Day 1 - **18**", "18"),
        ("18 km/h, or 18/day", "18"),
        ("18kg, the 18th!", "18"),
        (r"$\mathbf{18}^\circ$", "18"),
        ("it fell to -18", "-18"),
        ("$18$", "18"),
        ("1, 2, 3", "3"),
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


PARTS = [
    *("1/2", "1 / 2", "1 1/2", r"\frac{1}{2}", r"\frac12", r"$\dfrac{x}{2}$", "1\u00bd", "24/7"),
    *("2^10", r"2^{10}", "2**10", "10^-5", "x^2", "x^{2}", "5x^2", "2\u00b9\u2070"),
    *("18e3", "1e-5", "2x10", "x_2", "x2", "1_000", r"2\pi", r"2\sqrt{3}", r"\sqrt{4}"),
    *("3:30", "3:30 pm", "9:15:30", "2024-05-18", "20-18"),
    *("10 - 5", "5 \u2212 3", "3*6", "3 + 4", "12 / 3", "12 \u00f7 3"),
    *("3 \u00d7 6", r"3 \times 6", r"3\cdot 6"),
    *("1,00", "12,345,67", "1,2,3", "1.2.3", "4,5", "1 000"),
]


@pytest.mark.parametrize("text", PARTS)
def test_no_part_of_a_term_is_the_final_number(text):
    assert final_number(f"Perhaps 7. The answer is {text}.") is None
    assert final_number(f"The answer is {text}, that is 18.") == "18"


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
