"""What is said of the completions of a log: how many, cut, looping, short, all the same."""

import pytest

from wellworn.readers import Item
from wellworn.readers.quality import Quality, loops
from wellworn.records import Completion, Prompt


def seen(*items):
    quality = Quality()
    for prompt, *texts in items:
        completions = tuple(
            text if isinstance(text, Completion) else Completion(text=text) for text in texts
        )
        quality.see(Item(Prompt(text=prompt), completions))
    return quality


def test_samples_are_counted_by_prompt():
    assert seen(("p", "a"), ("q", "b", "c"), ("p", "d", "e")).samples == (2, 3)
    assert seen(("p",)).samples == (0, 0)
    facts = list(seen(("p", *"abcd"), ("q", *"abcdefgh")).facts())
    assert facts[0] == "samples a prompt: 4 to 8"
    few = next(seen(("p", "a", "b")).facts())
    assert few == (
        "samples a prompt: 2; that is few: the paper has 32, and k adapts to what is there"
    )
    one = next(seen(("p", "a")).facts())
    assert one == (
        "samples a prompt: 1; detectors that compare samples need two or more: have the tool log "
        "several (docs/formats.md says how)"
    )


def test_why_completions_ended_is_counted():
    ended = [Completion(text="a", finish_reason=why) for why in ("length", "stop", None)]
    assert list(seen(("p", *ended)).facts())[1:] == [
        "why it ended: not stated for 1 completion",
        "cut at the most tokens: 1 of 2 completions",
    ]


LOOP = "I think the answer is 4, so I check it again. "


@pytest.mark.parametrize(
    ("text", "looping"),
    [
        (LOOP * 30, True),
        ("It begins well, then: " + LOOP * 12, True),
        ("wait " * 60, True),
        ("!" * 100, True),
        (LOOP * 30 + "So it is 5, and that is my answer at last.", False),
        (LOOP * 3, False),
        ("", False),
        ("short", False),
        (" ".join(str(n) for n in range(400)), False),
    ],
)
def test_a_loop_is_what_is_said_again_until_the_end(text, looping):
    assert loops(text) is looping


def test_loops_are_counted_in_answers_and_in_reasoning_without_one():
    quality = seen(("p", LOOP * 30, "fine", Completion(text="", reasoning=LOOP * 30)))
    assert list(quality.notes()) == ["2 of 3 completions end in a loop."]


LONG = "Prove that the sum of the angles of a triangle is two right angles, and say why."


def test_answers_without_their_reasoning_are_pointed_out():
    (note,) = seen((LONG, "180", "180 degrees", "pi")).notes()
    assert note.startswith("The completions are short against their prompts (median 3 characters)")
    assert not list(seen(("2 + 2?", "4", "4")).notes())
    assert not list(seen((LONG, Completion(text="4", reasoning="hm"), "4")).notes())
    assert not list(seen((LONG, Completion(text="4", reasoning_hidden=True), "4")).notes())
    assert not list(seen((LONG, LONG, LONG)).notes())


def test_identical_completions_are_recognised_by_two_prompts_and_long_texts():
    same, other = "always this very same text", "another text of some length"
    assert seen(("p", same, same), ("q", other, other)).identical
    assert not seen(("p", same, same)).identical
    assert not seen(("p", same), ("q", other)).identical
    assert not seen(("p", "4", "4"), ("q", "5", "5")).identical
    assert seen(("p", *"44444"), ("q", *"55555")).identical
    assert not seen(("p", *"44444"), ("q", *"55556")).identical
    assert not seen(("p", same, same), ("q", other, same)).identical
    assert not seen(("p", same, same), ("q", other, other), ("p", other)).identical
