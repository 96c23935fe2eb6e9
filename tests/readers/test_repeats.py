"""What a file brings that the run holds already: the same log, another sample, or in doubt."""

import pytest

from wellworn.errors import BadInput
from wellworn.readers.repeats import judged, key_of, overlap, own_copies
from wellworn.records import Completion

SHOWN = {prompt: f"the prompt {prompt}" for prompt in "pqr"}


def keys(**texts):
    return {
        prompt: [key_of(Completion(text=text)) for text in held] for prompt, held in texts.items()
    }


def long(*numbers):
    return [f"a completion of more than twenty characters, {number}" for number in numbers]


def skipped(found):
    return {prompt: sorted(places) for prompt, places in found.skip.items() if places}


@pytest.mark.parametrize(
    ("held", "brought", "skip"),
    [
        ({}, {"p": long(1, 2)}, {}),
        ({"p": long(1)}, {"q": long(1)}, {}),
        ({"p": long(1)}, {"p": []}, {}),
        ({"p": long(1, 2)}, {"p": long(1, 2)}, {"p": [0, 1]}),
        ({"p": long(1, 2)}, {"p": long(1, 2, 3), "q": long(1)}, {"p": [0, 1]}),
        ({"p": long(1, 2, 3)}, {"p": long(1, 2)}, {"p": [0, 1]}),
        ({"p": ["4", "", "4"]}, {"p": ["4", "", "4", "4"]}, {"p": [0, 1, 2]}),
        ({"p": long(1, 1)}, {"p": long(1, 1, 1)}, {"p": [0, 1]}),
        ({"p": long(1)}, {"p": long(1), "q": long(2)}, {"p": [0]}),
        ({"p": ["a"], "q": ["b"], "r": ["c"]}, {"p": ["a"], "q": ["x"], "r": ["y"]}, {}),
        (
            {"p": long(1), "q": long(2), "r": long(3)},
            {"p": long(1), "q": long(8), "r": long(9)},
            {},
        ),
    ],
)
def test_the_same_log_adds_its_tail_and_another_sample_counts(held, brought, skip):
    assert skipped(overlap(keys(**held), keys(**brought), "b.jsonl", SHOWN)) == skip


@pytest.mark.parametrize(
    ("held", "brought", "skip"),
    [
        ({"p": long(1, 2, 3)}, {"p": long(3, 2, 1)}, {"p": [0, 1, 2]}),
        ({"p": long(1, 2)}, {"p": [*long(8, 2, 1), "short"]}, {"p": [1, 2]}),
        ({"p": long(*range(20))}, {"p": long(*range(15, 35))}, {"p": [0, 1, 2, 3, 4]}),
        ({"p": long(*range(20))}, {"p": long(*range(16, 36))}, {}),
        (
            {"p": long(*range(9)), "q": long(*range(9))},
            {"p": long(8, 7, 6), "q": long(5, 4)},
            {"p": [0, 1, 2], "q": [0, 1]},
        ),
    ],
)
def test_shards_that_overlap_count_once_in_any_order(held, brought, skip):
    assert skipped(overlap(keys(**held), keys(**brought), "b.jsonl", SHOWN)) == skip


@pytest.mark.parametrize(
    ("held", "brought"),
    [
        ({"p": long(1, 1, 2)}, {"p": long(2, 1, 1)}),
        ({"p": long(1, 2)}, {"p": long(2)}),
        ({"p": long(1)}, {"p": long(1)}),
        (
            {"p": long(1, 1), "q": long(1), "r": long(1)},
            {"p": long(1, 1), "q": long(8), "r": long(9)},
        ),
        ({"p": ["a"], "q": ["b"]}, {"p": ["a"], "q": ["x"]}),
    ],
)
def test_what_cannot_be_told_is_refused_until_the_user_says(held, brought):
    held, brought = keys(**held), keys(**brought)
    with pytest.raises(BadInput, match="would count twice"):
        overlap(held, brought, "b.jsonl", SHOWN)
    assert overlap(held, brought, "b.jsonl", SHOWN, "count").skip == {}
    dropped = overlap(held, brought, "b.jsonl", SHOWN, "drop")
    assert skipped(dropped)["p"][0] == 0


def test_a_log_that_was_joined_with_itself_counts_once():
    found = own_copies(keys(p=long(1, 2) * 3, q=long(4, 5) * 3, r=long(6, 6) * 3), "b.jsonl")
    assert skipped(found) == {"p": [2, 3, 4, 5], "q": [2, 3, 4, 5], "r": [2, 3, 4, 5]}
    assert found.note == (
        "b.jsonl: every prompt has the same completions 3 times in the same order, as in a log "
        "that was joined with itself; one copy counts."
    )


@pytest.mark.parametrize(
    "brought",
    [
        {"p": long(1, 1, 1, 1), "q": long(2, 2, 2, 2)},
        {"p": long(1, 2) * 2, "q": long(4, 5, 4, 6)},
        {"p": long(1, 2) * 2, "q": long(4, 4) * 2, "r": long(5, 5) * 2},
        {"p": long(1)},
        {},
    ],
)
def test_a_collapsed_model_is_no_copy(brought):
    assert own_copies(keys(**brought), "b.jsonl").skip == {}


def test_copies_and_overlaps_are_left_out_together():
    held, brought = keys(p=long(1, 2)), keys(p=[*long(1, 2, 3)] * 2)
    assert skipped(judged(held, brought, "b.jsonl", SHOWN, "auto")) == {"p": [0, 1, 3, 4, 5]}
    assert skipped(judged(held, brought, "b.jsonl", SHOWN, "count")) == {}


def test_texts_of_different_seeds_are_different_completions():
    one, two = (key_of(Completion(text="the very same", seed=seed)) for seed in (1, 2))
    assert one != two


def test_the_refusal_names_prompt_and_counts():
    with pytest.raises(BadInput) as caught:
        overlap(keys(p=long(1, 1, 3)), keys(p=long(4, 3, 1, 1)), "b.jsonl", SHOWN)
    assert str(caught.value) == (
        "b.jsonl: of its 4 completions of the prompt 'the prompt p', 3 are among the 3 that the "
        "run holds of it. If these are the same, they would count twice, and look like a "
        "collapsed model.\n"
        "Say `--repeats drop` if they are the same completions, or `--repeats count` if they are "
        "others that happen to be equal."
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
