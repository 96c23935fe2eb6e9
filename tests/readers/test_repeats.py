"""What a file brings that the run holds already: the same log, another sample, or in doubt."""

import pytest

from wellworn.errors import BadInput
from wellworn.readers.repeats import key_of, overlap
from wellworn.records import Completion

SHOWN = {prompt: f"the prompt {prompt}" for prompt in "pqr"}


def keys(**texts):
    return {
        prompt: [key_of(Completion(text=text)) for text in held] for prompt, held in texts.items()
    }


def long(*numbers):
    return [f"a completion of more than twenty characters, {number}" for number in numbers]


@pytest.mark.parametrize(
    ("held", "brought", "skip"),
    [
        ({}, {"p": long(1, 2)}, {}),
        ({"p": long(1)}, {"q": long(1)}, {}),
        ({"p": long(1)}, {"p": []}, {}),
        ({"p": long(1, 2)}, {"p": long(1, 2)}, {"p": 2}),
        ({"p": long(1, 2)}, {"p": long(1, 2, 3), "q": long(1)}, {"p": 2}),
        ({"p": long(1, 2, 3)}, {"p": long(1, 2)}, {"p": 2}),
        ({"p": ["4", "", "4"]}, {"p": ["4", "", "4", "4"]}, {"p": 3}),
        ({"p": long(1, 1)}, {"p": long(1, 1, 1)}, {"p": 2}),
        ({"p": ["a"], "q": ["b"], "r": ["c"]}, {"p": ["a"], "q": ["x"], "r": ["y"]}, {}),
        (
            {"p": long(1), "q": long(2), "r": long(3)},
            {"p": long(1), "q": long(8), "r": long(9)},
            {},
        ),
    ],
)
def test_the_same_log_adds_its_tail_and_another_sample_counts(held, brought, skip):
    assert overlap(keys(**held), keys(**brought), "b.jsonl", SHOWN).skip == skip


@pytest.mark.parametrize(
    ("held", "brought"),
    [
        ({"p": long(1, 2, 3)}, {"p": long(3, 2, 1)}),
        ({"p": long(1, 2)}, {"p": [*long(8, 2, 1), "short"]}),
        ({"p": long(1, 2)}, {"p": long(2)}),
        (
            {"p": long(1, 2), "q": long(1), "r": long(1)},
            {"p": long(1, 2), "q": long(8), "r": long(9)},
        ),
        ({"p": ["a"], "q": ["b"]}, {"p": ["a"], "q": ["x"]}),
    ],
)
def test_what_cannot_be_told_is_refused(held, brought):
    with pytest.raises(BadInput, match="would count twice"):
        overlap(keys(**held), keys(**brought), "b.jsonl", SHOWN)


def test_the_refusal_names_prompt_and_counts():
    with pytest.raises(BadInput) as caught:
        overlap(keys(p=long(1, 2, 3)), keys(p=long(4, 3, 2, 1)), "b.jsonl", SHOWN)
    assert str(caught.value) == (
        "b.jsonl: of its 4 completions of the prompt 'the prompt p', 3 are among the 3 that the "
        "run holds of it. If these are the same, they would count twice, and look like a "
        "collapsed model.\n"
        "Import this file alone into a run of its own; or, if they are other completions that "
        "happen to be equal, put both files together into one and import that."
    )


def test_notes_say_what_was_left_out_and_what_recurs():
    assert overlap(keys(p=["a", "b"]), keys(p=["a", "b", "c"]), "b.jsonl", SHOWN).note == (
        "b.jsonl: 2 completions of 1 prompt that the run held already; not added again."
    )
    held, brought = keys(p=long(1), q=long(2), r=long(3)), keys(p=long(1), q=long(8), r=long(9))
    assert overlap(held, brought, "b.jsonl", SHOWN).note == (
        "b.jsonl: 1 completion with a text that the run held already from elsewhere; counted, "
        "since the file is another sample on the whole."
    )
    assert overlap({}, brought, "b.jsonl", SHOWN).note is None


def test_a_text_is_known_however_its_reasoning_is_written():
    apart = key_of(Completion(text="Four.\n", reasoning="2 + 2"))
    assert apart == key_of(Completion(text="2 + 2\n\nFour."))
    assert key_of(Completion(text="\ud800")) == key_of(Completion(text="\ufffd"))
