"""Simulated audits, judged by the package itself, from prompts to the level of the verdict.

A prompt has a latent ease, which is never seen: it moves the pass rates of both models, the
length of answers, the control model's convergence and, under RL, the tuned model's, whether
the prompt was trained on or not. What is seen of it are rates and scores of a few samples.
Beside ease, a prompt has a convergence of its own that persists through RL, and each score has
the noise of its samples. In null audits the suspects are easier, or otherwise different, and
nobody trained on anything; in planted ones training adds to the suspects' convergence.

Parameters are such that what is seen resembles a real GRPO run on Qwen2.5-Math-1.5B: base pass
rates of 0.03 to 0.5, reliabilities of 0.6 to 0.8, covariates that explain 0.3 to 0.45 of the
score's variance. Cells with harder conditions than that say so.
"""

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from wellworn.statistics.attribution import attribute
from wellworn.statistics.comparison import compare
from wellworn.statistics.controls import control
from wellworn.statistics.items import COVARIATES, Item
from wellworn.statistics.matching import match
from wellworn.statistics.overlap import Balance
from wellworn.statistics.verdict import LEVELS, Verdict, decide

UPPER = LEVELS.index("converged more than matched controls")

SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "linear": lambda ease: ease,
    "saturating": lambda ease: 3 * expit(1.8 * ease) - 1.5,
    "late": lambda ease: 2.5 * expit(2 * ease - 2),
    "hinged": lambda ease: 1.6 * np.maximum(ease, 0) - 0.64,
    "middling": lambda ease: ease + 2 * np.exp(-(ease**2) / 1.28),
}
"""How the convergence that RL brings depends on ease, if not on training."""


class Cell(NamedTuple):
    """A kind of audit."""

    name: str
    suspects: int = 50
    references: int = 50
    easier: float = 0.0
    """Standard deviations of ease by which the suspects differ."""
    spread: tuple[float, float] = (1.0, 1.0)
    """Standard deviations of the ease of suspects and of references."""
    exposure: float = 0.0
    """Standard deviations of the score within the sets that training adds to the suspects."""
    success: float = 0.0
    """Logits that training adds to the suspects' pass rates."""
    samples: int = 8
    shape: str = "linear"
    solved: float = -2.0
    """Logit of the base model's pass rate at mean ease; -4.5 solves almost nothing."""
    odd: float = 0.0
    """If above 0, the base model solves four tenths on that share of prompts, whatever their ease,
    and nothing else: its answers are rarely such as the verifier reads."""
    follows: float = 0.5
    """Slope of the base model's convergence on ease."""
    noise: float = 1.0
    """Sampling noise of scores and lengths, as a multiple."""
    shorter: float = 0.0
    """Standard deviations by which the suspects' answers are shorter."""
    text: float = 0.0
    """Standard deviations by which the suspects' prompts are shorter, for no reason of ease."""
    steps: int = 0
    """Different values that scores can take; 0 is any."""
    clusters: int = 0
    """Prompts of a cluster, which share half of the variance of the ease; 0 has none."""
    pool: int = 0
    """References of a pool, from which those that match are chosen."""
    base: bool = True
    """Whether the control model was scored, beside its pass rates."""


class Audit(NamedTuple):
    """The numbers of a simulated audit."""

    items: list[Item]
    before: tuple[Balance, ...]


class Outcome(NamedTuple):
    """What became of an audit."""

    separated: bool
    regression: bool
    level: int
    """Place in `LEVELS`; at most the third, where one plain regression does not stand."""


def simulate(cell: Cell, generator: np.random.Generator) -> Audit:
    """Return an audit of the cell."""
    references = cell.pool or cell.references
    items = drawn(cell, references, generator)
    if not cell.pool:
        return Audit(items, ())
    found = match(items)
    chosen = {prompt_id for pair in found.pairs for prompt_id in pair}
    return Audit([item for item in items if item.prompt_id in chosen], found.before)


def drawn(cell: Cell, references: int, generator: np.random.Generator) -> list[Item]:
    """Return prompts of both sets, with what both models did on them."""
    n = cell.suspects + references
    suspect = np.arange(n) < cell.suspects

    def noise(scale: float = 1.0) -> np.ndarray:
        return generator.normal(0.0, scale, n)

    shared, names = noise(), [None] * n
    if cell.clusters:
        number = np.arange(n) // cell.clusters
        shared = (noise()[number] + noise()) / sqrt(2)
        names = [f"{s}{c}" for s, c in zip(suspect, number, strict=True)]
    ease = shared * np.where(suspect, *cell.spread) + cell.easier * suspect
    lasting = noise()
    verbose = 0.9 * noise() - 0.4 * ease - cell.shorter * suspect
    luck = cell.noise * sqrt(8 / cell.samples)
    base_score = cell.follows * ease - 0.3 * verbose + 0.7 * lasting + noise(0.6 * luck)
    score = 0.6 * SHAPES[cell.shape](ease) - 0.15 * verbose + 0.35 * lasting
    score = score + noise(0.55) + noise(0.4 * luck)
    score = score + cell.exposure * suspect * sqrt(0.88 + (0.4 * luck) ** 2)
    if cell.steps:
        score = np.round(expit(score) * cell.steps) / cell.steps
        base_score = np.round(expit(base_score) * cell.steps) / cell.steps
    solves = expit(cell.solved + 1.2 * ease)
    if cell.odd:
        solves = 0.4 * (generator.random(n) < cell.odd)
    base_rate = generator.binomial(cell.samples, solves)
    logit = cell.solved + 1.5 + 1.5 * ease + noise(0.5) + cell.success * suspect
    rate = generator.binomial(cell.samples, expit(logit))
    length = np.exp(8 + 0.4 * verbose + noise(0.3 * luck))
    prompt_length = np.exp(5.5 + 0.5 * (noise() + 0.2 * ease - cell.text * suspect))
    return [
        Item(
            prompt_id=str(i),
            suspect=bool(suspect[i]),
            score=score[i],
            base_score=base_score[i] if cell.base else None,
            pass_rate=rate[i] / cell.samples,
            base_pass_rate=base_rate[i] / cell.samples,
            base_samples=cell.samples,
            prompt_length=int(prompt_length[i]),
            base_length=length[i],
            cluster=names[i],
        )
        for i in range(n)
    ]


def judged(audit: Audit) -> Outcome:
    """Return what becomes of an audit.

    One that a plain regression, or one with the allowance, does not let pass can reach no upper
    level; it is judged no further, for speed.
    """
    score = control(audit.items, lambda item: item.score, COVARIATES, audit.before)
    if score is None:
        return Outcome(False, False, LEVELS.index("no evidence"))
    separated = score.unadjusted.limits[0] > 0
    stands = score.fit.effect.limits[0] > 0
    if not stands or score.allowed(score.fit.effect).limits[0] <= 0:
        return Outcome(separated, stands, LEVELS.index("converged, not attributable"))
    return Outcome(separated, stands, LEVELS.index(verdict_on(audit).level))


def verdict_on(audit: Audit) -> Verdict:
    """Return the verdict on an audit; the length of the prompts is the blind baseline."""
    sides = [[i.score for i in audit.items if i.suspect is side] for side in (True, False)]
    found = compare(*sides)
    prompts = control(audit.items, lambda item: item.prompt_length, {})
    blind = [prompts.unadjusted.estimate("characters", "blind", prompts.fit.design.sizes)]
    return decide(found, (), attribute(audit.items, blind, comparison=found, before=audit.before))
