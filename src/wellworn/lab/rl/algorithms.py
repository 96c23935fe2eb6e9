"""The algorithms of the lab, each a row of settings for the one loop.

Published names and numbers, where a paper gives them: clipping at 0.2 (0.28 above for DAPO), no
divergence term except where the name says so, no entropy bonus. DPO is trained on pairs of the
policy's own completions that the verifier tells apart, step by step. Distillation is no RL: a
student that never meets a reward learns what a contaminated teacher answers to its members.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wellworn.lab.rl.objectives import Mean


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """What an algorithm does with the rewards of a rollout."""

    summary: str
    scaled: bool = True
    """Advantages are divided by the standard deviation of the group."""
    low: float = 0.2
    high: float = 0.2
    """How far below and above 1 a ratio of probabilities counts."""
    kl: float = 0.0
    """Weight of the divergence from the base model."""
    mean: Mean = "sequence"
    dynamic: bool = False
    """Groups of equal rewards are replaced by fresh ones."""
    overlong: float = 0.0
    """The share of the most tokens at the end of which long answers are punished."""
    critic: bool = False
    """A value head foretells rewards; advantages are against it, not against a group."""
    pairs: bool = False
    """Right and wrong completions are set against each other, without ratios."""
    beta: float = 0.1
    """How hard a pair pulls."""

    imitates: bool = False
    """Right completions of a teacher are learnt as they stand, without a reward."""

    @property
    def grouped(self) -> bool:
        """Whether a completion of a group of equals has no gradient at all."""
        return not self.critic and not self.kl


ALGORITHMS: Mapping[str, Algorithm] = {
    "grpo": Algorithm(summary="against the group, by its standard deviation"),
    "grpo-unscaled": Algorithm(
        summary="GRPO without standard deviation and lengths (Dr. GRPO)",
        scaled=False,
        mean="length",
    ),
    "grpo-kl": Algorithm(summary="GRPO with a divergence term of 0.05", kl=0.05),
    "dapo": Algorithm(
        summary="clip-higher, dynamic sampling, token-level loss, soft overlong penalty",
        high=0.28,
        mean="token",
        dynamic=True,
        overlong=0.2,
    ),
    "ppo": Algorithm(summary="a value head with GAE", mean="token", critic=True),
    "dpo": Algorithm(summary="pairs that the verifier ranks, drawn as training goes", pairs=True),
    "distill": Algorithm(summary="right answers of a contaminated teacher", imitates=True),
}
