"""Choosing references from a pool that match the suspects in what was fixed before RL.

Each suspect gets the references that are nearest to it in the covariates (Mahalanobis
distance), so that the sum of all distances is the smallest possible, and none is taken whose
propensity differs by more than 0.2 standard deviations of its logit (Austin, Pharmaceutical
Statistics 10, 2011). Where too few suspects have such references, or a covariate still
differs by more than 0.25 standard deviations (Rubin 2001), the pool is refused: nothing was
matched that could stand for the suspects.

No score of the tuned model is read, so that references can be chosen before it is asked.

Matching on measures with error hides a difference and does not mend it: a reference from a
harder pool that looks as easy as a suspect owes that in part to luck. So what is chosen keeps
the balance `before` with it, and `attribute` allows for that. A pool that is a little easier
than the suspects errs on the safe side; one that is harder does not.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from wellworn.statistics.items import COVARIATES, Design, Item, design_of
from wellworn.statistics.overlap import Balance, balance_of, log_odds, propensity_of

CALIPER = 0.2
"""The most that the logits of the propensities of a pair differ, in standard deviations."""
MOST_DIFFERENCE = 0.25
"""The most that a covariate differs after matching, in standard deviations."""
LEAST_MATCHED = 0.8
"""The least share of the suspects that must be matched."""


class Matching(msgspec.Struct, frozen=True, kw_only=True):
    """Which references were chosen from a pool, and what became of the covariates."""

    pairs: tuple[tuple[str, str], ...]
    """Prompt ids of suspects and of the references chosen for them."""
    unmatched: tuple[str, ...]
    """Prompt ids of suspects without a reference near enough."""
    before: tuple[Balance, ...]
    """Of the suspects and the whole pool."""
    after: tuple[Balance, ...]
    """Of the matched suspects and what was chosen."""
    refused: tuple[str, ...]
    """Why the chosen references do not stand for the suspects; empty where they do."""


def match(items: Sequence[Item], *, each: int = 1) -> Matching:
    """Return the references that match the suspects best.

    Args:
        items: The suspects, and the pool as references; two of each or more.
        each: References for each suspect, as far as there are enough that match.
    """
    from scipy.optimize import linear_sum_assignment

    design = design_of(items, COVARIATES)
    suspects, pool = np.flatnonzero(design.suspect), np.flatnonzero(~design.suspect)
    rows = np.repeat(suspects, each)
    distances, near = _distances(design, rows, pool)
    forbidden = 1.0 + distances.sum()
    chosen = zip(*linear_sum_assignment(np.where(near, distances, forbidden)), strict=True)
    pairs = [(rows[row], pool[column]) for row, column in chosen if near[row, column]]
    matched = {suspect for suspect, _ in pairs}
    ids = [item.prompt_id for item in design.items]
    kept = [design.items[place] for place in sorted({place for pair in pairs for place in pair})]
    after = balance_of(design_of(kept, COVARIATES)) if len(matched) >= 2 else ()
    return Matching(
        pairs=tuple((ids[suspect], ids[reference]) for suspect, reference in sorted(pairs)),
        unmatched=tuple(ids[suspect] for suspect in suspects if suspect not in matched),
        before=balance_of(design),
        after=after,
        refused=_refusal(len(matched), len(suspects), after),
    )


def _distances(design: Design, rows: np.ndarray, pool: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Mahalanobis distances, float[rows, pool], and which are within the caliper."""
    from scipy.spatial.distance import cdist

    sides = [design.covariates[side] for side in (design.suspect, ~design.suspect)]
    centred = np.concatenate([side - side.mean(axis=0) for side in sides])
    inverse = np.linalg.pinv(centred.T @ centred / max(1, len(centred) - 2), hermitian=True)
    distances = cdist(design.covariates[rows], design.covariates[pool], "mahalanobis", VI=inverse)
    odds = log_odds(design, propensity_of(design).coefficients)
    spread = np.sqrt(
        np.mean([odds[side].var(ddof=1) for side in (design.suspect, ~design.suspect)])
    )
    return distances, np.abs(odds[rows][:, None] - odds[pool]) <= CALIPER * spread + 1e-12


def _refusal(matched: int, suspects: int, after: Sequence[Balance]) -> tuple[str, ...]:
    reasons = []
    if matched < max(2, LEAST_MATCHED * suspects):
        reasons.append(
            f"Only {matched} of {suspects} suspects have a reference in the pool that is near "
            f"enough; {LEAST_MATCHED:.0%} are asked for. A larger or more similar pool is needed."
        )
    reasons += [
        f"After matching, {each.name} still differs by {each.difference:+.2f} standard deviations; "
        f"{MOST_DIFFERENCE} is the most."
        for each in after
        if abs(each.difference) > MOST_DIFFERENCE
    ]
    return tuple(reasons)
