"""What the model writes after the first 60 % of a prompt, by hand."""

import pytest

from signalled import asked
from wellworn.detectors.partial_prompt import partial_prompt
from wellworn.errors import Unscorable
from wellworn.records import Completion, chat

PROMPT = chat("How many corks does Wanda keep if five are lost?")
"""Ten words: six are shown, and "if five are lost?" is the rest."""


def measured(continuation, prompt=PROMPT):
    return partial_prompt(asked(prompt, partial=Completion(text=continuation)))


@pytest.mark.parametrize(
    ("continuation", "value", "words", "similarity"),
    [
        (" if five are lost?", 1, 1, 1),
        ("\nif  five are\tlost?\n\nAnswer: none.", 1, 1, 1),
        (" if five are found?", 0, 0.75, 0.75),
        (" if six are lost?", 0, 0.25, 0.75),
        (" when five are lost?", 0, 0, 0.75),
        (" if five", 0, 0.5, 0.5),
        (" Wanda keeps seven corks.", 0, 0, 0),
    ],
)
def test_the_continuation_is_compared_word_by_word(continuation, value, words, similarity):
    found = measured(continuation)
    assert found.value == value
    assert found.parts == {"words": words, "similarity": similarity}


@pytest.mark.parametrize("continuation", ["", " \n"])
def test_an_empty_continuation_is_a_reason(continuation):
    with pytest.raises(Unscorable, match=r"^the continuation of the partial prompt is empty$"):
        measured(continuation)


def test_a_prompt_that_is_too_short_to_be_cut_is_a_reason():
    with pytest.raises(Unscorable, match=r"^the prompt has 3 words; a part of it needs 5 or more$"):
        measured("anything", chat("What is 2x?"))
