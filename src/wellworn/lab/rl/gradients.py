"""The loss of a minibatch, as parts that sum to it: of policy gradients, pairs or imitation.

What has no gradient is not read: without a critic and a divergence term, completions whose
advantage is 0 only count in the means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from wellworn.lab.policy import CHUNK, Pair, Read, chunks, read
from wellworn.lab.rl.algorithms import Algorithm
from wellworn.lab.rl.objectives import (
    clipped,
    divergence,
    dpo_loss,
    gae,
    group_advantages,
    overlong_penalty,
    token_weights,
    whitened,
)
from wellworn.lab.rl.rollouts import Batch

if TYPE_CHECKING:
    from torch import Tensor


class Learner(NamedTuple):
    """What is trained, and how."""

    algorithm: Algorithm
    model: Any
    reference: Any
    """The base model, where the algorithm needs it."""
    head: Any
    """Foretells the reward from the model's state, where the algorithm has a critic."""
    limit: int
    """The most tokens of a completion."""


class Lesson(NamedTuple):
    """What a batch teaches."""

    units: list[Any]
    """Rows, or pairs of rows: what a minibatch is a share of."""
    losses: Callable[[Any], Iterator[Tensor]]
    """losses(units): the loss of a minibatch, in parts that sum to it."""
    moving: list[int]
    """Places of the groups that teach anything."""


def lesson(learner: Learner, batch: Batch) -> Lesson:
    """Return what an algorithm learns from a batch."""
    if learner.algorithm.imitates:
        right = batch.rewards.flatten().nonzero()[:, 0].tolist()
        moving = batch.rewards.any(1).nonzero()[:, 0].tolist()
        return Lesson(right, partial(imitation, learner, batch), moving)
    if learner.algorithm.pairs:
        return Lesson(ranked(batch), partial(preference, learner, batch), batch.mixed())
    taught = signal(learner, batch)
    moved = (taught.advantages != 0).any(1).view(batch.rewards.shape).any(1)
    rows = list(range(len(batch.pairs)))
    return Lesson(rows, partial(surrogate, learner, batch, taught), moved.nonzero()[:, 0].tolist())


class Signal(NamedTuple):
    """What a batch teaches. All are (rows, limit), for each token."""

    advantages: Tensor
    targets: Tensor
    """What the critic ought to have said."""
    reference: Tensor
    """Log-probabilities of the base model, in nats."""


def signal(learner: Learner, batch: Batch) -> Signal:
    """Return advantages, and what else the algorithm compares with."""
    import torch

    algorithm, shape = learner.algorithm, batch.logps.shape
    rewards = batch.rewards
    if algorithm.overlong:
        buffer = max(1, round(learner.limit * algorithm.overlong))
        penalty = overlong_penalty(batch.lengths, learner.limit, buffer)
        rewards = rewards + penalty.view_as(rewards)
    reference = torch.zeros(shape)
    if algorithm.kl:
        reference = _table(learner.reference, batch, lambda said: said.logps)
    if not algorithm.critic:
        advantages = group_advantages(rewards, algorithm.scaled).view(-1, 1).expand(shape)
        return Signal(advantages, torch.zeros(shape), reference)
    values = _table(learner.model, batch, lambda said: learner.head(said.hidden)[:, 0])
    advantages = gae(rewards.flatten(), values, batch.lengths)
    mask = torch.arange(shape[1]) < batch.lengths[:, None]
    targets = advantages + values
    if len(rewards.unique()) > 1:  # what is left of equals is the critic's error
        advantages[mask] = whitened(advantages[mask])
    return Signal(advantages, targets, reference)


def surrogate(
    learner: Learner, batch: Batch, taught: Signal, rows: Sequence[int]
) -> Iterator[Tensor]:
    """Yield parts of the clipped policy-gradient loss of these rows."""
    import torch

    algorithm = learner.algorithm
    shares = torch.zeros(len(batch.pairs))
    shares[rows] = token_weights(batch.lengths[rows], algorithm.mean, learner.limit)
    silent = (taught.advantages == 0).all(1).tolist()
    read_rows = [row for row in rows if not (silent[row] and algorithm.grouped)]
    for chunk in chunks(batch.pairs, read_rows):
        said = read(learner.model, batch.pairs, chunk)
        at = said.rows, said.places
        ratio = (said.logps - batch.logps[at]).exp()
        loss = clipped(ratio, taught.advantages[at], algorithm.low, algorithm.high)
        if algorithm.kl:
            loss = loss + algorithm.kl * divergence(said.logps, taught.reference[at])
        if algorithm.critic:
            values = learner.head(said.hidden.detach())[:, 0]
            loss = loss + 0.5 * (values - taught.targets[at]) ** 2
        yield (loss * shares[said.rows]).sum()


def ranked(batch: Batch) -> list[tuple[int, int]]:
    """Return rows of a right and of a wrong completion of one prompt, each row in one pair."""
    size = batch.rewards.shape[1]
    pairs: list[tuple[int, int]] = []
    for place, rewards in enumerate(batch.rewards.tolist()):
        rows = range(place * size, (place + 1) * size)
        right = [row for row, reward in zip(rows, rewards, strict=True) if reward]
        wrong = [row for row in rows if row not in right]
        pairs += zip(right, wrong, strict=False)
    return pairs


def preference(
    learner: Learner, batch: Batch, pairs: Sequence[tuple[int, int]]
) -> Iterator[Tensor]:
    """Yield parts of the DPO loss of these pairs of rows."""
    import torch

    for start in range(0, len(pairs), CHUNK // 2):
        part = pairs[start : start + CHUNK // 2]
        rows = [row for pair in part for row in pair]
        with torch.no_grad():
            before = _whole(read(learner.reference, batch.pairs, rows), batch.pairs)
        margins = _whole(read(learner.model, batch.pairs, rows), batch.pairs) - before
        right, wrong = (margins[torch.tensor(side)] for side in zip(*part, strict=True))
        yield dpo_loss(right, wrong, learner.algorithm.beta) * len(part) / len(pairs)


def imitation(learner: Learner, batch: Batch, rows: Sequence[int]) -> Iterator[Tensor]:
    """Yield parts of the cross-entropy of these rows, in nats a token."""
    tokens = sum(len(batch.pairs[row][1]) for row in rows)
    for chunk in chunks(batch.pairs, rows):
        yield -read(learner.model, batch.pairs, chunk).logps.sum() / tokens


def _table(model: Any, batch: Batch, told: Any) -> Tensor:
    """Return (rows, limit) of what is `told` of each token, without gradients."""
    import torch

    table = torch.zeros_like(batch.logps)
    with torch.no_grad():
        for chunk in chunks(batch.pairs, range(len(batch.pairs))):
            said = read(model, batch.pairs, chunk)
            table[said.rows, said.places] = told(said)
    return table


def _whole(said: Read, pairs: Sequence[Pair]) -> Tensor:
    """Return (rows,) log-probabilities of whole completions, in nats."""
    import torch

    return torch.zeros(len(pairs)).index_add(0, said.rows, said.logps)
