"""Pretraining: a model learns a task's ways of working from traces of fresh problems.

Every batch is drawn anew, from problems that are in no pool, each with one of its many right
traces. So the model knows how to work before RL, solves some problems and not others, and has
seen no problem of a pool: what RL changes on its members, RL alone changed. For contamination
in two stages, some problems of the pools are mixed in on purpose.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from wellworn.lab.policy import Pair, chunks, encoded, read
from wellworn.lab.ranges import Count, Positive, Share, Whole
from wellworn.lab.tasks import Item, Level, Task
from wellworn.lab.tasks.draws import pick

WARM_UP = 100
"""Steps over which the learning rate rises."""


class Pretraining(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long and how fast."""

    steps: Count = 2000
    batch: Count = 128
    """Traces a step."""
    short: Whole = 0
    """So many of the steps, at the beginning, are on short problems: a long trace takes the time
    of many short ones, and the first steps teach what both have in common."""
    short_batch: Count = 128
    """Traces of a step on short problems."""
    learning_rate: Positive = 3e-3
    """At its highest; it falls in a line to a tenth of that."""
    repeated: Whole = 0
    """Problems of the pool that pretraining sees too, whichever half they come to be in."""
    share: Share = 0.1
    """The share of the traces that are of those."""


class Pretrained(msgspec.Struct, frozen=True, kw_only=True):
    """What a step was like."""

    step: int
    """Counted from 1."""
    loss: float
    """Mean cross-entropy of the tokens of the traces, in nats."""
    tokens: int
    """Of the traces."""
    seconds: float


class Source:
    """Problems with traces: fresh ones, and those that are repeated on purpose.

    Args:
        task: What to draw.
        level: How hard.
        taken: Canonical forms that are not drawn.
        seed: Of all chance in it.
        repeated: Problems of which a share of the traces are.
        share: That share.
    """

    def __init__(
        self,
        task: Task[Any],
        level: Level,
        taken: Set[Hashable],
        *,
        seed: int,
        repeated: Sequence[Item] = (),
        share: float = 0.0,
    ) -> None:
        self.rng = Random(f"pretraining {seed}")
        self._task, self._level, self._taken = task, level, taken
        self._repeated, self._share = repeated, share

    def draw(self, count: int, short: bool = False) -> list[tuple[str, str]]:
        """Return prompts, each with a trace; of the level, or short ones."""
        level = "short" if short else self._level
        items = [self._item(level) for _ in range(count)]
        return [(item.prompt, self._task.trace(item, self.rng)) for item in items]

    def _item(self, level: Level) -> Item:
        if self._repeated and self.rng.random() < self._share:
            return pick(self.rng, self._repeated)
        while True:
            item: Item = self._task.draw(self.rng, level)
            if self._task.canonical(item) not in self._taken:
                return item


class Pretrainer:
    """Trains a model on traces."""

    def __init__(self, model: Any, tokenizer: Any, source: Source, recipe: Pretraining) -> None:
        import torch

        self.done = 0
        """Steps so far."""
        self._model, self._tokenizer, self._source, self._recipe = model, tokenizer, source, recipe
        self._optimizer = torch.optim.AdamW(
            model.parameters(), betas=(0.9, 0.95), weight_decay=0.01
        )

    def steps(self) -> Iterator[Pretrained]:
        """Train until the recipe's steps are done; yield what each was like."""
        while self.done < self._recipe.steps:
            start = perf_counter()
            drawn = self._drawn()
            pairs = [encoded(self._tokenizer, prompt, text) for prompt, text in drawn]
            tokens = sum(len(answer) for _, answer in pairs)
            loss = self._learn(pairs, tokens)
            self.done += 1
            seconds = perf_counter() - start
            yield Pretrained(step=self.done, loss=loss, tokens=tokens, seconds=seconds)

    def _drawn(self) -> list[tuple[str, str]]:
        """Return the prompts and traces of a step."""
        recipe, short = self._recipe, self.done < self._recipe.short
        return self._source.draw(recipe.short_batch if short else recipe.batch, short)

    def _learn(self, pairs: Sequence[Pair], tokens: int) -> float:
        import torch

        for group in self._optimizer.param_groups:
            group["lr"] = rate(self.done, self._recipe)
        self._model.train()
        self._optimizer.zero_grad()
        loss = 0.0
        for rows in chunks(pairs, range(len(pairs))):
            part = -read(self._model, pairs, rows).logps.sum() / tokens
            part.backward()
            loss += part.item()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._optimizer.step()
        return loss

    def state(self) -> dict[str, Any]:
        """Return all that a later pretrainer needs to go on from here."""
        return {
            "done": self.done,
            "model": self._model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "chance": self._source.rng.getstate(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state` of the same pretraining."""
        self.done = state["done"]
        self._model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._source.rng.setstate(state["chance"])


def rate(step: int, recipe: Pretraining) -> float:
    """Return the learning rate of a step.

    >>> [round(rate(step, Pretraining(steps=1000, learning_rate=1.0)), 2) for step in (0, 99, 999)]
    [0.01, 0.91, 0.1]
    """
    rise, fall = min(1.0, (step + 1) / WARM_UP), 1 - 0.9 * (step + 1) / recipe.steps
    return recipe.learning_rate * rise * fall
