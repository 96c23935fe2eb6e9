"""What each probe asks, and that detectors' needs are put together."""

import pytest

from wellworn.errors import Unscorable
from wellworn.probes import PROBES, Need, halves, union
from wellworn.probes.wording import CRITIQUES, SHOTS, VERSION
from wellworn.records import Message, Prompt, chat, digest

CHAT = chat("What is 2 + 2?", system="Be brief.")
TEXT = Prompt(text="2 + 2 =")


def ask(probe, prompt=CHAT, answer=""):
    return PROBES[probe].ask(prompt, answer)


@pytest.mark.parametrize("probe", ["sample", "greedy"])
def test_the_prompt_as_it_is(probe):
    assert ask(probe) == (CHAT, None)


def test_the_published_critique_letter_by_letter():
    asked = ask("critique-published", answer="It is {4}.").prompt
    assert asked.messages[0] == Message("system", "Be brief.")
    assert asked.messages[1] == Message(
        "user",
        "What is 2 + 2?\nA possible answer is provided below (it may or may not be correct). "
        "Please provide a response that follows a different reasoning path or provides an "
        "alternative solution:\n---\nIt is {4}.\n---\nPlease now provide your new, different "
        "response:",
    )


def test_all_critiques_quote_the_answer_once_and_differ():
    asked = {ask(f"critique-{name}", answer="QUOTE").prompt.shown for name in CRITIQUES}
    assert len(asked) == 6
    assert all(text.count("QUOTE") == 1 for text in asked)


def test_the_wording_is_frozen():
    """A change of wording makes another detector: it needs a new version and new names."""
    assert (VERSION, digest([CRITIQUES, SHOTS])) == (1, "bd9da133a16082cc")


def test_what_stands_around_a_text_stays_a_text():
    asked = ask("perturbed", TEXT).prompt
    assert asked.text.startswith("The last tram")
    assert " 2 + 2 = " in asked.text
    assert ask("unanchored", TEXT).prompt.text.startswith("2 + 2 =\n\nSolve")


def test_what_stands_around_a_chat_is_in_its_last_turn():
    system, user = ask("perturbed").prompt.messages
    assert system == Message("system", "Be brief.")
    assert " What is 2 + 2? Meanwhile" in user.content


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("one two three four five", "one two three"),
        ("a  b\n c d  e f g h i j", "a  b\n c d  e f"),
        ("a a a a a", "a a a"),
    ],
)
def test_a_part_of_a_prompt_is_60_percent_of_its_words(text, first):
    assert halves(Prompt(text=text)) == (first, text[len(first) :])
    assert ask("partial", Prompt(text=text)).prompt == Prompt(text=first)


def test_too_short_a_prompt_has_no_part():
    with pytest.raises(Unscorable, match="the prompt has 4 words; a part of it needs 5 or more"):
        ask("partial", Prompt(text="one two three four"))


def test_the_answer_is_read_after_the_prompt():
    assert ask("read-response", answer="It is 4.") == (CHAT, "It is 4.")
    assert ask("read-response-lower", answer="It is 4.") == (CHAT, "it is 4.")
    assert ask("read-response-control", answer="It is 4.") == (CHAT, "It is 4.")


def test_the_prompt_and_its_gold_answer_are_read_alone():
    known = Prompt(text="2 + 2 =", answer="4")
    assert ask("read-prompt", known) == (Prompt(text=""), "2 + 2 =")
    assert ask("read-gold", known) == (Prompt(text=""), "2 + 2 =\n4")
    with pytest.raises(Unscorable, match="no gold answer"):
        ask("read-gold", TEXT)


def test_the_same_text_is_read_after_shots():
    for target in ("prompt", "response"):
        plain, shot = (
            ask(f"read-{target}{change}", answer="It is 4.") for change in ("", "-shots")
        )
        assert shot.reads == plain.reads
        assert shot.prompt.shown.endswith(
            f"{SHOTS[-1]}\n\n{plain.prompt.shown if plain.prompt.messages else ''}"
        )


def test_an_empty_text_is_not_read():
    with pytest.raises(Unscorable, match="the response to be read is empty"):
        ask("read-response", answer=" ")


def test_needs_are_put_together_with_what_they_build_on():
    needs = [
        Need("sample", 8),
        Need("critique-published", signals=True),
        Need("greedy", signals=True),
        Need("sample", 32),
        Need("read-response"),
    ]
    assert list(union(needs).values()) == [
        Need("sample", 32),
        Need("greedy", 1, signals=True),
        Need("critique-published", 1, signals=True),
        Need("read-response"),
    ]


def test_every_probe_that_builds_on_another_builds_on_a_first_one():
    for probe in PROBES.values():
        assert probe.after is None or PROBES[probe.after].after is None
