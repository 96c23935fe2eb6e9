"""TRL's GRPOTrainer on the members of an experiment: another's loop, to check ours against.

The recipe, the epochs, the reward and what is told of each step are those of our loop; sampling,
advantages, losses and the optimizer's steps are TRL's. It takes every causal language model that
transformers loads, so that models can be trained which our decoder cannot read. What differs:

    temperature  TRL divides logits by it in the loss too; at 1 there is no difference
    dapo         TRL does not sample dynamically: groups of equals stay, and teach nothing
    entropy      of the policy as it learns: from the second minibatch on, after a step of it
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from wellworn.lab.rl.algorithms import ALGORITHMS
from wellworn.lab.rl.grpo_config import check, settings
from wellworn.lab.rl.loop import Exposure, Recipe, Step
from wellworn.lab.rl.objectives import overlong_penalty
from wellworn.lab.rl.rollouts import Order
from wellworn.lab.tasks import Item, Task

KEPT = "exposures.json"
"""Is written last into a checkpoint of TRL's: one without it was cut off."""


class Rollout(NamedTuple):
    """What was answered for a step, the completions of a prompt beside each other."""

    solved: list[list[float]]
    """Of each prompt, 1 for each right completion, else 0."""
    lengths: list[int]
    """Tokens of each completion."""
    entropies: list[float]
    """Nats, of each minibatch."""
    start: float
    """Seconds on the clock when the step began."""


class TrlRun:
    """Trains the model of a checkpoint on members.

    Args:
        checkpoint: A folder with a causal language model and its tokenizer.
        task: What rewards.
        items: The members.
        recipe: How to train.
        seed: Of the order of prompts and of all samples.

    Raises:
        BadInput: TRL is not installed, or cannot follow the recipe.
    """

    def __init__(
        self, checkpoint: Path, task: Task[Any], items: Sequence[Item], recipe: Recipe, *, seed: int
    ) -> None:
        check(recipe)
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.model = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
        self.tokenizer = AutoTokenizer.from_pretrained(checkpoint)
        self.done = 0
        """Steps so far."""
        self.exposures = [Exposure() for _ in items]
        """By place among the members."""
        self._task, self._items, self._recipe, self._seed = task, items, recipe, seed
        self._rollout = Rollout([], [], [], 0.0)

    def train(
        self,
        folder: Path,
        every: int,
        on_step: Callable[[Step], None],
        on_kept: Callable[[int], None] = lambda done: None,
    ) -> None:
        """Train to the end, from TRL's last checkpoint if there is one.

        Args:
            folder: Where TRL keeps its checkpoints, which are of no use after the end.
            every: Steps between them; the last step is always one.
            on_step: Is told of each step; those since the last checkpoint are taken again
                after a kill.
            on_kept: Is told, with the steps so far, before a checkpoint counts as kept.
        """
        last = self._restored(folder)
        if self.done == self._recipe.steps:
            return
        from transformers import PrinterCallback
        from trl import GRPOTrainer

        trainer = GRPOTrainer(
            model=self.model,
            reward_funcs=self._rewarded,
            args=settings(self._recipe, folder, every, self._seed),
            train_dataset=self._dataset(),
            processing_class=self.tokenizer,
            callbacks=[_watch(self, on_step, on_kept)],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train(resume_from_checkpoint=str(last) if last else None)

    def begin(self) -> None:
        """Take note that a step begins."""
        self._rollout = Rollout([], [], [], perf_counter())

    def learnt(self, entropy: float, minibatches: int) -> Step | None:
        """Take note of minibatches so far and the entropy of the last; return a whole step."""
        self._rollout.entropies.append(entropy)
        self.done, rest = divmod(minibatches, self._recipe.updates)
        return None if rest else _step(self.done, self._rollout)

    def _restored(self, folder: Path) -> Path | None:
        """Return the last whole checkpoint, and count from there; None without one."""
        whole = {int(path.parent.name.split("-")[1]): path for path in folder.glob(f"*/{KEPT}")}
        if not whole:
            return None
        last = whole[max(whole)]
        self.done = max(whole) // self._recipe.updates
        self.exposures = msgspec.json.decode(last.read_bytes(), type=list[Exposure])
        return last.parent

    def _dataset(self) -> Any:
        """Return the prompts of all steps, in epochs as our loop draws them."""
        from datasets import Dataset

        order = Order(len(self._items), Random(self._seed))
        places = [p for _ in range(self._recipe.steps) for p in order.take(self._recipe.prompts)]
        turns = [[{"role": "user", "content": self._items[place].prompt}] for place in places]
        return Dataset.from_dict({"prompt": turns, "place": places})

    def _rewarded(
        self,
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]],
        place: Sequence[int],
        **_: Any,
    ) -> list[float]:
        """Return rewards as our loop gives them, and take note of what was drawn."""
        import torch

        size, limit = self._recipe.completions, self._recipe.max_tokens
        lengths = [len(ids) for ids in completion_ids]
        solved = [
            self._task.reward(self._items[at], turns[-1]["content"]) if self._ended(ids) else 0.0
            for at, turns, ids in zip(place, completions, completion_ids, strict=True)
        ]
        rewards = torch.tensor(solved)
        if share := ALGORITHMS[self._recipe.algorithm].overlong:
            rewards += overlong_penalty(torch.tensor(lengths), limit, max(1, round(limit * share)))
        for member, group in zip(place[::size], rewards.view(-1, size).tolist(), strict=True):
            self.exposures[member].drawn += 1
            self.exposures[member].informative += len(set(group)) > 1
        self._rollout.solved.extend(torch.tensor(solved).view(-1, size).tolist())
        self._rollout.lengths.extend(lengths)
        return list(rewards.tolist())

    def _ended(self, ids: Sequence[int]) -> bool:
        """Return whether a completion ended before the limit."""
        ends = self.model.generation_config.eos_token_id
        return ids[-1] in {self.tokenizer.eos_token_id, *(ends if type(ends) is list else [ends])}


def _watch(run: TrlRun, on_step: Callable[[Step], None], on_kept: Callable[[int], None]) -> Any:
    """Return what TRL tells of its steps and checkpoints."""
    from transformers import TrainerCallback

    class Watch(TrainerCallback):  # type: ignore[misc]
        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step % args.steps_per_generation == 0:
                run.begin()

        def on_log(self, args: Any, state: Any, control: Any, logs: Any, **_: Any) -> None:
            if "entropy" in logs and (step := run.learnt(logs["entropy"], state.global_step)):
                on_step(step)

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            on_kept(run.done)
            kept = Path(args.output_dir) / f"checkpoint-{state.global_step}" / KEPT
            kept.write_bytes(msgspec.json.encode(run.exposures))

    return Watch()


def _step(step: int, rollout: Rollout) -> Step:
    tokens, size = sum(rollout.lengths), len(rollout.lengths)
    return Step(
        step=step,
        pass_rate=sum(map(sum, rollout.solved)) / size,
        entropy=sum(rollout.entropies) / len(rollout.entropies),
        length=tokens / size,
        informative=sum(len(set(group)) > 1 for group in rollout.solved) / len(rollout.solved),
        tokens=tokens,
        seconds=perf_counter() - rollout.start,
    )
