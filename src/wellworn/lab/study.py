"""A study: many experiments, with other halves, seeds, algorithms and tasks, and what they show.

Each experiment is a folder; one that has results is not run again. Experiments of a task share
a base model and its audit, which are made first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from wellworn.errors import BadInput
from wellworn.lab.config import Config, load_config
from wellworn.lab.experiment import open_experiment
from wellworn.lab.injection import Half
from wellworn.lab.results import RESULTS, Results, audited, audited_base
from wellworn.lab.stages import pretrained, trained
from wellworn.pipeline import silent

TEACHER = "dapo"
"""The algorithm of the teachers of students that are distilled."""
HALVES: tuple[Half, ...] = get_args(Half)


class Grid(NamedTuple):
    """Which experiments a study is made of: all combinations, with both halves of each split."""

    recipes: tuple[str, ...] = ("countdown", "arithmetic", "sat")
    algorithms: tuple[str, ...] = ("grpo", "dapo", "ppo")
    seeds: int = 5
    curves: int = 1
    """So many of the seeds have checkpoints on the way audited; the others the last alone."""

    def cells(self, folder: Path) -> Iterator[tuple[Path, Config]]:
        """Yield the experiments, each with its folder; first those of the first seed."""
        cells = product(range(self.seeds), self.recipes, self.algorithms, HALVES)
        for seed, recipe, algorithm, half in cells:
            name, whole = Path(recipe).stem, folder.resolve()
            changes: dict[str, Any] = {
                "seed": seed,
                "half": half,
                "base": str(whole / "bases" / name),
                "rl": {"algorithm": algorithm},
            }
            if seed >= self.curves:
                changes["audit"] = {"every": load_config(recipe).rl.steps}
            if algorithm == "distill":
                changes["teacher"] = str(whole / f"{name}-{TEACHER}-{seed}{half}")
            yield whole / f"{name}-{algorithm}-{seed}{half}", load_config(recipe, changes)


def run_study(
    grid: Grid, folder: Path, jobs: int, on_done: Callable[[str, int, int], None]
) -> None:
    """Run the experiments of a study that have no results yet.

    Each job is a process that computes on one thread. Base models come first, teachers before
    their students.

    Args:
        grid: The experiments.
        folder: Where they are, in a folder each.
        jobs: Experiments under way at once.
        on_done: Is told the name of each that is done, and how many of how many are.

    Raises:
        BadInput: An experiment cannot be made, or its process was killed. What is done is kept.
    """
    cells = list(grid.cells(folder))
    first = {config.base: (path, config) for path, config in reversed(cells)}
    waves = [
        (_make_base, list(first.values())),
        (_run, [cell for cell in cells if cell[1].teacher is None]),
        (_run, [cell for cell in cells if cell[1].teacher is not None]),
    ]
    done, total = 0, sum(len(wave) for _, wave in waves)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _compute_alone) as pool:
        for work, wave in waves:
            begun = {pool.submit(work, *cell): cell[0].name for cell in wave}
            for future in as_completed(begun):
                finished(begun[future], future)
                done += 1
                on_done(begun[future], done, total)


def finished(name: str, future: Future[None]) -> None:
    """Raise what ended an experiment early, with its name.

    Raises:
        BadInput: It could not be made, or its process was killed.
    """
    try:
        future.result()
    except BrokenProcessPool:
        raise BadInput(
            f"{name}, or an experiment beside it: its process was killed, as it is where memory "
            f"runs out.\nRun the same command again, which goes on; fewer --jobs need less memory."
        ) from None
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None


def _compute_alone() -> None:
    import torch

    torch.set_num_threads(1)


def _make_base(folder: Path, config: Config) -> None:
    experiment = open_experiment(folder, config)
    pretrained(experiment, silent)
    audited_base(experiment, silent)


def _run(folder: Path, config: Config) -> None:
    experiment = open_experiment(folder, config)
    if not (folder / RESULTS).exists():
        trained(experiment, silent)
        audited(experiment, silent)


def results_of(folder: Path) -> list[Results]:
    """Return the results of the experiments in a folder, in the order of their names.

    Raises:
        BadInput: There are none.
    """
    found = sorted(folder.glob(f"*/{RESULTS}"))
    if not found:
        raise BadInput(f"{folder}: there are no results.\nMake some: `wellworn lab study`.")
    return [msgspec.json.decode(path.read_bytes(), type=Results) for path in found]
