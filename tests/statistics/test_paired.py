"""Paired comparisons: against definitions spelt out, simulation and other people's numbers."""

from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from wellworn.statistics import paired
from wellworn.statistics.paired import compare_pairs, delong, holm

TIED = st.sampled_from([0.0, 0.25, 0.5, 1.0])
CASES = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(TIED, min_size=n + 3, max_size=n + 3)] * 2, st.just(n))
)


def wins(member, other):
    return 1.0 if member > other else 0.5 if member == other else 0.0


def spelt_out(labels, first, second):
    """Return the difference of AUCs and its error by the sums of DeLong et al., term by term."""
    members = [i for i, label in enumerate(labels) if label]
    others = [i for i, label in enumerate(labels) if not label]
    m, n = len(members), len(others)
    aucs, by_member, by_other = [], [], []
    for scores in (first, second):
        aucs.append(sum(wins(scores[i], scores[j]) for i, j in product(members, others)) / (m * n))
        by_member.append([sum(wins(scores[i], scores[j]) for j in others) / n for i in members])
        by_other.append([sum(wins(scores[i], scores[j]) for i in members) / m for j in others])

    def covariance(parts, r, s, count):
        pairs = zip(parts[r], parts[s], strict=True)
        return sum((x - aucs[r]) * (y - aucs[s]) for x, y in pairs) / (count - 1)

    def entry(r, s):
        return covariance(by_member, r, s, m) / m + covariance(by_other, r, s, n) / n

    return aucs[0] - aucs[1], sqrt(max(0.0, entry(0, 0) + entry(1, 1) - 2 * entry(0, 1)))


@given(CASES)
def test_delong_is_what_the_paper_defines(case):
    first, second, n = case
    labels = np.array([True] * 3 + [False] * n)
    found = delong(labels, np.array(first), np.array(second))
    assert found == pytest.approx(spelt_out(labels, first, second), abs=1e-7)


def test_delong_by_hand():
    """First: wins of 2 members over 2 others 1, 1 / 1, 0; second: 1, 0 / 1, 0.

    AUCs 3/4 and 1/2. Members' shares differ by 0 and 1/2, others' by 0 and 1/2; the variance
    of either pair is 1/8, and 1/8/2 + 1/8/2 = 1/8.
    """
    labels = np.array([True, True, False, False])
    first, second = np.array([3, 1, 0, 2]), np.array([1, 1, 0, 2])
    assert delong(labels, first, second) == pytest.approx((1 / 4, sqrt(1 / 8)))


def test_the_error_is_the_spread_of_the_difference_over_many_draws():
    generator = np.random.default_rng(1)
    labels = np.arange(80) < 40
    found = []
    for _ in range(400):
        shared = generator.normal(size=80) + labels
        found.append(delong(labels, *(shared + generator.normal(size=80) for _ in range(2))))
    differences, errors = np.transpose(found)
    assert np.mean(errors) == pytest.approx(np.std(differences), rel=0.1)


def correlated(generator, shift, n=60):
    """Return labels and the scores of two detectors, of which the second has an advantage."""
    labels = np.arange(2 * n) < n
    shared = generator.normal(size=2 * n)
    first, second = (0.5 * shared + generator.normal(size=2 * n) for _ in range(2))
    return labels, {"a": first + 0.5 * labels, "b": second + (0.5 + shift) * labels}


def test_a_pair_has_the_difference_of_its_aucs_and_the_normal_p_value():
    labels, scores = correlated(np.random.default_rng(2), shift=0.4)
    [pair] = compare_pairs(labels, scores)
    expected = roc_auc_score(labels, scores["a"]) - roc_auc_score(labels, scores["b"])
    difference, error = delong(labels, scores["a"], scores["b"])
    assert (pair.first, pair.second) == ("a", "b")
    assert pair.difference == pytest.approx(expected)
    assert pair.delong_p == pytest.approx(2 * norm.cdf(-abs(difference) / error))
    assert pair.delong_p_holm == pair.delong_p
    assert pair.low == pytest.approx(difference - 1.96 * error, abs=0.02)
    assert pair.high == pytest.approx(difference + 1.96 * error, abs=0.02)
    assert pair.bootstrap_p == pytest.approx(pair.delong_p, abs=0.05)


def test_resampled_aucs_are_those_of_the_drawn_prompts(monkeypatch):
    """The draws are made again from the same seed, and written out prompt by prompt."""
    monkeypatch.setattr(paired, "RESAMPLES", 5)
    generator = np.random.default_rng(3)
    labels, scores = np.arange(9) < 4, generator.integers(0, 4, 9).astype(float)
    again = np.random.default_rng(paired._SEED)
    drawn = again.multinomial(4, [1 / 4] * 4, 5)
    against = again.multinomial(5, [1 / 5] * 5, 5)
    expected = [
        roc_auc_score(
            [True] * 4 + [False] * 5,
            [*np.repeat(scores[:4], drawn[i]), *np.repeat(scores[4:], against[i])],
        )
        for i in range(5)
    ]
    found = paired._resampled_wins(labels, [scores, -scores]) / (2 * 4 * 5)
    assert found[0] == pytest.approx(expected)
    assert found[1] == pytest.approx(1 - np.array(expected))


def test_batches_change_nothing_but_the_draws(monkeypatch):
    labels, scores = correlated(np.random.default_rng(4), shift=0)
    whole = compare_pairs(labels, scores)[0]
    monkeypatch.setattr(paired, "_BATCH", 120 * 1_000)
    parts = compare_pairs(labels, scores)[0]
    assert parts.delong_p == whole.delong_p
    assert parts.bootstrap_p == pytest.approx(whole.bootstrap_p, abs=0.05)
    assert compare_pairs(labels, scores)[0] == parts


@pytest.mark.parametrize("test", ["delong_p", "bootstrap_p"])
def test_equal_detectors_differ_in_5_percent_of_evaluations(test, monkeypatch):
    monkeypatch.setattr(paired, "RESAMPLES", 500)
    generator = np.random.default_rng(5)
    pairs = [compare_pairs(*correlated(generator, shift=0))[0] for _ in range(300)]
    share = np.mean([getattr(pair, test) < 0.05 for pair in pairs])
    assert abs(share - 0.05) < 3 * sqrt(0.05 * 0.95 / 300)


def test_a_real_advantage_is_seen():
    [pair] = compare_pairs(*correlated(np.random.default_rng(6), shift=1.5))
    assert pair.high < 0
    assert pair.delong_p < 0.001
    assert pair.bootstrap_p == pytest.approx(2 / 4_001)


@pytest.mark.parametrize(
    ("second", "difference"),
    [([3, 2, 1, 0], 0), ([30, 20, 10, 5], 0), ([0, 1, 2, 3], 1), ([0, 0, 0, 0], 0.5)],
)
def test_without_spread_there_is_no_test(second, difference):
    labels = np.array([True, True, False, False])
    scores = {"a": np.array([3.0, 2, 1, 0]), "b": np.array(second, dtype=float)}
    [pair] = compare_pairs(labels, scores)
    assert pair.difference == difference
    assert pair.reason == "every resample gives the same difference"
    assert (pair.low, pair.delong_p, pair.delong_p_holm, pair.bootstrap_p) == (None,) * 4


def test_detectors_that_rank_alike_have_no_error_whatever_the_scale():
    generator = np.random.default_rng(7)
    labels, scores = generator.random(301) < 0.3, generator.normal(size=301)
    assert delong(labels, scores, np.exp(scores)) == (0, 0)


def test_all_pairs_are_one_family():
    labels, scores = correlated(np.random.default_rng(8), shift=0.5)
    scores |= {"c": scores["a"] * 2, "d": -scores["b"]}
    pairs = compare_pairs(labels, scores)
    assert [(p.first, p.second) for p in pairs] == list(combinations("abcd", 2))
    same = pairs[1]
    assert (same.first, same.second, same.delong_p_holm) == ("a", "c", None)
    tested = [pair for pair in pairs if pair is not same]
    assert [p.delong_p_holm for p in tested] == holm([p.delong_p for p in tested])
    assert [p.bootstrap_p_holm for p in tested] == holm([p.bootstrap_p for p in tested])
    smallest = min(tested, key=lambda pair: pair.delong_p)
    assert smallest.delong_p_holm == pytest.approx(5 * smallest.delong_p)


def test_one_detector_has_no_pair():
    labels, scores = correlated(np.random.default_rng(9), shift=0)
    assert compare_pairs(labels, {"a": scores["a"]}) == ()


def test_holm_by_hand():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.2, 0.01, 0.03, 0.8, 0.04]) == pytest.approx([0.4, 0.05, 0.12, 0.8, 0.12])
    assert holm([0.5, 0.9]) == [1, 1]
    assert holm([None, 0.02, None]) == [None, 0.02, None]
    assert holm([]) == []


def test_holm_is_that_of_statsmodels():
    """multipletests(p, method="holm") of statsmodels 0.15.0."""
    p_values = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    expected = [0.01, 0.072, 0.312, 0.312, 0.312, 0.312, 0.312, 0.615, 0.615, 0.615]
    assert holm(p_values) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_holm_closes_the_bonferroni_tests(p_values):
    """A difference stands only if every set of differences that holds it is rejected."""
    places = range(len(p_values))
    subsets = [s for size in places for s in combinations(places, size + 1)]
    bonferroni = {s: min(1.0, len(s) * min(p_values[i] for i in s)) for s in subsets}
    expected = [max(p for s, p in bonferroni.items() if i in s) for i in places]
    assert holm(p_values) == pytest.approx(expected)
