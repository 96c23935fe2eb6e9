"""The AUC, its p-value and its interval, against other libraries, enumeration and simulation."""

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, norm
from sklearn.metrics import roc_auc_score

from wellworn.statistics import comparison
from wellworn.statistics.comparison import compare, detectable_auc, smallest_p

TIED = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])
ANY = st.floats(-1e6, 1e6)
SETS = st.one_of([st.tuples(*[st.lists(x, min_size=2, max_size=7)] * 2) for x in (TIED, ANY)])


def wins(suspects, references):
    """Return twice the number of pairs that the suspect wins, ties counting half."""
    return sum((s > r) * 2 + (s == r) for s in suspects for r in references)


def enumerated_p(suspects, references):
    """Return the share of all relabellings that win as many pairs, or more."""
    pooled = [*suspects, *references]
    seen = wins(suspects, references)
    extreme = 0
    for chosen in combinations(range(len(pooled)), len(suspects)):
        others = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        extreme += wins([pooled[i] for i in chosen], others) >= seen
    return extreme / comb(len(pooled), len(suspects))


def normal_scores(auc, n1, n2, generator):
    """Return normal scores of two sets whose true AUC is `auc`."""
    shift = sqrt(2) * norm.ppf(auc)
    return generator.normal(shift, size=n1).tolist(), generator.normal(size=n2).tolist()


@pytest.fixture
def quick(monkeypatch):
    """Resample 500 times, which is enough for a share of audits."""
    monkeypatch.setattr(comparison, "RESAMPLES", 500)


@pytest.mark.parametrize(
    ("suspects", "references", "auc"),
    [
        ([2, 3], [0, 1], 1),
        ([0, 1], [2, 3], 0),
        ([1, 1], [1, 1], 0.5),
        ([1, 3], [0, 2], 0.75),
        ([1, 2], [1, 0], 0.875),
        ([0.5, 0.5, 1], [0.5, 0], 5 / 6),
    ],
)
def test_an_auc_counted_by_hand(suspects, references, auc):
    assert compare(suspects, references).auc == auc


@settings(deadline=None, max_examples=60)
@given(SETS)
def test_the_auc_is_that_of_scikit_learn(sets):
    suspects, references = sets
    labels = [1] * len(suspects) + [0] * len(references)
    expected = roc_auc_score(labels, [*suspects, *references])
    assert compare(suspects, references).auc == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(SETS)
def test_swapped_sets_have_the_opposite_auc_and_limits_around_it(sets):
    one, other = compare(*sets), compare(*reversed(sets))
    assert one.auc + other.auc == pytest.approx(1, abs=1e-12)
    assert 0 <= one.low <= one.auc <= one.high <= 1


def test_only_the_order_of_scores_matters():
    suspects, references = [0.1, 0.5, 0.7, 0.7], [0.0, 0.1, 0.6]
    cubed = compare([x**3 for x in suspects], [x**3 for x in references])
    assert cubed == compare(suspects, references)


def test_the_order_in_a_set_changes_nothing():
    assert compare([3, 1, 2], [2, 0, 1]) == compare([1, 2, 3], [0, 1, 2])


def test_an_exact_p_by_hand():
    result = compare([3, 4], [1, 2])
    assert (result.p, result.p_method) == (pytest.approx(1 / 6), "exact")
    assert compare([1, 2], [3, 4]).p == 1
    assert compare([2, 4], [1, 3]).p == pytest.approx(2 / 6)


def test_a_p_with_ties_by_hand():
    result = compare([1, 1], [0, 1])  # of 6 relabellings, 3 leave the 0 among the references
    assert (result.p, result.p_method) == (pytest.approx(1 / 2), "permutation")


@settings(deadline=None, max_examples=40)
@given(SETS)
def test_the_p_value_of_small_sets_is_that_of_full_enumeration(sets):
    result = compare(*sets)
    assert result.p == pytest.approx(enumerated_p(*sets), abs=1e-12)
    tied = len({*sets[0], *sets[1]}) < len(sets[0]) + len(sets[1])
    assert result.p_method == ("permutation" if tied else "exact")


def test_the_p_value_without_ties_is_the_exact_one_of_scipy():
    suspects, references = normal_scores(0.6, 40, 25, np.random.default_rng(1))
    expected = mannwhitneyu(suspects, references, alternative="greater", method="exact").pvalue
    result = compare(suspects, references)
    assert (result.p, result.p_method) == (pytest.approx(expected, rel=1e-12), "exact")


def test_a_p_value_with_ties_and_too_many_relabellings_is_drawn():
    generator = np.random.default_rng(2)
    suspects, references = (generator.integers(d, 9 + d, 60).tolist() for d in (1, 0))
    normal = mannwhitneyu(suspects, references, alternative="greater", method="asymptotic").pvalue
    result = compare(suspects, references)
    assert result.p_method == "permutation"
    assert result.p == pytest.approx(normal, abs=0.005)
    assert 0.001 < result.p < 0.2


def test_a_drawn_p_value_is_never_0():
    result = compare([1] * 20, [0] * 20)
    assert (result.p, result.p_method) == (1 / 10_000, "permutation")


def test_large_sets_take_the_normal_p_value(monkeypatch):
    suspects, references = normal_scores(0.55, 300, 300, np.random.default_rng(3))
    expected = mannwhitneyu(suspects, references, alternative="greater", method="asymptotic").pvalue
    result = compare(suspects, references)
    assert (result.p, result.p_method) == (pytest.approx(expected), "normal")
    monkeypatch.setattr(comparison, "_PERMUTED", 6)
    assert compare([1, 2, 2], [0, 1, 1]).p_method == "permutation"
    assert compare([1, 2, 2], [0, 1, 1, 1]).p_method == "normal"


@pytest.mark.parametrize(("auc", "n"), [(0.5, 30), (0.7, 30), (0.7, 50)])
def test_the_interval_holds_the_truth_in_95_percent_of_audits(auc, n, quick):
    generator = np.random.default_rng(4)
    audits = [compare(*normal_scores(auc, n, n, generator)) for _ in range(300)]
    held = np.mean([audit.low <= auc <= audit.high for audit in audits])
    assert abs(held - 0.95) < 3 * sqrt(0.95 * 0.05 / 300)


def test_under_chance_the_interval_lies_above_one_half_in_2_or_3_percent_of_audits(quick):
    generator = np.random.default_rng(5)
    audits = [compare(*normal_scores(0.5, 30, 30, generator)) for _ in range(400)]
    assert abs(np.mean([audit.low > 0.5 for audit in audits]) - 0.025) < 3 * sqrt(0.025 / 400)
    assert abs(np.mean([audit.p < 0.05 for audit in audits]) - 0.05) < 3 * sqrt(0.05 / 400)


def test_the_interval_far_from_chance_is_too_narrow_as_the_docstring_says(quick):
    generator = np.random.default_rng(6)
    audits = [compare(*normal_scores(0.97, 30, 30, generator)) for _ in range(300)]
    held = np.mean([audit.low <= 0.97 <= audit.high for audit in audits])
    assert abs(held - 0.89) < 3 * sqrt(0.89 * 0.11 / 300)


def test_the_bootstrap_interval_is_near_the_one_of_delong():
    suspects, references = normal_scores(0.7, 60, 40, np.random.default_rng(7))
    won = np.greater.outer(suspects, references)
    error = sqrt(won.mean(axis=1).var(ddof=1) / 60 + won.mean(axis=0).var(ddof=1) / 40)
    result = compare(suspects, references)
    assert result.low == pytest.approx(result.auc - 1.96 * error, abs=0.01)
    assert result.high == pytest.approx(result.auc + 1.96 * error, abs=0.01)
    assert result.interval == "stratified bootstrap, 4000 resamples"


def test_the_interval_is_the_same_each_time_and_in_batches():
    suspects, references = normal_scores(0.7, 1000, 500, np.random.default_rng(8))
    assert (1000 + 500) * comparison.RESAMPLES > 5_000_000  # more than one batch
    first = compare(suspects, references)
    assert compare(suspects, references) == first
    assert first.high - first.low == pytest.approx(0.056, abs=0.01)


SEPARATED = "Clopper-Pearson on {} disjoint pairs, since the sets are separated"


@pytest.mark.parametrize("n", [2, 5, 30])
def test_separated_sets_have_the_interval_of_pairs_that_all_agree(n):
    limit = 0.025 ** (1 / n)
    above = compare(range(100, 100 + n), range(2 * n))
    assert (above.low, above.high) == (pytest.approx(limit), 1)
    assert above.interval == SEPARATED.format(n)
    below = compare(range(n), range(100, 100 + n))
    assert (below.low, below.high) == (0, pytest.approx(1 - limit))
    assert limit**n == pytest.approx(0.025)


def test_equal_scores_say_nothing_and_the_interval_says_so():
    result = compare([1.0] * 5, [1.0] * 8)
    limit = 0.025 ** (1 / 5)
    assert result.auc == 0.5
    assert (result.low, result.high) == (pytest.approx(limit / 2), pytest.approx(1 - limit / 2))
    assert result.interval == "Clopper-Pearson on 5 disjoint pairs, since all scores are equal"
    assert result.p == 1


@pytest.mark.parametrize(("n1", "n2", "p"), [(1, 1, 1 / 2), (2, 2, 1 / 6), (4, 4, 1 / 70)])
def test_the_smallest_p_by_hand(n1, n2, p):
    assert smallest_p(n1, n2) == p


@pytest.mark.parametrize(("n1", "n2"), [(2, 2), (3, 4), (6, 3)])
def test_complete_separation_has_the_smallest_p(n1, n2):
    result = compare(range(100, 100 + n1), range(n2))
    assert result.p == pytest.approx(smallest_p(n1, n2))
    assert result.smallest_p == smallest_p(n1, n2)


def test_the_smallest_p_of_very_large_sets_is_no_error():
    assert smallest_p(20_000, 20_000) == 0


def test_a_detectable_auc_by_hand():
    error = sqrt((50 + 50 + 1) / (12 * 50 * 50))
    assert detectable_auc(50, 50) == pytest.approx(0.5 + (1.959964 + 0.841621) * error, abs=1e-6)
    assert detectable_auc(4, 4) == 1
    assert detectable_auc(15, 100) == detectable_auc(100, 15)
    assert compare([1, 2, 3], [0, 1, 4]).detectable_auc == detectable_auc(3, 3)


@pytest.mark.parametrize(("n1", "n2"), [(50, 50), (30, 80)])
def test_the_detectable_auc_is_seen_in_80_percent_of_audits(n1, n2, quick):
    generator, auc = np.random.default_rng(9), detectable_auc(n1, n2)
    audits = [compare(*normal_scores(auc, n1, n2, generator)) for _ in range(200)]
    seen = np.mean([audit.low > 0.5 for audit in audits])
    assert abs(seen - 0.8) < 3 * sqrt(0.8 * 0.2 / 200)


@pytest.mark.parametrize(("suspects", "references"), [([], [1, 2]), ([1, 2], [1]), ([1], [2])])
def test_one_score_is_no_set(suspects, references):
    with pytest.raises(ValueError, match=r"^a comparison needs two scores a set; there are") as e:
        compare(suspects, references)
    assert str(e.value).endswith(f"{len(suspects)} and {len(references)}")
