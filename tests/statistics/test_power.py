"""What sets can see: the formulas by hand and by statsmodels, the promise by simulation."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm, t
from statsmodels.stats.power import TTestIndPower

from wellworn.statistics.comparison import detectable_auc, smallest_p
from wellworn.statistics.power import plan, power_of


def shifted(auc):
    """Return the standard deviations between sets with such an AUC."""
    return sqrt(2) * norm.ppf(auc)


@pytest.mark.parametrize(("n1", "n2"), [(30, 30), (50, 100), (200, 200)])
def test_without_covariates_it_is_the_effect_that_a_t_test_sees(n1, n2):
    found = power_of(n1, n2, covariates=0, explained=0.0)
    exact = TTestIndPower().solve_power(nobs1=n1, ratio=n2 / n1, alpha=0.05, power=0.8)
    assert shifted(found.adjusted) == pytest.approx(exact, rel=0.005)


def test_adjustment_and_claim_by_hand():
    found = power_of(40, 60, covariates=4, explained=0.36, shift=0.2)
    error = sqrt(1 / 40 + 1 / 60) * sqrt(98 / 94)
    adjusted = (t.ppf(0.975, 94) + t.ppf(0.8, 94)) * error * 0.8
    balanced = norm.cdf(0.5 / sqrt(1 / 40 + 1 / 60))
    claim = (t.ppf(0.975, 94) + t.ppf(1 - (1 - 0.8 / balanced) / 3, 94)) * error * 98 / 94 + 0.2
    assert shifted(found.adjusted) == pytest.approx(adjusted)
    assert shifted(found.claim) == pytest.approx(claim)
    assert found.detectable == detectable_auc(40, 60)


def test_covariates_that_favour_the_references_lend_nothing():
    assert power_of(9, 9, covariates=1, explained=0, shift=-1) == power_of(
        9, 9, covariates=1, explained=0
    )


def test_covariates_cost_and_what_they_explain_pays():
    few = power_of(12, 12, covariates=1, explained=0.4)
    many = power_of(12, 12, covariates=8, explained=0.4)
    assert few.adjusted < many.adjusted
    assert few.adjusted < power_of(12, 12, covariates=1, explained=0.0).adjusted


def test_a_plan_says_what_is_known_beforehand():
    found = plan(15, 15)
    assert found.smallest_p == smallest_p(15, 15)
    assert found.smallest_item_p == 1 / 16
    assert found.power == power_of(15, 15, covariates=6, explained=0.3)
    assert found.power.detectable == pytest.approx(0.80, abs=0.005)
    assert found.power.claim == pytest.approx(0.925, abs=0.005)
    assert found.possible


@pytest.mark.parametrize(("n1", "n2", "possible"), [(6, 6, True), (5, 100, False), (100, 5, False)])
def test_too_small_sets_allow_no_claim(n1, n2, possible):
    assert plan(n1, n2).possible is possible


def test_without_degrees_of_freedom_nothing_is_seen():
    found = plan(3, 3)
    assert (found.power.adjusted, found.power.claim, found.possible) == (None, None, False)


def test_sets_that_are_often_unbalanced_by_luck_cannot_promise_a_claim():
    """With probability norm.cdf(0.5 / sqrt(1 / 4 + 1 / 4)), 0.76, they are balanced enough."""
    found = power_of(4, 4, covariates=1, explained=0)
    assert found.adjusted is not None
    assert found.claim is None


def test_a_regression_sees_what_is_promised_in_80_percent():
    from wellworn.statistics.adjustment import regression
    from wellworn.statistics.items import COVARIATES, Item, design_of

    effect = shifted(power_of(30, 30, covariates=1, explained=0.36).adjusted)
    generator, seen = np.random.default_rng(4), 0
    for _ in range(400):
        known = generator.normal(size=60)
        items = [
            Item(prompt_id=str(i), suspect=i < 30, base_score=x, prompt_length=1)
            for i, x in enumerate(known)
        ]
        outcome = 0.6 * known + 0.8 * generator.normal(size=60) + effect * (np.arange(60) < 30)
        seen += regression(outcome, design_of(items, COVARIATES)).effect.limits[0] > 0
    assert abs(seen / 400 - 0.8) < 3 * sqrt(0.8 * 0.2 / 400)
