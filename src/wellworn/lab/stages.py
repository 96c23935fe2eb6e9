"""The stages of an experiment: a model before RL, and the same model trained on its members.

Each begins where it was stopped, and does nothing if it is done.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from typing import Any

import msgspec

from wellworn.errors import BadInput
from wellworn.lab import models
from wellworn.lab.config import Config
from wellworn.lab.experiment import (
    ABOUT,
    EXPOSURES,
    OF_BASE,
    PROMPTS,
    STATE,
    STEPS,
    Experiment,
    Tell,
    difference,
    open_experiment,
    write_whole,
)
from wellworn.lab.injection import inject, pool_of, prompt_id, write_prompts
from wellworn.lab.pretraining import Pretrained, Pretrainer, Source
from wellworn.lab.rl.loop import Loop, Step, Subject
from wellworn.lab.training import train
from wellworn.lab.trl import TrlRun

TRL = "trl"
"""The folder of TRL's own checkpoints, while it trains."""
KEPT = 25
"""Steps of pretraining after which its state is kept."""
LEARNT = 3000
"""Traces that a tokenizer is learnt from."""


def check_ready(config: Config) -> None:
    """Refuse an experiment that could not be trained to its end, before anything is made.

    Raises:
        BadInput: A package is missing, or there is no base or teacher where one is named.
    """
    needed = ["torch", "transformers", *(["trl"] if config.trainer == "trl" else [])]
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        extra = "trl" if missing == ["trl"] else "hf"
        raise BadInput(
            f"the lab trains with {' and '.join(needed)}; {missing[0]} is not installed.\n"
            f"Install what it needs with `pip install '.[{extra}]'`."
        )
    if config.base and not Path(config.base, "model").exists():
        raise BadInput(
            f"{config.base}: there is no base model (no folder model in it).\n"
            f"Name the folder base of an experiment, or leave it out to make one."
        )
    if config.teacher:
        open_experiment(config.teacher)


def pretrained(experiment: Experiment, tell: Tell) -> None:
    """Make the model before RL, unless it is there.

    Raises:
        BadInput: The base that the experiment names was made for others.
    """
    folder, config = experiment.base, experiment.config
    about = {name: getattr(config, name) for name in OF_BASE}
    if (folder / "model").exists():
        held = json.loads((folder / ABOUT).read_bytes())
        if held != msgspec.to_builtins(about):
            raise BadInput(
                f"the base {folder} is of another experiment: {difference(about, held)}.\n"
                f"Leave it out to make one, or change the configuration to the base's."
            )
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ABOUT).write_bytes(msgspec.json.encode(about))
    whole = inject(experiment.task, config.level, config.pools, 0)
    write_prompts(folder / PROMPTS, [item for items in whole for item in items])
    model, tokenizer, source = _unborn(experiment)
    recipe = config.pretraining
    trainer = Pretrainer(model, tokenizer, source, recipe)

    def said(step: Pretrained) -> None:
        tell(
            "pretraining",
            step.step,
            recipe.steps,
            f"loss {step.loss:.3f}  {step.tokens / step.seconds:,.0f} tokens/s",
        )

    train(trainer, folder / STATE, KEPT, said)
    models.save(folder / "model", model, tokenizer)
    (folder / STATE).unlink()


def _unborn(experiment: Experiment) -> tuple[Any, Any, Source]:
    """Return a model with random weights, its tokenizer, and what it will learn from."""
    config, task = experiment.config, experiment.task
    pool, easy = pool_of(task, config.level, config.pools)
    recipe, seed = config.pretraining, config.pools.seed
    taken = {task.canonical(item) for item in (*pool, *easy)}
    texts = Source(task, config.level, taken, seed=-1 - seed).draw(LEARNT)
    tokenizer = models.new_tokenizer(map("\n".join, texts), config.model.vocabulary)
    repeated = pool[: recipe.repeated]
    source = Source(task, config.level, taken, seed=seed, repeated=repeated, share=recipe.share)
    return models.new_model(config.model, tokenizer, seed), tokenizer, source


def trained(experiment: Experiment, tell: Tell) -> None:
    """Train on the members, and keep checkpoints, unless that is done.

    Raises:
        BadInput: The base is no model of the lab.
    """
    folder, config = experiment.folder, experiment.config
    unfinished = folder / (STATE if config.trainer == "lab" else TRL)
    if config.rl.steps in experiment.checkpoints and not unfinished.exists():
        return
    teacher, base = _teacher(experiment), experiment.base / "model"
    task, members = experiment.task, experiment.injection.members
    if config.trainer == "trl":
        run = TrlRun(base, task, members, config.rl, seed=config.seed)
        keeper = _Keeper(experiment, run, run.model, run.tokenizer, tell)
        run.train(unfinished, config.audit.every, keeper.step, keeper.keep)
        rmtree(unfinished)
        return
    model, tokenizer = models.load(base)
    subject = Subject(model, tokenizer, task, members, teacher)
    loop = Loop(subject, config.rl, seed=config.seed)
    keeper = _Keeper(experiment, loop, model, tokenizer, tell)
    train(loop, unfinished, config.audit.every, keeper.step, keeper.keep)
    unfinished.unlink()


class _Keeper:
    """Keeps checkpoints, and what each step was like."""

    def __init__(
        self, experiment: Experiment, trainer: Any, model: Any, tokenizer: Any, tell: Tell
    ) -> None:
        self._experiment, self._trainer, self._tell = experiment, trainer, tell
        self._model, self._tokenizer = model, tokenizer
        self._log = experiment.steps

    def step(self, step: Step) -> None:
        """Take note of a step, and forget later ones of a run that was stopped."""
        self._log[step.step - 1 :] = [step]
        self._tell("training", step.step, self._experiment.config.rl.steps, _said(step))

    def keep(self, done: int) -> None:
        """Write the model after so many steps, and the notes."""
        folder, members = self._experiment.folder, self._experiment.injection.members
        checkpoint = folder / "checkpoints" / f"{done:04}"
        if not checkpoint.exists():
            models.save(checkpoint, self._model, self._tokenizer)
        lines = (msgspec.json.encode(step).decode() for step in self._log)
        write_whole(folder / STEPS, "".join(f"{line}\n" for line in lines))
        ids = [prompt_id(item) for item in members]
        counts = dict(zip(ids, self._trainer.exposures, strict=True))
        write_whole(folder / EXPOSURES, msgspec.json.encode(counts).decode())


def _teacher(experiment: Experiment) -> Any:
    """Return the last model of the experiment that is named as the teacher, if one is."""
    name = experiment.config.teacher
    if name is None:
        return None
    checkpoints = open_experiment(name).checkpoints
    if not checkpoints:
        raise BadInput(f"{name}: the teacher is not trained yet.\nRun it first.")
    return models.load(checkpoints[max(checkpoints)])[0].eval()


def _said(step: Step) -> str:
    return (
        f"pass {step.pass_rate:.0%}  entropy {step.entropy:.2f}  "
        f"{step.tokens / step.seconds:,.0f} tokens/s"
    )
