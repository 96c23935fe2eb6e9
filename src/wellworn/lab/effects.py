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
from typing import NamedTuple

import msgspec
import numpy as np

from wellworn.statistics.comparison import LEVEL, compare
from wellworn.statistics.controls import Control, control
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
    raw, adjusted = auc(items), control(items, lambda item: item.score, COVARIATES)
    if raw is None:
        return Effect(detector=detector, reason=reason or f"fewer than {LEAST} scores in a half")
    scores = [item.score for item in items if item.score is not None]
    tops = [item.score == max(scores) for item in items if item.suspect and item.score is not None]
    return Effect(
        detector=detector,
        raw=raw,
        adjusted=_adjusted(adjusted) if adjusted else None,
        matched=matched(items),
        floor=sum(tops) / len(tops),
    )


def auc(items: Sequence[Item]) -> Auc | None:
    """Return how well scores tell members as they stand; None where there are too few."""
    scores = [
        [item.score for item in items if item.suspect is side and item.score is not None]
        for side in (True, False)
    ]
    if min(map(len, scores)) < LEAST:
        return None
    found = compare(*scores)
    return Auc(value=found.auc, low=found.low, high=found.high, members=len(scores[0]))


def _adjusted(found: Control) -> Auc:
    estimate = found.fit.effect.estimate("adjusted", "adjusted", found.fit.design.sizes)
    return Auc(value=estimate.auc, low=estimate.low, high=estimate.high, members=estimate.suspects)


class _Point(NamedTuple):
    """A prompt as a match sees it."""

    score: float
    rate: float
    length: float


def matched(items: Sequence[Item]) -> Auc | None:
    """Return how often a member scores above its match, ties counting half.

    The match is the held-out prompt that is nearest in pass rate and mean length, within
    `RATES` and `LENGTHS`; where several are equally near, all of them are. Members without one
    are left out. The interval is a bootstrap over members.
    """
    members, others = (_points(items, suspect) for suspect in (True, False))
    wins = [win for member in members if (win := _win(member, others)) is not None]
    if len(wins) < LEAST:
        return None
    values = np.array(wins)
    drawn = np.random.default_rng(0).choice(values, (DRAWS, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Auc(value=float(values.mean()), low=float(low), high=float(high), members=len(wins))


def _points(items: Sequence[Item], suspect: bool) -> list[_Point]:
    return [
        _Point(item.score, item.pass_rate, item.length)
        for item in items
        if item.suspect is suspect
        and item.score is not None
        and item.pass_rate is not None
        and item.length
    ]


def _win(member: _Point, others: Sequence[_Point]) -> float | None:
    """Return the share of its matches that a member scores above; None without one."""
    far = [_distance(member, other) for other in others]
    nearest = min(far, default=inf)
    if nearest == inf:
        return None
    matches = [other for other, distance in zip(others, far, strict=True) if distance == nearest]
    wins = [0.5 if each.score == member.score else each.score < member.score for each in matches]
    return float(np.mean(wins))


def _distance(member: _Point, other: _Point) -> float:
    """Return how far a held-out prompt is from a member; infinity outside of the limits."""
    rates = abs(member.rate - other.rate) / RATES
    lengths = abs(member.length - other.length) / member.length / LENGTHS
    return rates + lengths if max(rates, lengths) <= 1 else inf
