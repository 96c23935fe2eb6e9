"""Rollouts: prompts are drawn in epochs, answered in groups, and rewarded by the verifier."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from wellworn.lab.decoding import generate
from wellworn.lab.models import prompt_ids
from wellworn.lab.policy import Pair
from wellworn.lab.tasks import Item, Task

if TYPE_CHECKING:
    import torch
    from torch import Tensor


class Batch(NamedTuple):
    """Answered prompts; the rows of a prompt stand beside each other."""

    members: list[int]
    """(prompts,): which each is."""
    rewards: Tensor
    """(prompts, completions): 1 for a right answer, else 0."""
    pairs: list[Pair]
    """(rows,): tokens of prompt and completion."""
    logps: Tensor
    """(rows, limit), nats: of each token when it was sampled, at temperature 1."""
    entropies: Tensor
    """(rows, limit), nats."""
    lengths: Tensor
    """(rows,): tokens of each completion."""

    def kept(self, groups: Sequence[int]) -> Batch:
        """Return these groups of the batch, by their places."""
        import torch

        size = self.rewards.shape[1]
        rows = [place * size + i for place in groups for i in range(size)]
        at = torch.tensor(rows, dtype=torch.long)
        return Batch(
            [self.members[place] for place in groups],
            self.rewards[torch.tensor(groups, dtype=torch.long)],
            [self.pairs[row] for row in rows],
            *(part[at] for part in self[3:]),
        )

    def mixed(self) -> list[int]:
        """Return the places of the groups that have right and wrong answers."""
        differ = (self.rewards != self.rewards[:, :1]).any(1)
        return [place for place, mixed in enumerate(differ.tolist()) if mixed]


def joined(batches: Sequence[Batch]) -> Batch:
    """Return one batch of all groups."""
    import torch

    members = [member for batch in batches for member in batch.members]
    pairs = [pair for batch in batches for pair in batch.pairs]
    rewards = torch.cat([batch.rewards for batch in batches])
    rest = (torch.cat(parts) for parts in zip(*(batch[3:] for batch in batches), strict=True))
    return Batch(members, rewards, pairs, *rest)


class Order:
    """Goes through the prompts in epochs, each in a new order."""

    def __init__(self, count: int, rng: Random) -> None:
        self._count, self._rng = count, rng
        self.waiting: list[int] = []
        """What is left of the epochs that have begun."""

    def take(self, count: int) -> list[int]:
        """Return the next prompts, by place; one may come twice where epochs meet."""
        while len(self.waiting) < count:
            self.waiting += sorted(range(self._count), key=lambda _: self._rng.random())
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return taken


class Roller(NamedTuple):
    """Answers prompts with a model, and rewards what it says."""

    model: Any
    tokenizer: Any
    task: Task[Any]
    items: Sequence[Item]
    limit: int
    """The most tokens of a completion."""
    temperature: float
    generator: torch.Generator

    def roll(self, members: Sequence[int], group: int) -> Batch:
        """Return `group` completions of each of these prompts, by their places in `items`."""
        import torch
        from torch.nn.functional import pad

        prompts = [prompt_ids(self.tokenizer, self.items[member].prompt) for member in members]
        self.model.eval()
        found = generate(self.model, prompts, group, self.limit, self.generator, self.temperature)
        rows = zip(found.tokens.tolist(), found.lengths.tolist(), strict=True)
        answers = [tokens[:length] for tokens, length in rows]
        texts = self.tokenizer.batch_decode(answers, skip_special_tokens=True)
        told = zip(texts, found.ended.tolist(), strict=True)
        rewards = [
            self.task.reward(self.items[members[row // group]], text) if ended else 0.0
            for row, (text, ended) in enumerate(told)
        ]
        pairs = [(prompts[row // group], answer) for row, answer in enumerate(answers)]
        room = (0, self.limit - found.tokens.shape[1])
        return Batch(
            list(members),
            torch.tensor(rewards).view(len(members), group),
            pairs,
            pad(found.logps, room),
            pad(found.entropies, room),
            found.lengths,
        )
