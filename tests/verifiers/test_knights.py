"""Knights and Knaves answers, by hand."""

import pytest

from wellworn.errors import BadInput
from wellworn.records import Message, Prompt
from wellworn.verifiers.knights import final_roles, load

CORRECT = load().correct
GOLD = "(1) Zoey is a knight\n(2) Liam is a knave\n(3) Aria is a knave"


def asked(gold=GOLD):
    return Prompt(messages=(Message("user", "?"),), answer=gold, source="RL-MIA kk")


RIGHT = [
    f"<think>Suppose Zoey is a knave.</think><answer>{GOLD}</answer>",
    f"I write <answer> tags: <ANSWER> {GOLD} </ANSWER>",
    f"<answer>{GOLD.replace('knave', 'Knave').upper()}",
    "<answer>(3) Aria is a knave (1) Zoey is a knight (2) Liam is a knave</answer>",
    "<answer>Zoey: knight; Liam: knave; Aria - knave</answer>",
    "<answer>- **Zoey** is a *knight*.\n- **Liam:** Knave\n- __Aria__ = the knave</answer>",
    "<answer>Zoey is a knight, for Liam lies; so Liam is a knave and Aria is a knave.</answer>",
    "<answer>Zoey is a knight. Yes, Zoey is a knight. Liam is a knave, Aria is a knave</answer>",
    "<answer>| Zoey | knight |\n| Liam | knave |\n| Aria | knave |</answer>",
    "If Zoey is a knave, Liam is a knight.\nTherefore:\nZoey is a knight\nLiam is a knave\n"
    "Aria is a knave",
    "If Zoey is a knave, all fails. So Zoey is a knight, Liam is a knave, and Aria is a knave.",
]
WRONG = [
    GOLD.replace("(1) Zoey is a knight", "(1) Zoey is a knave"),
    "(1) Zoey is a knight\n(2) Liam is a knave",
    "<answer>Zoey is a knight and a knave, Liam is a knave, Aria is a knave</answer>",
    "<answer>Zoey is a knight or knave, Liam is a knave, Aria is a knave</answer>",
    "<answer>Zoey: knight/knave, Liam: knave/knight, Aria: knave</answer>",
    "<answer>Zoey is a knight. Zoey is a knave. Liam is a knave. Aria is a knave.</answer>",
    f"<answer>{GOLD}\n(4) Zoey is a knave</answer>",
    f"{GOLD} <answer>I do not know</answer>",
    f"<answer>{GOLD}</answer> or <answer>{GOLD.replace('Aria is a knave', 'Aria is a knight')}"
    f"</answer>",
    "<answer>Zoey is a knight. Liam is not a knight. Aria is a knave.</answer>",
    "<answer>one knight, two knaves</answer>",
    "<answer>MacZoey is a knight, Liam is a knave, Aria is a knave</answer>",
    "Zoey is a knight, Liam is a knave. Hence, whatever else, Aria is a knave",
    "Zoey is a knighthood\nLiam is a knave\nAria is a knave",
]


WEIGHED = [
    "If {}",
    "if it is so that {}",
    "Suppose {}",
    "Let us assume that {}",
    "Suppose:\n1. {}",
    "Let's say {}",
    "Case 1: {}",
    "It's false that {}",
    "It is not true that {}",
    "One possibility: {}",
    "It is impossible that {}",
    "Zoey says {}",
    "Perhaps {}",
    "{}?",
    "{}? That is impossible.",
    "{}. That is impossible.",
    "{}, which leads to a contradiction.",
    "{}. But this cannot be.",
    "{} if Zoey lies",
    "{} or the reverse",
]
STATED = [
    "If Zoey is a knave, contradiction. Therefore, {}.",
    "Only one case is left, so {}.",
    "Since Zoey cannot be a knave, {}.",
    "The only possibility:\n{}",
    "{}. This is consistent: there is no contradiction.",
    "{}. What Liam says is false.",
    "{}.\n\nIs there anything else?",
]
SAID = "Zoey is a knight, Liam is a knave, and Aria is a knave"


@pytest.mark.parametrize("around", WEIGHED)
def test_what_is_weighed_is_not_told(around):
    text = around.format(SAID)
    assert not CORRECT(f"Now look. {text}", asked())
    assert final_roles(text) is None
    assert final_roles(f"<answer>{text}</answer>") is None


@pytest.mark.parametrize("around", STATED)
def test_what_is_stated_is_told(around):
    assert CORRECT(around.format(SAID), asked())


@pytest.mark.parametrize("text", RIGHT)
def test_everyone_as_in_the_gold_answer(text):
    assert CORRECT(text, asked())


@pytest.mark.parametrize("text", WRONG)
def test_anything_else(text):
    assert not CORRECT(text, asked())


def test_others_than_the_people_of_the_puzzle_do_not_count():
    assert CORRECT(f"<answer>{GOLD}\nAnyone who lies is a knave</answer>", asked())


def test_the_gold_answers_of_our_own_puzzles_are_read_too():
    from wellworn.lab.knights_and_knaves import generate

    for puzzle in generate(20, people=3, seed=1):
        assert CORRECT(f"I think:\n\n{puzzle.gold}", asked(puzzle.gold))
        other = puzzle.gold.replace("a knight", "a knave")
        assert CORRECT(other, asked(puzzle.gold)) == (other == puzzle.gold)


def test_solutions_are_equal_whatever_their_order_and_wording():
    said = {final_roles(text) for text in RIGHT}
    assert said == {"aria knave, liam knave, zoey knight"}


def test_a_contradiction_is_no_solution():
    assert final_roles("<answer>Zoey is a knight. Zoey is a knave.</answer>") is None


@pytest.mark.parametrize("gold", ["Zoey", "Zoey is a knight\nZoey is a knave"])
def test_a_gold_answer_that_does_not_say_who_is_what(gold):
    with pytest.raises(BadInput, match=r"^RL-MIA kk: the gold answer .* does not say who is a"):
        CORRECT(GOLD, asked(gold))
