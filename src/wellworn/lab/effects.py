"""How well scores tell members, three ways: as they stand, adjusted, and matched.

    raw       members against the other half
    adjusted  for what was fixed before RL: the base model's score, pass rate and length, and
              the length of the prompt, by the regression of an audit
    matched   each member against the held-out prompt that the tuned model solves as often and
              answers as long; what is left is convergence beyond success

Training raises the pass rate of members, so what is matched on it is conservative: it takes a
part of what training did away, and shows whether convergence is more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import msgspec
import numpy as np
from msgspec.structs import replace

from wellworn.statistics.comparison import LEVEL, compare
from wellworn.statistics.controls import control
from wellworn.statistics.items import COVARIATES, Item

RATES = 0.1
"""How far the pass rates of a matched pair may differ."""
LENGTHS = 0.15
"""How far their mean lengths may differ, as a share of the member's."""
LEAST = 8
"""Pairs that a matched AUC needs."""
DRAWS = 1000


class Auc(msgspec.Struct, frozen=True, kw_only=True):
    """An AUC with its 95 % interval."""

    value: float
    low: float
    high: float
    members: int
    """How many it is of."""


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a detector's scores say of membership."""

    detector: str
    raw: Auc | None = None
    adjusted: Auc | None = None
    matched: Auc | None = None
    reason: str | None = None
    """Why there is no AUC."""
    floor: float = 0.0
    """The share of members whose score is the highest that occurs: where it is large, the
    detector can rank no further."""


def effect(detector: str, items: Sequence[Item], reason: str | None = None) -> Effect:
    """Return what a detector's scores say.

    Args:
        detector: Its name.
        items: Members as suspects and the other half, scored by it on both models.
        reason: Why scores are missing, where they are.
    """
    scores = [[i.score for i in items if i.suspect is side and i.score is not None]
              for side in (True, False)]
    if min(map(len, scores)) < LEAST:
        return Effect(detector=detector, reason=reason or f"fewer than {LEAST} scores in a half")
    found = compare(*scores)
    adjusted = control(items, lambda item: item.score, COVARIATES)
    highest = max(map(max, scores))
    told = Effect(
        detector=detector,
        raw=Auc(value=found.auc, low=found.low, high=found.high, members=len(scores[0])),
        matched=matched(items),
        floor=sum(score == highest for score in scores[0]) / len(scores[0]),
    )
    if adjusted is None:
        return told
    estimate = adjusted.fit.effect.estimate("adjusted", "adjusted", adjusted.fit.design.sizes)
    return replace(told, adjusted=Auc(
        value=estimate.auc, low=estimate.low, high=estimate.high, members=estimate.suspects
    ))


def matched(items: Sequence[Item]) -> Auc | None:
    """Return how often a member scores above its match, ties counting half.

    The match is the held-out prompt with the nearest pass rate, and of those the nearest mean
    length, within `RATES` and `LENGTHS`; members without one are left out. The interval is a
    bootstrap over members.
    """
    whole = [i for i in items if None not in (i.score, i.pass_rate, i.length)]
    others = [item for item in whole if not item.suspect]
    wins = [
        win for item in whole if item.suspect and (win := _win(item, others)) is not None
    ]
    if len(wins) < LEAST:
        return None
    values = np.array(wins)
    drawn = np.random.default_rng(0).choice(values, (DRAWS, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Auc(value=float(values.mean()), low=float(low), high=float(high), members=len(wins))


def _win(member: Item, others: Sequence[Item]) -> float | None:
    """Return the share of its matches that a member scores above; None without one.

    Held-out prompts that are equally near are all its matches.
    """
    far = {other.prompt_id: _distance(member, other) for other in others}
    nearest = min(far.values(), default=inf)
    if nearest == inf:
        return None
    scores = [other.score for other in others if far[other.prompt_id] == nearest]
    wins = [0.5 if score == member.score else score < member.score for score in scores]
    return float(np.mean(wins))


def _distance(member: Item, other: Item) -> float:
    """Return how far a held-out prompt is from a member; infinity outside of the limits."""
    rates = abs(member.pass_rate - other.pass_rate) / RATES
    lengths = abs(member.length - other.length) / member.length / LENGTHS
    return rates + lengths if max(rates, lengths) <= 1 else inf
