"""What RL optimises, as pure functions of tensors: advantages, penalties, losses.

    GRPO   arXiv 2402.03300: rewards against those of the same prompt, k3 divergence
    Dr. GRPO arXiv 2503.20783: without the standard deviation
    DAPO   arXiv 2503.14476: clip-higher, token-level loss, soft penalty of long answers
    PPO    arXiv 1707.06347 with GAE, arXiv 1506.02438
    DPO    arXiv 2305.18290

Where nothing else is said, tensors hold a number for each token, in any shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from torch import Tensor

Mean = Literal["sequence", "token", "length"]
"""How a loss is averaged: over the tokens of each completion and then over completions; over all
tokens; or, as Dr. GRPO does, over completions and the most tokens that one may have."""

EPSILON = 1e-4
"""Added to standard deviations."""


def group_advantages(rewards: Tensor, scaled: bool = True) -> Tensor:
    """Return how much better than its group each completion is.

    A group of equals and a group of one have advantages of exactly 0: they teach nothing.

    Args:
        rewards: (prompts, completions).
        scaled: Divide by the group's standard deviation (with n - 1, as TRL and verl do).
    """
    import torch

    advantages = rewards - rewards.mean(1, keepdim=True)
    equal = (rewards == rewards[:, :1]).all(1, keepdim=True)
    if scaled and rewards.shape[1] > 1:
        advantages = advantages / (rewards.std(1, keepdim=True) + EPSILON)
    return torch.where(equal, torch.zeros_like(advantages), advantages)


def gae(
    rewards: Tensor, values: Tensor, lengths: Tensor, gamma: float = 1.0, lam: float = 1.0
) -> Tensor:
    """Return generalised advantage estimates; with `values` added, they are what values aim at.

    Args:
        rewards: (rows,), each given with the last token of its completion.
        values: (rows, steps), of the state before each token.
        lengths: (rows,): tokens of each completion.
        gamma: Discount of a step.
        lam: 1 is the return less the value, 0 the error of one step.
    """
    import torch

    rows, steps = values.shape
    ahead, advantages = torch.zeros(rows), torch.zeros(rows, steps)
    value_ahead = torch.zeros(rows)
    for step in reversed(range(steps)):
        last, inside = lengths == step + 1, lengths > step
        error = rewards * last + gamma * value_ahead - values[:, step]
        ahead = torch.where(inside, error + gamma * lam * ahead, torch.zeros(rows))
        value_ahead = torch.where(inside, values[:, step], torch.zeros(rows))
        advantages[:, step] = ahead
    return advantages


def whitened(advantages: Tensor) -> Tensor:
    """Return advantages with mean 0 and variance 1."""
    return (advantages - advantages.mean()) / (advantages.std(correction=0) + EPSILON)


def overlong_penalty(lengths: Tensor, limit: int, buffer: int) -> Tensor:
    """Return DAPO's soft penalty: 0 up to `limit` - `buffer` tokens, then down to -1 at `limit`.

    >>> import torch
    >>> overlong_penalty(torch.tensor([95, 100]), 100, 10).tolist()
    [-0.5, -1.0]
    """
    return -((lengths - (limit - buffer)) / buffer).clamp(0, 1)


def clipped(ratio: Tensor, advantages: Tensor, low: float, high: float) -> Tensor:
    """Return the clipped surrogate loss of each token.

    Args:
        ratio: Probability now over the probability when it was sampled.
        advantages: Of each token.
        low: Ratios are clipped from 1 - `low` …
        high: … to 1 + `high`; DAPO's "clip-higher" is a `high` above `low`.
    """
    import torch

    return -torch.minimum(ratio * advantages, ratio.clamp(1 - low, 1 + high) * advantages)


def divergence(logps: Tensor, reference: Tensor) -> Tensor:
    """Return the k3 estimate of KL(policy ‖ reference) of each token, in nats; never below 0."""
    difference = reference - logps
    return difference.exp() - difference - 1


def token_weights(lengths: Tensor, mean: Mean, limit: int) -> Tensor:
    """Return the share that each token of a row has in the mean loss of the rows.

    A sum of losses times these is that mean, whatever order or parts it is summed in.

    Args:
        lengths: (rows,): tokens of each completion.
        mean: How losses are averaged.
        limit: The most tokens that a completion may have, for "length".

    Returns:
        (rows,).
    """
    import torch

    rows = len(lengths)
    if mean == "token":
        return torch.full((rows,), 1 / float(lengths.sum()))
    return 1 / rows / (lengths.float() if mean == "sequence" else torch.full((rows,), float(limit)))


def dpo_loss(chosen: Tensor, rejected: Tensor, beta: float) -> Tensor:
    """Return the loss of pairs, whose log-odds should favour the chosen completion.

    Args:
        chosen: (pairs,): log-probability of the whole chosen completion, less the reference's.
        rejected: Likewise of the rejected one.
        beta: How hard a pair pulls; small values let the policy go far.
    """
    from torch.nn.functional import logsigmoid

    return -logsigmoid(beta * (chosen - rejected)).mean()
