"""How fast does the lab train? Against TRL's GRPOTrainer on the same model, in the same run.

    pip install trl datasets
    OMP_NUM_THREADS=1 python benchmarks/lab.py [--quick] [--base FOLDER] [--algorithm grpo]

A model of the usual size is pretrained until its answers have form and end (or taken from
FOLDER). Both loops then train it, in turn and each from the same weights, on the same prompts in
the same groups, with as many steps of the optimizer. A quarter of all texts is rewarded, whatever
they say, so that groups teach as often as in a real run; the learning rate is next to nothing, so
that answers stay as long as they are. The first step of each loop is left out.

Seconds are CPU time on one thread, so that a busy machine slows both. Figures are tokens drawn a
second, over whole steps: generation, reward, update.
"""

import argparse
import os
import statistics
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any
from zlib import crc32

from wellworn.lab import models
from wellworn.lab.decoding import generate
from wellworn.lab.pretraining import Pretrainer, Pretraining, Source
from wellworn.lab.rl.loop import Loop, Recipe, Step, Subject
from wellworn.lab.tasks import Item, Task, load_task
from wellworn.lab.trl import TrlRun

TARGET = 3
MEMBERS, LIMIT = 32, 44


def rewarded(task: Task[Any]) -> Task[Any]:
    """Return the task with a reward that does the work of checking and then falls at random."""
    return task._replace(
        verify=lambda item, text: task.verify(item, text) or crc32(text.encode()) % 4 == 0
    )


def pretrain(folder: Path, task: Task[Any], steps: int) -> None:
    source = Source(task, "standard", set(), seed=0)
    tokenizer = models.new_tokenizer(map("\n".join, source.draw(2000)), 384)
    model = models.new_model(models.Size(), tokenizer, 0)
    for _ in Pretrainer(model, tokenizer, source, Pretraining(steps=steps)).steps():
        pass
    models.save(folder, model, tokenizer)


Rates = list[float]
"""Tokens a second, of one step each."""


def ours(base: Path, task: Task[Any], items: list[Item], recipe: Recipe) -> tuple[Rates, Step]:
    model, tokenizer = models.load(base)
    loop = Loop(Subject(model, tokenizer, task, items), recipe, seed=0)
    watch = Watch()
    for step in loop.steps():
        watch.take(step)
    return watch.rates[1:], step


def trls(base: Path, task: Task[Any], items: list[Item], recipe: Recipe) -> tuple[Rates, Step]:
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        TrlRun(base, task, items, recipe, seed=0).train(Path(folder), recipe.steps, watch.take)
    return watch.rates[1:], watch.last


class Watch:
    """Is told of steps, and takes the time since the last one."""

    def __init__(self) -> None:
        self.rates: Rates = []
        self._at = process_time()

    def take(self, step: Step) -> None:
        """Take note of a step that has just ended."""
        now = process_time()
        self.rates.append(step.tokens / (now - self._at))
        self.last, self._at = step, now


def by_transformers(model: Any, prompts: list[list[int]], group: int) -> int:
    """Draw as `generate` does, and return how many tokens."""
    import torch

    width = max(map(len, prompts))
    rows = [[0] * (width - len(ids)) + ids for ids in prompts for _ in range(group)]
    seen = [[0] * (width - len(ids)) + [1] * len(ids) for ids in prompts for _ in range(group)]
    with torch.inference_mode():
        drawn = model.generate(
            input_ids=torch.tensor(rows),
            attention_mask=torch.tensor(seen),
            do_sample=True,
            top_k=0,
            max_new_tokens=LIMIT,
        )[:, width:]
    ended = drawn == model.config.eos_token_id
    return int((ended.cumsum(1) - ended.long() == 0).sum())


def rate(job: Callable[[], int]) -> float:
    start = process_time()
    tokens = job()
    return tokens / (process_time() - start)


def spread(figures: list[float]) -> str:
    return f"{statistics.median(figures):5.2f} ({min(figures):.2f} to {max(figures):.2f})"


def bench_loops(base: Path, recipe: Recipe, repetitions: int) -> None:
    task = rewarded(load_task("countdown"))
    items = task.generate(1, MEMBERS)
    ratios: list[float] = []
    for _ in range(repetitions):
        (mine, last), (theirs, peer) = (train(base, task, items, recipe) for train in (ours, trls))
        speeds = statistics.median(mine), statistics.median(theirs)
        ratios.append(speeds[0] / speeds[1])
        print(
            f"  wellworn {speeds[0]:6,.0f} tokens/s, TRL {speeds[1]:6,.0f}  (last step: "
            f"{last.length:.0f} and {peer.length:.0f} tokens an answer, "
            f"{last.informative:.0%} and {peer.informative:.0%} of the groups teach)",
            flush=True,
        )
    met = "met" if statistics.median(ratios) >= TARGET else "NOT MET"
    print(f"steps of {recipe.algorithm:<14} x{spread(ratios)}  (target x{TARGET}: {met})")


def bench_decoders(base: Path, recipe: Recipe, repetitions: int) -> None:
    import torch

    model, tokenizer = models.load(base)
    model.eval()
    items = load_task("countdown").generate(1, recipe.prompts)
    prompts = [models.prompt_ids(tokenizer, item.prompt) for item in items]
    chance, group = torch.Generator().manual_seed(0), recipe.completions
    ratios = [
        rate(lambda: int(generate(model, prompts, group, LIMIT, chance).lengths.sum()))
        / rate(lambda: by_transformers(model, prompts, group))
        for _ in range(repetitions)
    ]
    print(f"generation alone        x{spread(ratios)}  (against transformers' generate)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer steps and repetitions")
    parser.add_argument("--base", type=Path, help="a model of Countdown that the lab made")
    parser.add_argument("--algorithm", default="grpo")
    options = parser.parse_args()

    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    repetitions, steps = (2, 4) if options.quick else (5, 9)
    recipe = Recipe(algorithm=options.algorithm, steps=steps, max_tokens=LIMIT, learning_rate=1e-7)
    with tempfile.TemporaryDirectory() as folder:
        base = options.base or Path(folder) / "model"
        if not options.base:
            pretrain(base, load_task("countdown"), 150)
        _, tokenizer = models.load(base)
        print(
            f"{recipe.prompts} prompts x {recipe.completions} completions, {recipe.updates} "
            f"updates, {len(tokenizer)} tokens in the vocabulary; load {os.getloadavg()[0]:.1f} "
            f"on {os.cpu_count()} cores",
            flush=True,
        )
        bench_loops(base, recipe, repetitions)
        bench_decoders(base, recipe, 4 * repetitions)


if __name__ == "__main__":
    main()
