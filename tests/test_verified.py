"""Which samples count as correct, by hand."""

import pytest

from wellworn.errors import BadInput, Unscorable
from wellworn.records import Completion, Message, Prompt
from wellworn.scoring.verified import DRAWS, Verified
from wellworn.verifiers import load_verifier


def verified(*samples, verifier="number", answer="4"):
    prompt = Prompt(messages=(Message("user", "?"),), answer=answer, source="a.jsonl:3")
    return Verified.of(samples, prompt, load_verifier(verifier))


def said(text, **fields):
    return Completion(text=text, **fields)


def test_the_share_of_correct_samples_and_their_answers():
    assert verified(said("4"), said("#### 4.0"), said("5"), said("none")).parts == {
        "pass_rate": 0.5,
        "finals": 2.0,
    }


@pytest.mark.parametrize(
    ("verifier", "answer", "text"),
    [
        ("number", "4", "First, 12 apples / 3 = 4"),
        ("knights", "Ann is a knight\nBo is a knave", "So Ann is a knight, Bo is a knave"),
        ("knights", "Ann is a knight", "<answer>Ann is a knight"),
        ("exact", "4", "4"),
    ],
)
def test_what_was_cut_off_before_an_explicit_answer_gives_none(verifier, answer, text):
    ended, cut = said(text, finish_reason="stop"), said(text, finish_reason="length")
    found = verified(ended, cut, verifier=verifier, answer=answer)
    assert found.correct == (ended,)
    assert verified(cut, verifier=verifier, answer=answer).parts == {"pass_rate": 0, "finals": 0}


@pytest.mark.parametrize("text", ["#### 4\nNext", r"\boxed{4}, as", "<answer>4</answer> and so"])
def test_what_was_cut_off_after_it_counts(text):
    assert verified(said(text, finish_reason="length")).parts == {"pass_rate": 1, "finals": 1}


def test_nothing_in_a_reasoning_set_apart_is_an_answer():
    reasoning = r"maybe \boxed{4}, let me check"
    cut = said("", reasoning=reasoning, finish_reason="length")
    other = said("It is 5.", reasoning=reasoning, finish_reason="stop")
    assert verified(cut, other).parts == {"pass_rate": 0, "finals": 1}


def test_an_answer_is_verified_though_its_reasoning_is_hidden():
    hidden = said("It is 4.", reasoning_hidden=True)
    assert verified(hidden).correct == (hidden,)


def test_a_prompt_without_a_gold_answer_is_told_of_though_all_was_cut_off():
    with pytest.raises(BadInput, match=r"^a\.jsonl:3: there is no gold answer"):
        verified(said("4", finish_reason="length"), answer=None)


def test_draws_do_not_depend_on_the_order_of_the_samples():
    samples = [said(f"{'so ' * n}4", index=n) for n in range(5)]
    one, other = verified(*samples), verified(*reversed(samples))
    assert list(one.draws(3)) == list(other.draws(3))
    assert len(list(one.draws(3))) == DRAWS
    assert len(list(one.draws(5))) == 1


def test_too_few_correct_samples_are_a_reason():
    with pytest.raises(Unscorable, match=r"^1 of 2 samples are correct; 2 are compared$"):
        next(verified(said("4"), said("5")).draws(2))
