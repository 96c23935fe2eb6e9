"""CDD as its paper has it and as the published code has it, by hand."""

import pytest

from signalled import answer, asked
from wellworn.detectors import load
from wellworn.detectors.cdd import cdd
from wellworn.detectors.published import cdd as published
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record, chat


def tokens(*ids):
    return answer(token_ids=ids)


def record(greedy, *samples):
    return asked(greedy=greedy, sample=samples)


LONG = tuple(range(1000))
"""1,000 tokens; `OTHER` agrees on 60 of the first 100, and nothing of the rest moves along."""
OTHER = (*range(60), *range(2000, 2940))


def test_an_answer_that_differs_in_40_of_100_tokens_is_no_peak_but_to_the_published_code():
    far = record(tokens(*LONG), tokens(*OTHER))
    assert cdd(far, alpha=0.05).value == 0  # 40 > 0.05 * 100
    assert cdd(far, alpha=0.05).parts == {"distance": 0.4}
    assert published(far, alpha=0.05) == 1  # 40 <= 0.05 * 1000


def test_the_threshold_is_a_share_of_the_longest_compared_length():
    samples = [tokens(*range(20)), tokens(*range(19), 99), tokens(*range(18), 98, 99)]
    found = cdd(record(tokens(*range(20)), *samples), alpha=0.05)
    assert found.value == pytest.approx(2 / 3)  # 0 and 1 are at most 1; 2 is not
    assert found.parts == {"distance": pytest.approx((0 + 1 + 2) / 3 / 20)}
    assert found.found == {"unit": "token"}
    assert cdd(record(tokens(*range(20)), *samples), alpha=0.0).value == pytest.approx(1 / 3)


def test_words_stand_for_tokens_that_are_missing():
    greedy = Completion(text="a b c")
    found = cdd(record(greedy, Completion(text=" a  b c\n"), tokens(1)), alpha=0.05)
    assert (found.value, found.found) == (0.5, {"unit": "word"})


def test_an_empty_sample_is_no_peak_here_and_skipped_by_the_published_code():
    found = record(tokens(1, 2), tokens(1, 2), tokens())
    assert cdd(found, alpha=0.05).value == 0.5
    assert published(found, alpha=0.05) == 1


def test_the_published_code_cuts_only_if_both_are_long():
    just, more = tuple(range(100)), tuple(range(101))
    assert published(record(tokens(*just), tokens(*LONG)), alpha=0.05) == 0  # 900 > 27.5
    assert published(record(tokens(*more), tokens(*LONG)), alpha=0.05) == 1  # 0 after the cut


@pytest.mark.parametrize(
    "given",
    [record(tokens(), tokens(1)), record(tokens(1), tokens()), record(tokens(1))],
)
@pytest.mark.parametrize("measure", [cdd, published])
def test_nothing_to_compare_is_a_reason(measure, given):
    with pytest.raises(Unscorable, match=r"^the greedy answer is empty, or all samples are"):
        measure(given, alpha=0.05)


def test_a_greedy_answer_that_was_not_asked_for_is_named():
    with pytest.raises(Unscorable, match=r"^there is no answer to 'greedy'$"):
        cdd(asked(sample=[tokens(1)]), alpha=0.05)


def test_the_published_code_needs_token_ids():
    with pytest.raises(Unscorable, match=r"no token ids; `cdd` reads words in their place$"):
        published(record(tokens(1), Completion(text="a")), alpha=0.05)


def test_an_empty_sample_is_no_peak_even_beside_a_short_greedy_answer():
    greedy = Completion(text="a b c d")
    samples = (Completion(text=""), Completion(text=" ".join("e" * 100)))
    found = Record(prompt=chat("?"), probes={"greedy": (greedy,), "sample": samples})
    assert load("cdd").measure(found, alpha=0.05).value == 0
