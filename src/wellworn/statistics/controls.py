"""Outcomes of an audit, each as it stands, adjusted, and adjusted with an allowance.

**The allowance.** Covariates measure difficulty with error: eight samples of the base model say
little of a prompt. What they explain of a separation is then too small, and the rest would be
put down to exposure: of audits of 300 against 300 whose difficulty differs by a standard
deviation, plain regression accuses half, though nobody trained on anything. So an effect is
also given with an allowance: what the covariates explain is taken away once more. That is
enough where half of the variance of what they measure is error, or where what was not measured
differs between the sets as much as what was (equal selection: Altonji, Elder and Taber,
Journal of Political Economy 113, 2005; Oster, JBES 37, 2019).

References that were chosen to match on such measures hide it: the chosen ones look as hard as
the suspects partly by luck, and covariates explain nothing any more. So what they explain is
also reckoned between the suspects and the whole pool, and the larger of both is allowed for.
Squares of what measures difficulty are reckoned alone too: suspects that are harder than the
references on the whole may still be moved more, if more of them are of middling difficulty. And
where half of a measure's variance is error, three quarters of its square's are. So what squares
explain is taken away three times more.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from wellworn.statistics.adjustment import Regression, regression, spread_within
from wellworn.statistics.effects import Effect, normal_scores
from wellworn.statistics.items import (
    GIVEN,
    OF_SQUARE,
    Item,
    Reading,
    column_of,
    design_of,
    suspects_of,
)
from wellworn.statistics.overlap import Balance, differences_of

ALLOWANCE = 1.0
"""How often what the covariates explain is taken away once more."""
OF_SQUARES = 3.0
"""How often, for each time, what their squares explain is."""


class Control(NamedTuple):
    """An outcome of both sets, as it stands and adjusted for covariates."""

    fit: Regression
    unadjusted: Effect
    explained: Effect
    """What the covariates explain of the difference between the sets, or their squares alone,
    where that is more."""
    allowance: Effect
    """Likewise, with what the squares explain threefold where they favour the suspects."""

    @property
    def imbalance(self) -> float:
        """What the covariates explain, in standard deviations of what they give a prompt."""
        spread = spread_within(self.fit.prognosis, self.fit.design.suspect)
        return self.explained.value / spread if spread > 0 else 0.0

    def allowed(self, effect: Effect, times: float = ALLOWANCE) -> Effect:
        """Return an adjusted effect less the allowance, if the covariates favour suspects."""
        return effect.less(self.allowance, times) if self.allowance.value > 0 else effect


def control(
    items: Sequence[Item],
    read: Reading,
    covariates: Mapping[str, Reading],
    before: Sequence[Balance] = (),
) -> Control | None:
    """Return an outcome adjusted for covariates; None where it cannot be.

    It can where nearly all prompts have it, it varies within the sets, and there are more
    prompts, and clusters, than a regression on so many covariates needs.

    Args:
        items: The prompts of both sets, two of each or more.
        read: The outcome.
        covariates: What to adjust for.
        before: The balance before references were chosen to match, if they were.
    """
    known, suspect = np.isfinite(column_of(items, read)), suspects_of(items)
    if min(known[suspect].mean(), known[~suspect].mean()) < GIVEN:
        return None
    design = design_of(list(compress(items, known)), covariates).with_squares
    scores = normal_scores(column_of(design.items, read))
    spread = spread_within(scores, design.suspect)
    if spread < 1e-9 or min(design.independent) < 2:
        return None
    fit = regression(scores / spread, design)
    if fit.freedom < 1:
        return None
    unadjusted = regression(fit.outcome, design.without_covariates).effect
    return Control(fit, unadjusted, *_explained(fit, before))


def _explained(fit: Regression, before: Sequence[Balance]) -> tuple[Effect, Effect]:
    """Return the most that covariates may explain of a difference, and what is allowed for."""
    square = np.array([name.endswith(OF_SQUARE) for name in fit.design.names], dtype=bool)
    pool = differences_of(fit.design, before)
    largest = []
    for times in (np.ones(len(square)), np.where(square, OF_SQUARES, 1.0)):
        effects = [fit.explaining(np.ones(len(square))), fit.explaining(times)]
        if square.any():
            effects.append(fit.explaining(times * square))
        if before:
            effects += [fit.of_difference(pool), fit.of_difference(pool * times)]
        largest.append(max(effects, key=lambda effect: effect.value))
    return largest[0], largest[1]
