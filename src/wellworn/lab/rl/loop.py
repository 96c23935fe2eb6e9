"""The loop of RL: draw prompts, answer them, reward, learn; step by step.

A model meets its members in epochs. How often each was drawn is counted, and how often its
group taught anything: a prompt that is always or never solved is trained on without a signal,
and no detector can be expected to find it.

Everything that chance or time has brought about is in the state of the loop, so that a run
which was stopped goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from wellworn.errors import BadInput, unknown
from wellworn.lab.ranges import Count, Positive
from wellworn.lab.rl.algorithms import ALGORITHMS
from wellworn.lab.rl.gradients import Learner, lesson
from wellworn.lab.rl.rollouts import Batch, Order, Roller, joined
from wellworn.lab.tasks import Item, Task

TRIES = 4
"""Rollouts that dynamic sampling may take for a step."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long, how much and how fast."""

    algorithm: str = "grpo"
    steps: Count = 60
    prompts: Count = 16
    """Prompts a step."""
    completions: Count = 8
    """Of each prompt."""
    updates: Count = 2
    """Minibatches that a rollout is cut into, each with a step of the optimizer."""
    learning_rate: Positive = 5e-4
    temperature: Positive = 1.0
    max_tokens: Count = 64

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise BadInput(f"rl: {unknown('algorithm', self.algorithm, ALGORITHMS)}")


class Exposure(msgspec.Struct):
    """How a prompt was trained on."""

    drawn: int = 0
    """Times that it was answered."""
    informative: int = 0
    """Times that some advantage of its group was not 0."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What a step was like."""

    step: int
    """Counted from 1."""
    pass_rate: float
    """Of all completions that were drawn."""
    entropy: float
    """Mean over tokens, in nats."""
    length: float
    """Mean tokens of a completion."""
    informative: float
    """The share of groups with right and wrong answers."""
    tokens: int
    """Drawn."""
    seconds: float


class Subject(NamedTuple):
    """What is trained, and on what."""

    model: Any
    """A LlamaForCausalLM, changed in place."""
    tokenizer: Any
    task: Task[Any]
    """What rewards."""
    items: Sequence[Item]
    """The members."""
    teacher: Any = None
    """The model that answers in its place, for an algorithm that imitates."""


class Loop:
    """Trains a model on members.

    Args:
        subject: What is trained, and on what.
        recipe: How to train.
        seed: Of the order of prompts and of all samples.
    """

    def __init__(self, subject: Subject, recipe: Recipe, *, seed: int) -> None:
        import torch

        model, algorithm = subject.model, ALGORITHMS[recipe.algorithm]
        head = torch.nn.Linear(model.config.hidden_size, 1) if algorithm.critic else None
        reference = deepcopy(model).eval() if algorithm.kl or algorithm.pairs else None
        self.recipe = recipe
        self.done = 0
        """Steps so far."""
        self.exposures = [Exposure() for _ in subject.items]
        """By place among the members."""
        self._learner = Learner(algorithm, model, reference, head, recipe.max_tokens)
        self._rng, self._generator = Random(seed), torch.Generator().manual_seed(seed)
        self._order = Order(len(subject.items), self._rng)
        self._roller = Roller(
            subject.teacher or model,
            subject.tokenizer,
            subject.task,
            subject.items,
            recipe.max_tokens,
            recipe.temperature,
            self._generator,
        )
        if head:
            torch.nn.init.zeros_(head.weight)
            torch.nn.init.zeros_(head.bias)
        self._parameters = [*model.parameters(), *(head.parameters() if head else ())]
        self._optimizer = torch.optim.AdamW(
            self._parameters, lr=recipe.learning_rate, betas=(0.9, 0.99), weight_decay=0.0
        )

    def steps(self) -> Iterator[Step]:
        """Train until the recipe's steps are done; yield what each was like."""
        while self.done < self.recipe.steps:
            start = perf_counter()
            batch, drawn = self._draw()
            if batch.pairs:
                self._learn(batch)
            self.done += 1
            yield _step(self.done, drawn, perf_counter() - start)

    def _draw(self) -> tuple[Batch, Batch]:
        """Return what to learn from, and all that was drawn for it."""
        recipe, dynamic = self.recipe, self._learner.algorithm.dynamic
        drawn: list[Batch] = []
        kept: list[Batch] = []
        for _ in range(TRIES if dynamic else 1):
            part = self._roller.roll(self._order.take(recipe.prompts), recipe.completions)
            for member in part.members:
                self.exposures[member].drawn += 1
            drawn.append(part)
            kept.append(part.kept(part.mixed()) if dynamic else part)
            if sum(len(batch.members) for batch in kept) >= recipe.prompts:
                break
        batch = joined(kept)
        most = range(min(recipe.prompts, len(batch.members)))
        return batch.kept(most), joined(drawn)

    def _learn(self, batch: Batch) -> None:
        """Take the optimizer's steps for a batch."""
        self._learner.model.train()
        taught = lesson(self._learner, batch)
        for place in taught.moving:
            self.exposures[batch.members[place]].informative += 1
        units = sorted(taught.units, key=lambda _: self._rng.random())
        for part in range(self.recipe.updates):
            self._descend(taught.losses(units[part :: self.recipe.updates]))

    def _descend(self, losses: Iterator[Any]) -> None:
        """Take one step of the optimizer down the sum of the losses, if there are any."""
        import torch

        self._optimizer.zero_grad()
        found = False
        for loss in losses:
            loss.backward()
            found = True
        if found:
            torch.nn.utils.clip_grad_norm_(self._parameters, 1.0)
            self._optimizer.step()

    def state(self) -> dict[str, Any]:
        """Return all that a later loop needs to go on from here."""
        head = self._learner.head
        return {
            "done": self.done,
            "exposures": [(each.drawn, each.informative) for each in self.exposures],
            "model": self._learner.model.state_dict(),
            "head": head.state_dict() if head else None,
            "optimizer": self._optimizer.state_dict(),
            "generator": self._generator.get_state(),
            "chance": self._rng.getstate(),
            "waiting": self._order.waiting,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state` of the same loop."""
        self.done = state["done"]
        self.exposures = [Exposure(*counts) for counts in state["exposures"]]
        self._learner.model.load_state_dict(state["model"])
        if self._learner.head:
            self._learner.head.load_state_dict(state["head"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._generator.set_state(state["generator"])
        self._rng.setstate(state["chance"])
        self._order.waiting = state["waiting"]


def _step(step: int, drawn: Batch, seconds: float) -> Step:
    tokens = int(drawn.lengths.sum())
    return Step(
        step=step,
        pass_rate=float(drawn.rewards.mean()),
        entropy=float(drawn.entropies.sum()) / tokens,
        length=tokens / len(drawn.pairs),
        informative=len(drawn.mixed()) / len(drawn.members),
        tokens=tokens,
        seconds=seconds,
    )
