"""What a detector's metrics are made of, and what is said of too few prompts or of text alone."""

import numpy as np
import pytest

from wellworn.statistics.blind import baselines
from wellworn.statistics.comparison import compare
from wellworn.statistics.evaluation import (
    metrics_of,
    too_few,
    too_few_to_tell,
    warnings_of,
)
from wellworn.statistics.published import published_metrics
from wellworn.statistics.roc import cross_fitted, tpr_at_fpr, youden

LABELS = np.array([True] * 6 + [False] * 12)
SCORES = np.array([5, 4, 9, 8, 7, 1, *range(6), *range(6)], dtype=float)


def test_metrics_are_those_of_their_modules():
    found = metrics_of(LABELS, SCORES)
    assert found.comparison == compare(SCORES[:6].tolist(), SCORES[6:].tolist())
    assert found.tpr_at_fpr == tuple(tpr_at_fpr(LABELS, SCORES, x) for x in (0.01, 0.05, 0.10))
    assert found.youden == youden(LABELS, SCORES)
    assert found.cross_fitted == cross_fitted(LABELS, SCORES)
    assert found.published is None


def test_the_published_metrics_come_when_asked_for():
    found = metrics_of(LABELS, SCORES, published=True)
    assert found.published == published_metrics(LABELS, SCORES)


@pytest.mark.parametrize(("members", "others"), [(0, 5), (1, 5), (5, 1), (0, 0)])
def test_two_of_each_class_are_needed(members, others):
    labels = np.array([True] * members + [False] * others, dtype=bool)
    assert too_few(labels) == (
        f"2 prompts of each class are needed; {members} and {others} have a score"
    )
    assert too_few(np.array([True, True, False, False])) is None


def test_below_six_of_a_class_nothing_can_be_told_from_chance():
    [sentence] = too_few_to_tell(LABELS[1:])
    assert sentence == (
        "With 5 members and 12 non-members, even complete separation leaves an interval that "
        "holds 0.5: 6 of each are the least that can tell."
    )
    assert compare(range(100, 105), range(12)).low < 0.5
    assert too_few_to_tell(LABELS) == ()
    assert compare(range(100, 106), range(12)).low > 0.5


def test_a_warning_names_what_separates_once():
    everywhere = baselines(LABELS, {"characters": SCORES * 0 + LABELS, "commas": SCORES % 2})
    common = baselines(LABELS, {"characters": SCORES * 0 - LABELS})
    [warning] = warnings_of(everywhere, common)
    assert warning == (
        "Members and non-members differ in their text alone: characters (AUC 1.00 [0.54, 1.00])."
        " So no detector's AUC here is clean evidence of membership."
    )
    assert "characters (AUC 0.00 [0.00, 0.46])" in warnings_of((), common)[0]


def test_no_warning_where_nothing_separates():
    assert warnings_of(baselines(LABELS, {"commas": SCORES % 2}), ()) == ()
