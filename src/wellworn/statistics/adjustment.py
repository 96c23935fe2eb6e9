"""Adjusting for what was fixed before RL, in two kinds.

    regression   the group's coefficient in one regression on the group and the covariates
                 (ANCOVA), fitted to both sets at once
    weighting    doubly robust: residuals of that regression, weighted so that the sets have
                 the same covariates (overlap weights of Li, Morgan and Zaslavsky, JASA 113,
                 2018); right if either the regression or the propensity model is

Both are computed anew without each unit, from normal equations less the unit's share, and
propensities by one step of Newton's method. So no effect is tested with its adjustment taken
as known, as residuals from a fit on the references alone would be.
"""

from typing import NamedTuple

import numpy as np

from wellworn.statistics.effects import Effect
from wellworn.statistics.items import Design, sums_by_unit
from wellworn.statistics.overlap import Propensity, log_odds

_TINY = 1e-12


class Regression(NamedTuple):
    """A least-squares fit of an outcome on the group and the covariates."""

    outcome: np.ndarray
    """float[n]"""
    design: Design
    coefficients: np.ndarray
    """float[2 + p]: a constant, the group, the covariates."""
    without: np.ndarray
    """float[units, 2 + p], the same when each unit is left out."""
    freedom: int

    @property
    def effect(self) -> Effect:
        """The difference between the sets that the covariates do not explain."""
        return Effect(float(self.coefficients[1]), self.without[:, 1], self.freedom)

    @property
    def prognosis(self) -> np.ndarray:
        """What the covariates alone give each prompt, float[n]."""
        return np.asarray(self.design.covariates @ self.coefficients[2:])

    @property
    def explained(self) -> float:
        """R squared of the covariates within the sets, in [0, 1]."""
        suspect = self.design.suspect
        rest = spread_within(self.outcome - self.prognosis, suspect)
        return 1 - (rest / spread_within(self.outcome, suspect)) ** 2

    def explaining(self, times: np.ndarray) -> Effect:
        """Return what the covariates explain between the sets, each so many times, float[p]."""
        bare = self.design.without_covariates
        apart = [regression(column, bare).effect for column in self.design.covariates.T]
        value, without = 0.0, np.zeros(len(self.without))
        for place, each in enumerate(apart):
            value += times[place] * self.coefficients[2 + place] * each.value
            without += times[place] * self.without[:, 2 + place] * each.without
        return Effect(float(value), without, self.freedom)

    def of_difference(self, differences: np.ndarray) -> Effect:
        """Return what the covariates explain between sets whose means differ so, float[p]."""
        value = float(self.coefficients[2:] @ differences)
        return Effect(value, self.without[:, 2:] @ differences, self.freedom)


def regression(outcome: np.ndarray, design: Design) -> Regression:
    """Return the fit of an outcome, float[n]; without covariates, the difference of means."""
    x = np.column_stack([np.ones(len(outcome)), design.suspect, design.covariates])
    products = x[:, :, None] * x[:, None, :]
    moments = x * outcome[:, None]
    left = products.sum(axis=0) - sums_by_unit(products, design.units)
    pull = moments.sum(axis=0) - sums_by_unit(moments, design.units)
    left += _TINY * len(outcome) * np.eye(x.shape[1])  # where a covariate is one unit's alone
    without = np.linalg.solve(left, pull[..., None])[..., 0]
    return Regression(
        outcome=outcome,
        design=design,
        coefficients=np.linalg.lstsq(x, outcome)[0],
        without=without,
        freedom=min(len(outcome) - x.shape[1], len(without) - 2),
    )


def weighting(fit: Regression, propensity: Propensity) -> Effect:
    """Return the doubly robust effect: the difference of the weighted residuals of a fit.

    The covariates' part is taken from the outcome, the group's is not.
    """
    from scipy.special import expit

    design = fit.design
    slopes = np.vstack([fit.coefficients[2:], fit.without[:, 2:]])
    odds = log_odds(design, np.vstack([propensity.coefficients, propensity.without]))
    units = np.arange(design.units.max() + 1)[:, None]
    kept = np.vstack([np.ones(len(design.units)), units != design.units])
    residuals = fit.outcome - slopes @ design.covariates.T
    weights = kept * expit(np.where(design.suspect, -odds, odds))
    means = [
        (weights * residuals)[:, side].sum(axis=1) / weights[:, side].sum(axis=1)
        for side in (design.suspect, ~design.suspect)
    ]
    values = means[0] - means[1]
    return Effect(float(values[0]), values[1:], fit.freedom)


def spread_within(values: np.ndarray, suspect: np.ndarray) -> float:
    """Return the pooled standard deviation of values around the means of their sets.

    >>> spread_within(np.array([1.0, 3.0, 5.0, 5.0]), np.array([True, True, False, False]))
    1.0
    """
    sides = values[suspect], values[~suspect]
    squares = sum(((side - side.mean()) ** 2).sum() for side in sides)
    return float(np.sqrt(squares / (len(values) - 2)))
