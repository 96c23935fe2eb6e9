"""Distances against hand-computed values, golden ones, and the textbook under hypothesis."""

import json
from itertools import permutations
from math import inf
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.distance import distance, distance_matrix, min_knn_distance, nearest_distances, oracle
from wellworn.distance.nearest import nearest_bounds as search
from wellworn.distance.symbols import as_strings
from wellworn.errors import BadInput

BIG = 2**61 - 1  # Python's hash of it is 0, and the hash of -1 is that of -2.
FOUR = ["aaaa", "aaab", "abbb", "cccc"]


@pytest.mark.parametrize(
    ("a", "b", "edits"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
        ("flaw", "lawn", 2),
        ("hello", "world hello", 6),
        ("abcdefgh", "h", 7),
        ("ab", "ba", 2),
        ("👍🏽", "👍", 1),
        ("\ud800", "\udfff", 1),
        (["the", "cat", "sat"], ["the", "dog", "sat", "on"], 2),
        (["ab"], ["a", "b"], 2),
        ((BIG,), (0,), 1),
        ((-1, 7), (-2, 7), 1),
        ((2**70, 5), (5,), 1),
    ],
)
def test_distances_counted_by_hand(a, b, edits):
    assert distance(a, b) == distance(b, a) == edits
    assert oracle.distance(a, b) == oracle.distance(b, a) == edits


def test_a_matrix_by_hand():
    assert distance_matrix(["", "ab", "abcd"]).tolist() == [[0, 2, 4], [2, 0, 2], [4, 2, 0]]
    normalized = [[0, 1, 1], [1, 0, 0.5], [1, 0.5, 0]]
    assert distance_matrix(["", "ab", "abcd"], normalized=True).tolist() == normalized
    assert distance_matrix(["", ""], normalized=True).tolist() == [[0, 0], [0, 0]]


def test_the_types_of_the_two_matrices():
    assert distance_matrix(FOUR).dtype == np.int32
    assert distance_matrix(FOUR, normalized=True).dtype == np.float64


@pytest.mark.parametrize(("k", "mean"), [(1, 0.25), (2, 0.25), (3, 1 / 3), (4, 0.5), (9, 0.5)])
def test_min_knn_by_hand(k, mean):
    assert nearest_distances(FOUR).tolist() == [0.25, 0.25, 0.5, 1]
    assert min_knn_distance(FOUR, k) == pytest.approx(mean, abs=1e-15)


@pytest.mark.parametrize(
    ("sequences", "nearest"),
    [
        (["", ""], [0, 0]),
        (["", "a"], [1, 1]),
        (["", "", "a"], [0, 0, 1]),
        (["same", "same", "same"], [0, 0, 0]),
        (["é", "e", "é"], [0, 1, 0]),
        (["aaaa", "a", "aa"], [0.5, 0.5, 0.5]),
        ([["the", "cat"], ["the", "dog"], ["a"]], [0.5, 0.5, 1]),
        ([(BIG, 1), (0, 1), (0, 2)], [0.5, 0.5, 0.5]),
        (["aaaaaaaaaa", "aaabbbbbbb", "abbbbbbbbb"], [0.7, 0.2, 0.2]),
    ],
)
def test_nearest_distances_by_hand(sequences, nearest):
    assert nearest_distances(sequences).tolist() == nearest
    assert oracle.nearest_distances(sequences) == nearest


@pytest.mark.parametrize("unit", ["char", "word"])
def test_golden_values_of_a_textbook_that_is_not_ours(shared, unit):
    cases = json.loads((shared / "golden" / "min_knn_cases.json").read_text())
    assert len(cases) > 10
    for case in cases:
        completions = case["completions"]
        sequences = completions if unit == "char" else [text.split() for text in completions]
        golden = case[unit]
        nearest = sorted(nearest_distances(sequences))
        assert nearest == pytest.approx(golden["nearest"], abs=1e-12)
        assert min_knn_distance(sequences, case["k"]) == pytest.approx(golden["score"], abs=1e-12)
        if unit == "char":
            matrix = distance_matrix(sequences, normalized=True)
            assert matrix == pytest.approx(np.array(golden["matrix"]), abs=1e-12)


# Few different symbols, so that ties and near twins are common.
CHARACTERS = st.text(st.sampled_from("ab\0é数🙂\ud800\udfff"), max_size=12)
ONE_SYMBOL = st.integers(0, 30).map(lambda count: "x" * count)
SHORT_OR_LONG = st.one_of(st.text("xy", max_size=2), st.text("xy", min_size=30, max_size=50))
WORDS = st.lists(st.sampled_from(["the", "of", "o", "f", ""]), max_size=8)
TOKENS = st.lists(st.sampled_from([0, 1, BIG, -BIG, -1, -2, 2**63 - 1, 2**70]), max_size=8)
KINDS = [st.text(max_size=8), CHARACTERS, ONE_SYMBOL, SHORT_OR_LONG, WORDS, TOKENS]
SETS = st.one_of([st.lists(kind, min_size=2, max_size=7) for kind in KINDS])


@settings(deadline=None, max_examples=300)
@given(SETS)
def test_nearest_distances_are_those_of_the_textbook_bit_by_bit(sequences):
    assert nearest_distances(sequences).tolist() == oracle.nearest_distances(sequences)


@settings(deadline=None, max_examples=300)
@given(SETS)
def test_the_k_smallest_are_exact_for_every_k_and_the_rest_are_upper_bounds(sequences):
    exact = oracle.nearest_distances(sequences)
    for k in range(1, len(sequences) + 1):
        bounds = search(as_strings(sequences), k)
        assert sorted(bounds)[:k] == sorted(exact)[:k]
        assert all(bound >= value for bound, value in zip(bounds, exact, strict=True))


@settings(deadline=None, max_examples=200)
@given(SETS, st.integers(1, 12))
def test_the_mean_is_that_of_the_textbook_from_k_1_to_beyond_m(sequences, k):
    smallest = sorted(oracle.nearest_distances(sequences))[:k]
    assert min_knn_distance(sequences, k) == pytest.approx(fmean(smallest), abs=1e-15)


@settings(deadline=None, max_examples=100)
@given(SETS)
def test_the_matrix_is_that_of_the_textbook(sequences):
    edits = [[oracle.distance(a, b) for b in sequences] for a in sequences]
    assert distance_matrix(sequences).tolist() == edits
    normalized = distance_matrix(sequences, normalized=True)
    np.fill_diagonal(normalized, inf)
    assert normalized.min(axis=1).tolist() == nearest_distances(sequences).tolist()


@settings(deadline=None, max_examples=100)
@given(SETS.flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))))
def test_the_order_of_sequences_changes_nothing(pair):
    sequences, moved = pair
    for k in range(1, len(sequences) + 1):
        assert min_knn_distance(sequences, k) == min_knn_distance(moved, k)


def test_the_order_changes_nothing_in_all_24_orders_of_four():
    assert {min_knn_distance(moved, 3) for moved in permutations(FOUR)} == {1 / 3}


@given(st.tuples(TOKENS, TOKENS))
def test_symbols_become_equal_characters_if_and_only_if_they_are_equal(sequences):
    strings = as_strings(sequences)
    assert [len(string) for string in strings] == [len(sequence) for sequence in sequences]
    symbols, characters = [*sequences[0], *sequences[1]], "".join(strings)
    assert [[x == y for y in symbols] for x in symbols] == [
        [x == y for y in characters] for x in characters
    ]


@pytest.mark.parametrize("k", [0, -3])
def test_a_k_below_1_is_refused(k):
    with pytest.raises(BadInput) as caught:
        min_knn_distance(FOUR, k)
    assert str(caught.value) == (
        f"k is {k}. Min-kNN Distance averages at least one distance: k >= 1."
    )


@pytest.mark.parametrize("sequences", [[], ["alone"]])
def test_fewer_than_two_sequences_are_refused(sequences):
    text = f"a nearest neighbour needs two sequences; this set has {len(sequences)}."
    for call in (nearest_distances, lambda found: min_knn_distance(found, 1)):
        with pytest.raises(BadInput) as caught:
            call(sequences)
        assert str(caught.value) == text
