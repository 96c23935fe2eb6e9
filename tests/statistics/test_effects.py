"""Effects: limits and p-values by Student's t, sums with their errors, the scale of the AUC."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm, t

from wellworn.statistics.effects import Effect, normal_scores

EFFECT = Effect(0.5, 0.5 + np.array([0.1, -0.2, 0.1, 0.05]), 7)
ERROR = sqrt(0.01 + 0.04 + 0.01 + 0.0025)


def test_the_error_is_the_root_of_the_sum_of_squares():
    assert EFFECT.error == pytest.approx(ERROR)


def test_limits_and_p_value_are_students():
    assert EFFECT.limits == pytest.approx(t.interval(0.95, 7, loc=0.5, scale=ERROR))
    assert EFFECT.p == pytest.approx(t.sf(0.5 / ERROR, 7))


def test_the_limit_excludes_chance_where_p_is_below_two_and_a_half_percent():
    for value in (0.3, 0.55, 0.6, 0.8):
        effect = EFFECT._replace(value=value, without=EFFECT.without - 0.5 + value)
        assert (effect.limits[0] > 0) == (effect.p < 0.025)


def test_an_effect_without_error_is_certain():
    nothing = Effect(0.0, np.zeros(3), 5)
    assert (nothing.p, nothing.limits) == (0.5, (0, 0))
    assert Effect(1.0, np.ones(3), 5).p < 1e-6


def test_what_is_taken_away_takes_its_error_along():
    other = Effect(0.2, 0.2 + np.array([0.1, 0.0, -0.1, 0.05]), 9)
    found = EFFECT.less(other, 2.0)
    assert (found.value, found.freedom) == (pytest.approx(0.1), 7)
    assert found.error == pytest.approx(sqrt(0.1**2 + 0.2**2 + 0.3**2 + 0.05**2))


def test_on_the_scale_of_the_auc():
    estimate = EFFECT.estimate("x", "adjusted", (12, 30))
    low, high = EFFECT.limits
    assert estimate.auc == pytest.approx(norm.cdf(0.5 / sqrt(2)))
    assert (estimate.low, estimate.high) == (
        pytest.approx(norm.cdf(low / sqrt(2))),
        pytest.approx(norm.cdf(high / sqrt(2))),
    )
    assert (estimate.p, estimate.suspects, estimate.references) == (EFFECT.p, 12, 30)


def test_normal_scores_share_ties():
    scores = normal_scores(np.array([1.0, 1.0, 2.0, 0.0]))
    assert scores == pytest.approx(norm.ppf([0.5, 0.5, 0.875, 0.125]))
