"""What thresholds achieve: by hand, by scikit-learn, by enumeration."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn.metrics import f1_score, roc_curve

from wellworn.statistics.roc import FPR_LEVELS, cross_fitted, tpr_at_fpr, youden

SCORES = st.sampled_from([-1.5, 0.0, 0.25, 0.5, 1.0, 3.0]) | st.floats(-1e6, 1e6)
CLASSES = st.lists(SCORES, min_size=2, max_size=12)


def labelled(members, others):
    """Return labels and scores of two classes, members first."""
    labels = np.array([True] * len(members) + [False] * len(others))
    return labels, np.array([*members, *others], dtype=float)


# 20 non-members, of which one scores 10 and the others 0; 5 of 20 members are above it.
AT_THE_LEVEL = labelled([11] * 5 + [9] * 5 + [-1] * 10, [10] + [0] * 19)


def test_a_point_exactly_at_the_level_counts():
    found = tpr_at_fpr(*AT_THE_LEVEL, 0.05)
    assert (found.tpr, found.fpr, found.threshold) == (0.5, 0.05, 9)


def test_false_positives_that_find_no_member_are_not_accepted():
    found = tpr_at_fpr(*labelled([3, 0], [2, 1] + [0] * 38), 0.05)
    assert (found.tpr, found.fpr, found.threshold) == (0.5, 0, 3)


def test_the_interval_of_a_rate_is_clopper_and_pearsons():
    found = tpr_at_fpr(*AT_THE_LEVEL, 0.05)  # 10 of 20 members
    assert found.low == pytest.approx(beta.ppf(0.025, 10, 11))
    assert found.high == pytest.approx(beta.ppf(0.975, 11, 10))


def test_no_rate_where_the_level_asks_for_no_false_positive_at_all():
    found = tpr_at_fpr(*AT_THE_LEVEL, 0.01)
    assert (found.tpr, found.low, found.high, found.threshold) == (None, None, None, None)
    assert found.reason == "it needs 100 non-members; there are 20"


@pytest.mark.parametrize(("level", "least"), [(0.01, 100), (0.05, 20), (0.10, 10)])
def test_a_rate_is_given_from_one_over_the_level_non_members(level, least):
    assert tpr_at_fpr(*labelled([1, 2], range(least)), level).tpr is not None
    assert tpr_at_fpr(*labelled([1, 2], range(least - 1)), level).reason is not None


@pytest.mark.parametrize("level", FPR_LEVELS)
@pytest.mark.parametrize("others", [20, 30, 60, 70, 100, 140, 300, 700])
def test_the_most_false_positives_are_a_whole_number_of_them(level, others):
    """The members lie between the non-members, so that the rate counts what is let through."""
    labels, scores = labelled(np.arange(others) + 0.5, range(others))
    if others * level >= 1:
        let_through = others * round(100 * level) // 100
        assert tpr_at_fpr(labels, scores, level).fpr == let_through / others


def test_where_the_highest_scores_are_tied_nothing_can_be_called_a_member():
    found = tpr_at_fpr(*labelled([1] * 10, [1] * 20), 0.05)
    assert (found.tpr, found.fpr, found.threshold, found.low) == (0, 0, None, 0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 10))


@settings(max_examples=60)
@given(CLASSES, st.lists(SCORES, min_size=20, max_size=30))
def test_the_rate_is_the_best_point_of_scikit_learns_curve(members, others):
    labels, scores = labelled(members, others)
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    assert tpr_at_fpr(labels, scores, 0.05).tpr == pytest.approx(tpr[fpr <= 0.05].max())


def test_youdens_threshold_by_hand():
    found = youden(*labelled([3, 4, 5, 1], [0, 2, 2, 1]))
    assert (found.threshold, found.j) == (3, 0.75)
    assert found.f1 == pytest.approx(2 * 3 / (3 + 4))


def test_of_equal_thresholds_the_highest_is_taken():
    found = youden(*labelled([3, 1], [2, 0]))  # J = 1/2 at 3 and at 1
    assert (found.threshold, found.j) == (3, 0.5)


def test_a_detector_that_is_never_right_calls_nothing_a_member():
    found = youden(*labelled([0, 1], [2, 3]))
    assert (found.threshold, found.j, found.f1) == (None, 0, 0)
    assert youden(*labelled([1, 1], [1, 1])).threshold is None


@settings(max_examples=60)
@given(CLASSES, CLASSES)
def test_youdens_threshold_is_the_best_of_all(members, others):
    labels, scores = labelled(members, others)
    gains = {t: np.mean(scores[labels] >= t) - np.mean(scores[~labels] >= t) for t in scores}
    found = youden(labels, scores)
    assert found.j == pytest.approx(max(0, *gains.values()))
    called = scores >= (inf if found.threshold is None else found.threshold)
    assert found.f1 == pytest.approx(f1_score(labels, called, zero_division=0))


def test_a_separating_threshold_holds_out_of_fold():
    found = cross_fitted(*labelled(range(100, 130), range(30)))
    assert (found.folds, found.repeats) == (5, 10)
    assert found.f1 > 0.95
    assert found.j > 0.9


def test_a_threshold_chosen_on_noise_does_not_hold():
    generator = np.random.default_rng(1)
    sets = [(generator.random(40) < 0.5, generator.random(40)) for _ in range(60)]
    in_sample = np.mean([youden(*each).j for each in sets])
    out_of_fold = np.mean([cross_fitted(*each).j for each in sets])
    assert in_sample > 0.15
    assert abs(out_of_fold) < 0.05


def test_two_of_a_class_make_two_folds_worked_by_hand():
    """Each half holds a member at 3 and a non-member at 1, so 3 is chosen on either."""
    found = cross_fitted(*labelled([3, 3], [1, 1]))
    assert (found.folds, found.j, found.f1) == (2, 1, 1)


def test_the_order_of_monotone_scores_is_all_that_counts():
    labels, scores = labelled([0.5, 2, 3, 1], [0, 1.5, 0.2, 0.4])
    one, other = cross_fitted(labels, scores), cross_fitted(labels, np.exp(scores))
    assert one == other
