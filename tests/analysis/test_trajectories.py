"""Means, contrasts and courses, against statsmodels and by hand."""

import pytest
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from wellworn.analysis.results import Analysed, Checkpoint
from wellworn.analysis.trajectories import (
    contrast,
    contrasts,
    course,
    mean_of,
    means,
    share_of,
    sized_within,
)

FIRST, SECOND = [3.0, 4.0, 6.0, 7.0, 9.5], [1.0, 2.5, 2.0, 8.0]


def items(group, values, start=0):
    return [
        Analysed(prompt_id=f"{group}{i}", group=group, prompt="", measures={"modes": value})
        for i, value in enumerate(values, start)
    ]


def runs(*each):
    """Return runs of these prompts, of which nothing else is known."""
    bare = {"model": "m", "prompts": 0, "diversity": (), "means": {}, "chance": {}}
    return [
        Checkpoint(run=str(i), **bare, contrasts={}, cuts={}, items=tuple(items))
        for i, items in enumerate(each)
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
    found = course(runs(first[1:], last), ("members", "non-members"))["modes"]
    assert found.groups["members"].prompts == 4  # one is not in the first run
    assert found.groups["members"].mean == -2
    assert found.groups["non-members"].mean == 0
    assert found.difference is None  # nothing varies within either group


def test_changes_of_a_few_prompts_are_statsmodels():
    first, last = items("members", FIRST[:3]), items("members", [1.0, 3.5, 2.0])
    found = course(runs(first, last), ("members",))["modes"].groups["members"]
    theirs = DescrStatsW([-2.0, -0.5, -4.0]).tconfint_mean()
    assert (found.low, found.high) == pytest.approx(theirs)
    assert found.mean == pytest.approx(-6.5 / 3)
    assert found.low < 0 < found.high  # three that fell are no rule


def test_sizes_hold_what_some_prompts_have():
    held = [
        Analysed(prompt_id="a", group="g", prompt="", sized={4: {"edit": 1.0}}),
        Analysed(prompt_id="b", group="g", prompt="", sized={4: {"edit": 0.0, "nli": 2.0}}),
    ]
    [found] = sized_within(held, ["g"])
    assert (found.means["edit"].value, found.means["edit"].count) == (0.5, 2)
    assert (found.means["nli"].value, found.means["nli"].count) == (2.0, 1)


def test_shares_of_prompts_are_statsmodels():
    held = [
        Analysed(prompt_id=str(i), group="g", prompt="", measures={"few modes": float(i < 9)})
        for i in range(10)
    ]
    found = means(held, ["g"])["few modes"]["g"]
    assert (found.low, found.high) == pytest.approx(proportion_confint(9, 10, method="wilson"))
    every = share_of([1.0] * 10)
    assert every.low < 1 == every.high  # ten of ten are no certainty
    assert share_of([1.0]).low is None
