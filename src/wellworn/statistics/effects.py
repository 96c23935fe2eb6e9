"""Differences between suspects and references, with the error of all that they are made of.

An effect is a difference in standard deviations within the sets, with what it becomes when
each independent unit is left out in turn: a prompt, or a cluster of prompts. What is added up
from effects is an effect again, and its error has that of each part in it.

The variance is the sum of squares of what leaving a unit out changes. For a regression that
is HC3 (MacKinnon and White 1985), with clusters CV3 (MacKinnon, Nielsen and Webb 2023). Both
are on the safe side in small sets, as the jackknife is.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from wellworn.statistics.comparison import LEVEL
from wellworn.statistics.estimates import Estimate, Kind, auc_of


class Effect(NamedTuple):
    """A difference between suspects and references, in standard deviations within the sets."""

    value: float
    without: np.ndarray
    """float[units], the same when each unit is left out."""
    freedom: int
    """Degrees of freedom of its error, 1 or more."""

    @property
    def error(self) -> float:
        """Its standard error."""
        return sqrt(((self.without - self.value) ** 2).sum())

    @property
    def limits(self) -> tuple[float, float]:
        """Its 95 % limits, by Student's t."""
        from scipy.special import stdtrit

        reach = float(stdtrit(self.freedom, (1 + LEVEL) / 2)) * self.error
        return self.value - reach, self.value + reach

    @property
    def p(self) -> float:
        """One-sided p-value of "suspects lie no higher"."""
        from scipy.special import stdtr

        return float(stdtr(self.freedom, -self.value / max(self.error, 1e-12)))

    def less(self, other: "Effect", times: float = 1.0) -> "Effect":
        """Return this effect with another one, so many `times`, taken away."""
        without = self.without - times * other.without
        return Effect(self.value - times * other.value, without, self.freedom)

    def estimate(self, name: str, kind: Kind, sizes: tuple[int, int]) -> Estimate:
        """Return the effect on the scale of the AUC."""
        low, high = self.limits
        return Estimate(
            name=name,
            kind=kind,
            auc=auc_of(self.value),
            low=auc_of(low),
            high=auc_of(high),
            p=self.p,
            suspects=sizes[0],
            references=sizes[1],
        )


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Return the normal scores of values, float[n]: only their order counts, ties share one.

    >>> normal_scores(np.array([5.0, 1.0, 9.0])).round(3).tolist()
    [0.0, -0.967, 0.967]
    """
    from scipy.special import ndtri
    from scipy.stats import rankdata

    return np.asarray(ndtri((rankdata(values) - 0.5) / len(values)))
