"""Means, contrasts and courses, against statsmodels and by hand."""

import pytest
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from wellworn.analysis.results import Analysed
from wellworn.analysis.trajectories import contrast, contrasts, course, mean_of, means

FIRST, SECOND = [3.0, 4.0, 6.0, 7.0, 9.5], [1.0, 2.5, 2.0, 8.0]


def items(group, values, start=0):
    return [
        Analysed(prompt_id=f"{group}{i}", group=group, prompt="", measures={"modes": value})
        for i, value in enumerate(values, start)
    ]


def test_means_are_statsmodels():
    found, theirs = mean_of(FIRST), DescrStatsW(FIRST)
    assert (found.value, found.count) == (5.9, 5)
    assert found.error == pytest.approx(theirs.std_mean)
    assert (found.low, found.high) == pytest.approx(theirs.tconfint_mean())
    assert mean_of([2.0]).low is None


def test_contrasts_are_statsmodels():
    found = contrast(FIRST, SECOND)
    theirs = CompareMeans(DescrStatsW(FIRST), DescrStatsW(SECOND)).tconfint_diff(usevar="unequal")
    assert (found.low, found.high) == pytest.approx(theirs)
    assert found.difference == pytest.approx(5.9 - 3.375)
    assert contrast([1.0], SECOND) is None
    assert contrast([1.0, 1.0], [2.0, 2.0]) is None


def test_groups_are_kept_apart():
    held = [*items("members", FIRST), *items("non-members", SECOND)]
    found = means(held, ("members", "non-members"))
    assert found["modes"]["members"].value == 5.9
    assert contrasts(held, ("members", "non-members"))["modes"].difference == pytest.approx(2.525)
    assert contrasts(held, ("members",)) == {}


def test_a_course_compares_a_prompt_with_itself():
    first = [*items("members", FIRST), *items("non-members", SECOND)]
    last = [*items("members", [x - 2 for x in FIRST]), *items("non-members", SECOND)]
    last.append(Analysed(prompt_id="members0x", group="members", prompt="", reason="none"))
    found = course(first[1:], last, ("members", "non-members"))["modes"]
    assert found.groups["members"].prompts == 4  # one is not in the first run
    assert found.groups["members"].mean == -2
    assert found.groups["non-members"].mean == 0
    assert found.difference is None  # nothing varies within either group
