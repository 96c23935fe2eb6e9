"""The published metrics: by hand, and against what the published evaluation printed."""

import json

import numpy as np
import pytest
from msgspec import to_builtins

from wellworn.statistics.published import published_metrics
from wellworn.statistics.roc import tpr_at_fpr


def labelled(members, others):
    labels = np.array([True] * len(members) + [False] * len(others))
    return labels, np.array([*members, *others], dtype=float)


def test_a_point_exactly_at_5_percent_is_forfeited_here_and_counts_in_ours():
    data = labelled([11] * 5 + [9] * 5 + [-1] * 10, [10] + [0] * 19)
    assert published_metrics(*data).tpr_at_fpr_5 == 0.25
    assert tpr_at_fpr(*data, 0.05).tpr == 0.5


def test_with_15_non_members_it_is_the_rate_without_a_false_positive():
    data = labelled([20, 8, 8, 1], [9, *[0] * 14])
    assert published_metrics(*data).tpr_at_fpr_5 == 0.25


def test_a_detector_without_a_positive_j_has_an_f1_of_0_and_no_threshold():
    found = published_metrics(*labelled([0, 1, 2], [3, 4, 5]))
    assert (found.youden_j_score, found.f1_at_youden_threshold) == (0, 0)
    assert found.optimal_threshold_youden is None
    assert found.accuracy_at_youden_threshold == 0.5
    assert found.roc_auc == 0


def test_the_best_f1_of_a_useless_detector_is_that_of_calling_all_members():
    found = published_metrics(*labelled([0, 1], [2, 3]))
    assert found.best_f1_score == pytest.approx(2 * 0.5 / (1.5 + 1e-6), abs=1e-15)
    assert (found.optimal_threshold_f1, found.accuracy_at_best_f1) == (0, 0.5)


def test_the_smoothers_by_hand():
    found = published_metrics(*labelled([2, 3], [0, 1]))
    assert found.best_f1_score == pytest.approx(2 / (2 + 1e-6), abs=1e-15)
    share = 2 / (2 + 1e-6)
    assert found.f1_at_youden_threshold == pytest.approx(
        2 * share**2 / (2 * share + 1e-6), abs=1e-15
    )


def test_ties_count_half():
    assert published_metrics(*labelled([1, 2], [1, 0])).roc_auc == 0.875


def test_all_golden_numbers(shared):
    cases = json.loads((shared / "golden" / "rlmia_metrics.json").read_text())
    for case in cases:
        found = published_metrics(np.array(case["labels"], dtype=bool), np.array(case["scores"]))
        assert to_builtins(found) == pytest.approx(case["expected"], rel=0, abs=1e-12)
    assert len(cases) == 7
