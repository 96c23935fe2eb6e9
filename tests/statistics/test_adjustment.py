"""Adjusted effects against statsmodels, against refits without each unit, and by their theory."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from wellworn.statistics.adjustment import regression, spread_within, weighting
from wellworn.statistics.items import COVARIATES, Item, design_of
from wellworn.statistics.overlap import propensity_of


def drawn(n=60, *, effect=0.5, clusters=None, seed=1):
    """Return a design of n prompts and an outcome that depends on covariates and the group."""
    generator = np.random.default_rng(seed)
    ease = generator.normal(size=n)
    suspect = generator.random(n) < expit(ease)
    items = [
        Item(
            prompt_id=str(i),
            suspect=bool(suspect[i]),
            score=0.0,
            base_score=float(ease[i] + generator.normal()),
            base_pass_rate=float(generator.binomial(8, expit(ease[i])) / 8),
            prompt_length=int(generator.integers(50, 900)),
            cluster=clusters and f"c{i % clusters}",
        )
        for i in range(n)
    ]
    outcome = ease + effect * suspect + generator.normal(size=n) * (1 + suspect)
    return design_of(items, COVARIATES), outcome


def columns(design):
    return np.column_stack([np.ones(len(design.items)), design.suspect, design.covariates])


def test_the_regression_and_its_error_are_statsmodels_with_hc3():
    design, outcome = drawn()
    found = regression(outcome, design)
    expected = sm.OLS(outcome, columns(design)).fit(cov_type="HC3", use_t=True)
    assert found.coefficients == pytest.approx(expected.params)
    assert found.effect.error == pytest.approx(expected.bse[1], rel=1e-6)
    assert found.effect.limits == pytest.approx(expected.conf_int()[1], rel=1e-6)
    assert found.freedom == expected.df_resid == 60 - 5


def test_without_covariates_it_is_the_difference_of_means():
    design, outcome = drawn()
    found = regression(outcome, design.without_covariates).effect
    sides = outcome[design.suspect], outcome[~design.suspect]
    assert found.value == pytest.approx(sides[0].mean() - sides[1].mean())
    welch = sum(side.var(ddof=1) / (len(side) - 1) for side in sides)
    assert found.error == pytest.approx(np.sqrt(welch))


def test_with_clusters_it_is_refitted_without_each_cluster():
    """The sum of squares of those changes is CV3's variance, but for its factor."""
    design, outcome = drawn(clusters=9)
    found = regression(outcome, design)
    refits = [
        np.linalg.lstsq(columns(design)[design.units != unit], outcome[design.units != unit])[0]
        for unit in range(9)
    ]
    assert found.without == pytest.approx(np.array(refits), rel=1e-7, abs=1e-9)
    assert found.freedom == 9 - 2


def test_clusters_of_a_set_that_share_their_luck_widen_the_error():
    design, outcome = drawn(120)
    clustered = design._replace(units=np.arange(120) % 6 + 6 * design.suspect)
    shared = outcome + 2 * np.random.default_rng(3).normal(size=12)[clustered.units]
    alone = regression(shared, design).effect.error
    assert regression(shared, clustered).effect.error > 1.3 * alone


def test_r_squared_is_that_of_statsmodels_within_the_sets():
    design, outcome = drawn()
    group = columns(design)[:, :2]
    left = [sm.OLS(outcome, x).fit() for x in (group, columns(design))]
    # the group's own part aside, as with residuals around the means of the sets
    within = sm.OLS(left[0].resid, sm.OLS(design.covariates, group).fit().resid).fit()
    found = regression(outcome, design)
    assert 0 < found.explained < 1
    assert found.explained == pytest.approx(1 - left[1].ssr / left[0].ssr, abs=1e-9)
    assert found.explained == pytest.approx(within.rsquared, abs=1e-9)


def test_what_covariates_explain_is_the_raw_difference_less_the_adjusted_one():
    """The formula of omitted variables: raw = adjusted + slopes x differences of the means."""
    design, outcome = drawn()
    found = regression(outcome, design)
    raw = regression(outcome, design.without_covariates).effect
    x = design.covariates
    differences = x[design.suspect].mean(axis=0) - x[~design.suspect].mean(axis=0)
    assert found.of_difference(differences).value == pytest.approx(raw.value - found.effect.value)


def doubly_robust(design, outcome, kept):
    """Return the weighted difference of residuals, fitted by other libraries to some prompts."""
    x, suspect = design.covariates[kept], design.suspect[kept]
    slopes = sm.OLS(outcome[kept], columns(design)[kept]).fit().params[2:]
    model = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(x, suspect)
    chance = model.predict_proba(x)[:, 1]
    left = outcome[kept] - x @ slopes
    weights = np.where(suspect, 1 - chance, chance)
    return np.average(left[suspect], weights=weights[suspect]) - np.average(
        left[~suspect], weights=weights[~suspect]
    )


@pytest.mark.parametrize("clusters", [None, 12])
def test_weighting_is_that_of_other_libraries_and_nearly_so_without_each_unit(clusters):
    design, outcome = drawn(clusters=clusters)
    found = weighting(regression(outcome, design), propensity_of(design))
    everything = np.ones(60, dtype=bool)
    assert found.value == pytest.approx(doubly_robust(design, outcome, everything), abs=1e-5)
    units = range(design.units.max() + 1)
    refits = np.array([doubly_robust(design, outcome, design.units != unit) for unit in units])
    assert found.without == pytest.approx(refits, abs=0.01)  # one step of Newton's method
    assert found.error == pytest.approx(np.sqrt(((refits - found.value) ** 2).sum()), rel=0.01)


def test_overlap_weights_balance_the_covariates():
    """Li, Morgan and Zaslavsky, theorem 3: exactly, but for the prior."""
    design, _ = drawn(2_000)
    differences = [
        weighting(
            regression(column, design.without_covariates)._replace(
                design=design, coefficients=np.zeros(5), without=np.zeros((400, 5))
            ),
            propensity_of(design),
        ).value
        for column in design.covariates.T
    ]
    assert differences == pytest.approx(np.zeros(3), abs=0.002)


def test_weighting_is_right_where_the_regression_is_not():
    """The outcome depends on the square of what was measured; the propensity model is right."""
    generator = np.random.default_rng(5)
    x = generator.exponential(size=4_000)
    suspect = generator.random(4_000) < expit(1.5 * x - 1.5)
    items = [
        Item(prompt_id=str(i), suspect=bool(s), score=0.0, base_score=float(v), prompt_length=9)
        for i, (v, s) in enumerate(zip(x, suspect, strict=True))
    ]
    design = design_of(items, COVARIATES)
    fit = regression(x**2 + generator.normal(size=4_000) * 0.2, design)
    assert abs(fit.effect.value) > 0.5
    assert abs(weighting(fit, propensity_of(design)).value) < 0.05


def test_the_spread_within_is_that_of_pooled_variances():
    values = np.array([1.0, 2.0, 4.0, 10.0, 12.0])
    suspect = np.array([True, True, True, False, False])
    expected = np.sqrt((2 * values[:3].var(ddof=1) + values[3:].var(ddof=1)) / 3)
    assert spread_within(values, suspect) == pytest.approx(expected)


@pytest.mark.parametrize("clusters", [None, 12])
def test_what_covariates_explain_has_the_error_of_the_means_too(clusters):
    """Without each unit as well: raw = adjusted + explained, and parts add up."""
    design, outcome = drawn(clusters=clusters)
    fit = regression(outcome, design)
    raw = regression(outcome, design.without_covariates).effect
    found = fit.explaining(np.ones(3))
    assert found.value == pytest.approx(raw.value - fit.effect.value)
    assert found.without == pytest.approx(raw.without - fit.effect.without, abs=1e-9)
    parts = [fit.explaining(times) for times in np.diag([1.0, 2.0, 1.0])]
    assert parts[0].value + parts[1].value / 2 + parts[2].value == pytest.approx(found.value)
