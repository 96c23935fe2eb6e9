"""Other ways to measure the same samples, by hand."""

import pytest

from signalled import answer, asked
from wellworn.detectors import Options, load
from wellworn.detectors.counting import distinct_share, mean_length
from wellworn.detectors.greedy_distance import greedy_distance
from wellworn.detectors.spread import mean_nearest, mean_pairwise, smallest_pair
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Completion

FOUR = ["aaaa", "aaab", "abbb", "cccc"]
"""Distances in quarters: aaaa-aaab 1, aaaa-abbb 3, aaab-abbb 2, and 4 to cccc."""
BY = {"unit": "char", "view": "full"}


def record(texts, greedy="aaaa"):
    samples = [answer(text=text, token_ids=map(ord, text), index=i) for i, text in enumerate(texts)]
    return asked(sample=samples, greedy=answer(text=greedy, token_ids=map(ord, greedy)))


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (mean_pairwise, (1 + 3 + 2 + 4 + 4 + 4) / 24),
        (mean_nearest, (1 + 1 + 2 + 4) / 16),
        (smallest_pair, 1 / 4),
        (greedy_distance, (0 + 1 + 3 + 4) / 16),
    ],
)
@pytest.mark.parametrize("unit", ["char", "token"])
def test_distances(measure, value, unit):
    found = measure(record(FOUR), unit=unit, view="full")
    assert found.value == pytest.approx(value, abs=1e-15)
    assert found.parts == {"twins": 0}


def test_words_and_views():
    words = record(["a b", "a c", "a b"], greedy="a b")
    assert mean_pairwise(words, unit="word", view="full").value == pytest.approx(1 / 3)
    assert greedy_distance(words, unit="word", view="full").value == pytest.approx(1 / 6)
    reasoned = [Completion(text="4", reasoning=each) for each in ("ab", "cd", "cd")]
    found = asked(sample=reasoned, greedy=Completion(text="4", reasoning="cd"))
    assert mean_pairwise(found, unit="char", view="answer").value == 0
    assert greedy_distance(found, unit="char", view="reasoning").value == pytest.approx(1 / 3)


def test_an_empty_sample_shares_nothing_with_the_greedy_answer():
    assert greedy_distance(record(["", "ab"], greedy="ab"), **BY).value == 0.5


@pytest.mark.parametrize("greedy", ["", " \n"])
def test_an_empty_greedy_answer_is_no_centre(greedy):
    with pytest.raises(Unscorable, match=r"^the greedy answer is empty in the full view$"):
        greedy_distance(record(FOUR, greedy=greedy), **BY)


def test_a_greedy_answer_that_was_not_asked_for_is_named():
    with pytest.raises(Unscorable, match=r"^there is no answer to 'greedy'$"):
        greedy_distance(asked(sample=record(FOUR).probes["sample"]), **BY)


@pytest.mark.parametrize("measure", [mean_pairwise, mean_nearest, smallest_pair, greedy_distance])
def test_one_sample_has_no_distance(measure):
    with pytest.raises(Unscorable, match=r"^a distance needs 2 completions; this prompt has 1$"):
        measure(record(["alone"]), **BY)


def test_the_smallest_pair_and_the_mean_nearest_are_the_ends_of_min_knn():
    min_knn = load("min-knn").measure
    assert smallest_pair(record(FOUR), **BY).value == min_knn(record(FOUR), k=1).value
    assert mean_nearest(record(FOUR), **BY).value == min_knn(record(FOUR), k=4).value


def test_different_texts_and_lengths_are_counted():
    texts = record(["a", "a", "bcd", ""])
    assert distinct_share(texts, view="full") == 0.75
    assert mean_length(texts, view="full") == 1.25
    assert load("distinct-share").score(0.75) == 0.25
    assert load("mean-length").score(1.25) == -1.25


def test_counting_reads_the_view():
    samples = [Completion(text="4", reasoning="ab"), Completion(text="4", reasoning="cde")]
    assert distinct_share(asked(sample=samples), view="answer") == 0.5
    assert mean_length(asked(sample=samples), view="reasoning") == 2.5


@pytest.mark.parametrize("measure", [distinct_share, mean_length])
@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["a"], "a comparison needs 2 completions; this prompt has 1"),
        (["", " "], "all 2 completions are empty in the full view"),
    ],
)
def test_nothing_to_count_is_a_reason(measure, texts, reason):
    with pytest.raises(Unscorable, match=f"^{reason}$"):
        measure(record(texts), view="full")


def test_they_take_the_options_that_concern_them():
    options = Options(k=3, unit="word", view="answer")
    assert load("mean-pairwise").parameters(options, 8) == {"unit": "word", "view": "answer"}
    assert load("distinct-share").parameters(options, 8) == {"view": "answer"}
    assert load("greedy-distance").needs(options, 8) == (Need("sample", 8), Need("greedy"))
