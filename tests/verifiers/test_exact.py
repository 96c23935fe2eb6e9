"""Texts, by hand."""

import pytest

from wellworn.records import Prompt
from wellworn.verifiers.exact import final_text, load


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<answer> The  Moon. </answer> as I said", "the moon"),
        (r"So \boxed{The Moon}", "the moon"),
        ("**The\nMoon**", "the moon"),
        ("<answer>a</answer> <answer>b</answer>", "b"),
        (r"\boxed{a} <answer></answer>", None),
        ('"..."', None),
    ],
)
def test_the_final_text(text, said):
    assert final_text(text) == said


@pytest.mark.parametrize("text", ["the moon", "The Moon!", "<answer>the  moon</answer>"])
def test_a_right_text(text):
    assert load().correct(text, Prompt(text="?", answer="The Moon."))


@pytest.mark.parametrize("text", ["moon", "the moon, I think", ""])
def test_a_wrong_text(text):
    assert not load().correct(text, Prompt(text="?", answer="The Moon."))
