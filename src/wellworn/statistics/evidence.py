"""What was found of a separation, all of it: estimates, checks, and what stands against a claim.

It holds plain values, so that report.json holds the same.
"""

from typing import Literal

import msgspec

from wellworn.statistics.estimates import Estimate
from wellworn.statistics.overlap import Balance, Overlap
from wellworn.statistics.power import Power

REGRESSION, WEIGHTING = "regression", "weighting"
TUNED_TOO = "regression, tuned pass rate too"
CHANGE, GAIN = "change of the score", "gain in success"
ADJUSTED, ALLOWED = ", adjusted", ", with the allowance"
"""Names of estimates, and what is added to them."""

Carrier = Literal["convergence", "success", "both"]


class Attribution(msgspec.Struct, frozen=True, kw_only=True):
    """What a separation may be put down to, and what stands against a stronger claim."""

    estimates: tuple[Estimate, ...]
    """The detector first, then blind, nuisance, adjusted, difference and success."""
    balance: tuple[Balance, ...] = ()
    """Of each covariate that was adjusted for."""
    overlap: Overlap | None = None
    imbalance: float | None = None
    """How much more the suspects would converge by their covariates alone, in standard
    deviations of what those give a prompt; below 0, how much less."""
    clusters: tuple[int, int] | None = None
    """How many independent prompts or clusters suspects and references have."""
    reliability: float | None = None
    """Share of the variance of the base model's pass rates that is more than chance; null
    where it cannot be known."""
    foretold: float | None = None
    """Correlation of the base model's pass rates with the tuned model's over the references;
    null where it cannot be known."""
    explained: float | None = None
    """Share of the score's variance within the sets that the covariates explain."""
    withstands: float | None = None
    """How often what the covariates explain could be taken away before the adjusted interval
    reaches chance (at most 100); null where they explain nothing."""
    carried_by: Carrier | None = None
    """What tells the sets apart: convergence beyond what success explains, the gain in success,
    or both; null where neither is shown."""
    joint_p: float | None = None
    """p-value of "neither the score nor the gain in success is higher", both adjusted: twice
    the smaller p-value of the two (Holm)."""
    power: Power | None = None
    notes: tuple[str, ...] = ()
    """What was left out of the adjustment."""
    against_matched: tuple[str, ...] = ()
    """Why "converged more than matched controls" may not be said; empty where it may."""
    against_exposure: tuple[str, ...] = ()
    """Why "consistent with RL exposure" may not be said even then; empty where it may."""

    def named(self, name: str) -> Estimate | None:
        """Return the estimate of a name, if there is one."""
        return next((each for each in self.estimates if each.name == name), None)

    @property
    def before_training(self) -> tuple[Estimate, ...]:
        """The score adjusted for what was fixed before RL, in both kinds, with and without."""
        names = [kind + added for kind in (REGRESSION, WEIGHTING) for added in ("", ALLOWED)]
        return tuple(each for each in self.estimates if each.name in names)
