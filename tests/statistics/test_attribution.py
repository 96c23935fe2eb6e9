"""Attribution as a whole: what is in it, what it survives, and that it can be told to JSON."""

from math import sqrt

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from statsmodels.stats.multitest import multipletests

from simulated_audits import Cell, drawn
from wellworn.statistics.attribution import attribute
from wellworn.statistics.comparison import compare
from wellworn.statistics.controls import control
from wellworn.statistics.estimates import Estimate
from wellworn.statistics.evidence import Attribution
from wellworn.statistics.items import COVARIATES, Item
from wellworn.statistics.overlap import Balance
from wellworn.statistics.verdict import LEVELS, decide

COMPARISON = compare([3, 4, 5, 6, 7, 8], [1, 2, 3.5, 4.5, 5.5, 0])


def audit(exposure=1.2, number=0, **conditions):
    cell = Cell("", 40, 40, exposure=exposure, samples=32, **conditions)
    return drawn(cell, cell.references, np.random.default_rng(number))


def test_the_estimates_in_their_order():
    blind = Estimate(
        name="characters", kind="blind", auc=0.5, low=0.4, high=0.6, suspects=40, references=40
    )
    items = [replace(item, length=50.0 + int(item.prompt_id)) for item in audit()]
    found = attribute(items, [blind])
    assert [(each.name, each.kind) for each in found.estimates] == [
        ("detector", "detector"),
        ("characters", "blind"),
        ("base model's score", "nuisance"),
        ("completion length", "nuisance"),
        ("regression", "adjusted"),
        ("regression, with the allowance", "adjusted"),
        ("weighting", "adjusted"),
        ("weighting, with the allowance", "adjusted"),
        ("regression, tuned pass rate too", "adjusted"),
        ("change of the score", "difference"),
        ("change of the score, adjusted", "difference"),
        ("change of the score, with the allowance", "difference"),
        ("gain in success", "success"),
        ("gain in success, adjusted", "success"),
        ("gain in success, with the allowance", "success"),
    ]
    assert {(each.suspects, each.references) for each in found.estimates} == {(40, 40)}


def test_the_detector_is_the_comparison():
    items = audit()
    sides = [[i.score for i in items if i.suspect is side] for side in (True, False)]
    expected = compare(*sides)
    assert attribute(items) == attribute(items, comparison=expected)
    detector = attribute(items).estimates[0]
    assert (detector.auc, detector.low, detector.p) == (expected.auc, expected.low, expected.p)


def test_the_checks_are_those_of_the_score():
    items = audit(easier=0.5)
    found, score = attribute(items), control(items, lambda item: item.score, COVARIATES)
    squares = ["base score, squared", "base pass rate, squared"]
    assert [each.name for each in found.balance] == [*COVARIATES, *squares]
    references = [item for item in items if not item.suspect]
    rates = [[i.base_pass_rate for i in references], [i.pass_rate for i in references]]
    assert found.foretold == pytest.approx(np.corrcoef(rates)[0, 1])
    assert found.imbalance == score.imbalance
    assert found.explained == score.fit.explained
    assert found.clusters == (40, 40)
    assert 0.7 < found.reliability < 1
    assert found.power.claim > found.power.detectable > found.power.adjusted


def test_what_the_adjusted_interval_withstands():
    items = audit(easier=0.7, number=3)
    found, score = attribute(items), control(items, lambda item: item.score, COVARIATES)
    assert 0 < found.withstands < 100
    assert score.allowed(score.fit.effect, found.withstands - 0.1).limits[0] > 0
    assert score.allowed(score.fit.effect, found.withstands + 0.1).limits[0] < 0
    even = [replace(i, base_score=None, base_pass_rate=None) for i in audit(easier=-1.0)]
    assert attribute(even).withstands is None  # no squares, and the rest favours the references


def test_the_joint_p_value_is_holms_smallest():
    items = audit(exposure=0.4)
    gain = control(items, lambda item: item.pass_rate - item.base_pass_rate, COVARIATES)
    score = control(items, lambda item: item.score, COVARIATES)
    p_values = [score.fit.effect.p, gain.fit.effect.p]
    expected = multipletests(p_values, method="holm")[1].min()
    assert attribute(items).joint_p == pytest.approx(expected)
    assert attribute([replace(item, pass_rate=None) for item in items]).joint_p is None


@pytest.mark.parametrize(
    ("exposure", "success", "carrier"),
    [(2.0, 0.0, "convergence"), (0.0, 4.0, "success"), (2.5, 3.0, "both"), (0.0, 0.0, None)],
)
def test_what_carries_a_separation(exposure, success, carrier):
    assert attribute(audit(exposure, success=success)).carried_by == carrier


def test_a_difference_is_not_adjusted_for_the_controls_score():
    """It would be the adjusted score again."""
    found = attribute(audit())
    changed = control(
        audit(),
        lambda item: item.score - item.base_score,
        {name: read for name, read in COVARIATES.items() if name != "base score"},
    )
    expected = changed.fit.effect.estimate("", "difference", (40, 40)).auc
    assert found.named("change of the score, adjusted").auc == expected
    assert found.named("nothing") is None


def test_a_planted_exposure_reaches_the_highest_level():
    found = attribute(audit(2.0))
    assert found.against_matched == ()
    assert found.against_exposure == ()
    assert decide(COMPARISON, (), found).level == "consistent with RL exposure"


@pytest.mark.parametrize(
    ("missing", "level"),
    [
        (("base_score", "base_pass_rate", "base_length"), "converged, not attributable"),
        (("base_pass_rate",), "converged, not attributable"),
        (("base_samples",), "converged, not attributable"),
        (("base_score",), "converged more than matched controls"),
        (("pass_rate",), "converged, not attributable"),
        (("base_length",), "consistent with RL exposure"),
    ],
)
def test_what_is_not_known_stands_against_a_claim(missing, level):
    items = [replace(item, **dict.fromkeys(missing)) for item in audit(2.0)]
    assert decide(COMPARISON, (), attribute(items)).level == level


def test_a_pool_that_was_harder_takes_a_claim_back():
    before = [Balance(name="base pass rate", suspects=0.4, references=0.1, difference=1.2)]
    items = audit(1.2, number=7)
    assert attribute(items).against_matched == ()
    found = attribute(items, before=before)
    assert "By what was fixed before RL alone" in " ".join(found.against_matched)


def test_clusters_count_as_what_is_independent():
    clustered = [
        replace(item, cluster=f"{item.suspect}{i % 5}") for i, item in enumerate(audit(2.0))
    ]
    found = attribute(clustered)
    assert found.clusters == (5, 5)
    assert "The suspects have 5 independent" in " ".join(found.against_matched)


def test_it_can_be_told_to_json_and_back():
    found = attribute(audit())
    assert msgspec.json.decode(msgspec.json.encode(found), type=Attribution) == found


def test_fewer_than_two_scores_of_a_set_are_refused():
    items = [Item(prompt_id=str(i), suspect=i == 0, score=1.0, prompt_length=9) for i in range(9)]
    with pytest.raises(ValueError, match="two scores a set"):
        attribute(items)


RATE = st.sampled_from([0.0, 0.125, 0.5, 1.0])
SOME = st.floats(-1, 1) | st.sampled_from([0.0, 0.5])
ITEMS = st.builds(
    Item,
    prompt_id=st.uuids().map(str),
    suspect=st.booleans(),
    score=SOME,
    base_score=st.none() | SOME,
    pass_rate=st.none() | RATE,
    base_pass_rate=st.none() | RATE,
    base_samples=st.none() | st.sampled_from([1, 8]),
    prompt_length=st.integers(0, 5_000),
    length=st.none() | st.floats(0, 1e5),
    base_length=st.none() | st.floats(0, 1e5),
    truncated=st.none() | RATE,
    base_truncated=st.none() | RATE,
    cluster=st.none() | st.sampled_from(["a", "b", "c"]),
)
DULL = st.fixed_dictionaries(
    {},
    optional={
        "score": RATE,
        "base_score": RATE,
        "pass_rate": RATE,
        "base_pass_rate": RATE,
        "base_samples": st.just(8),
        "base_length": st.just(100.0),
        "prompt_length": st.just(10),
        "cluster": st.none(),
    },
)


@settings(deadline=None, max_examples=300)
@given(st.lists(ITEMS, min_size=6, max_size=40), DULL)
def test_whatever_the_items_there_is_a_sane_result_or_a_reason(items, same):
    items = [replace(item, **same) for item in items]
    items = [replace(item, suspect=i % 2 == 0) if i < 4 else item for i, item in enumerate(items)]
    found = attribute(items, comparison=COMPARISON)
    for each in found.estimates:
        assert 0 <= each.low <= each.auc <= each.high <= 1
        assert each.p is None or 0 <= each.p <= 1
    assert all(isinstance(reason, str) for reason in found.against_matched)
    msgspec.json.decode(msgspec.json.encode(found), type=Attribution)
    if found.explained is not None:
        assert -1e-9 <= found.explained <= 1
    verdict = decide(COMPARISON, (), found)
    assert verdict.level in LEVELS
    assert verdict.reasons


@pytest.mark.parametrize("n", [(6, 6), (6, 150), (150, 6), (150, 150)])
def test_sets_of_any_size_are_adjusted(n):
    cell = Cell("", *n, samples=32, exposure=1.0)
    found = attribute(drawn(cell, n[1], np.random.default_rng(1)), comparison=COMPARISON)
    assert found.named("regression").low < found.named("regression").high
    width = found.named("regression").high - found.named("regression").low
    assert width < 1.2 * 4 * sqrt(1 / n[0] + 1 / n[1])
