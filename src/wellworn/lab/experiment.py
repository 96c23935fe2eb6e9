"""An experiment in a folder: a base model, an injection, RL, and checkpoints on the way.

    config.json       what it is; a folder never holds two experiments
    prompts/          members, held_out, easy, …; labels.csv says who was trained on
    base/             the model before RL
    checkpoints/0030/ the model after so many steps
    steps.jsonl       what each step was like;  exposures.json  how often each member taught
    audits/           runs of the audits, as any audit keeps them
    results.json      what the detectors made of it

Every stage begins where it was stopped, and does nothing if it is done.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from wellworn.errors import BadInput
from wellworn.lab import models
from wellworn.lab.config import Config
from wellworn.lab.injection import Injection, inject, pool_of, write, write_prompts
from wellworn.lab.pretraining import Pretrained, Pretrainer, Source
from wellworn.lab.rl.algorithms import ALGORITHMS
from wellworn.lab.rl.loop import Exposure, Loop, Step
from wellworn.lab.tasks import Task, load_task
from wellworn.lab.training import train
from wellworn.records import chat

CONFIG, STEPS, EXPOSURES = "config.json", "steps.jsonl", "exposures.json"
ABOUT, PROMPTS, STATE = "about.json", "prompts.jsonl", "state.pt"
OF_BASE = ("task", "level", "model", "pretraining", "pools")
"""What of an experiment its base model depends on."""
KEPT = 100
"""Steps of pretraining after which its state is kept."""
LEARNT = 3000
"""Traces that a tokenizer is learnt from."""


class Tell(Protocol):
    """Is told how far a stage has come."""

    def __call__(self, stage: str, done: int, total: int, said: str = "") -> None:
        """Take note that `done` of `total` are done, and of what is `said` of the last."""
        ...


def silent(stage: str, done: int, total: int, said: str = "") -> None:
    """Take no note."""


class Experiment(NamedTuple):
    """An experiment and the folder that it is in."""

    folder: Path
    config: Config

    @property
    def task(self) -> Task[Any]:
        """What is trained."""
        return load_task(self.config.task)

    @property
    def injection(self) -> Injection:
        """Its prompts."""
        config = self.config
        size, split = config.members, config.seed
        return inject(self.task, config.level, config.pools, split, config.half, size)

    @property
    def base(self) -> Path:
        """The folder of the model before RL, with the audit of it beside."""
        return Path(self.config.base) if self.config.base else self.folder / "base"

    @property
    def checkpoints(self) -> dict[int, Path]:
        """The models by the steps of RL that they have had; the base is not among them."""
        found = sorted((self.folder / "checkpoints").glob("[0-9]*[0-9]"))
        return {int(path.name): path for path in found}

    @property
    def steps(self) -> list[Step]:
        """What each step was like, so far."""
        path = self.folder / STEPS
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [msgspec.json.decode(line, type=Step) for line in lines]

    @property
    def exposures(self) -> dict[str, Exposure]:
        """How each member was trained on, by prompt id."""
        path = self.folder / EXPOSURES
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Exposure])


def open_experiment(folder: str | Path, config: Config | None = None) -> Experiment:
    """Return the experiment in a folder; with a `config`, a new one or the same one again.

    Raises:
        BadInput: There is none, or another one.
    """
    folder = Path(folder)
    path = folder / CONFIG
    if path.exists():
        held = msgspec.json.decode(path.read_bytes(), type=Config)
        if config and config != held:
            raise BadInput(
                f"{folder} holds another experiment: {_difference(config, held)}.\n"
                f"Give another folder with --out, or take that one away."
            )
        return Experiment(folder, held)
    if config is None:
        raise BadInput(
            f"{folder}: there is no experiment ({CONFIG}).\nMake one: `wellworn lab run`."
        )
    folder.mkdir(parents=True, exist_ok=True)
    experiment = Experiment(folder, config)
    write(folder / "prompts", experiment.injection)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(config)))
    return experiment


def _difference(first: Any, second: Any, place: str = "") -> str:
    """Return the first place where two nested tables differ, with both values."""
    one, two = (msgspec.to_builtins(each) for each in (first, second))
    for name in one:
        if one[name] != two.get(name):
            if isinstance(one[name], dict):
                return _difference(one[name], two[name], f"{place}{name}.")
            return f"{place}{name} is {two.get(name)!r} there, {one[name]!r} here"
    return "they differ"


def check_installed() -> None:
    """Refuse to train without torch and transformers.

    Raises:
        BadInput: One of them is missing.
    """
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise BadInput(
            f"the lab trains with torch and transformers; {missing[0]} is not installed.\n"
            f"Install them with `pip install 'wellworn[hf]'`."
        )


def pretrained(experiment: Experiment, tell: Tell) -> None:
    """Make the model before RL, unless it is there.

    Raises:
        BadInput: The base that the experiment names was made for others.
    """
    check_installed()
    folder, config = experiment.base, experiment.config
    about = {name: getattr(config, name) for name in OF_BASE}
    if not config.members <= config.pools.half:
        raise BadInput(
            f"members is {config.members}, and a half of the pool has {config.pools.half}.\n"
            f"Ask for fewer, or for larger pools."
        )
    if (folder / "model").exists():
        held = json.loads((folder / ABOUT).read_bytes())
        if held != msgspec.to_builtins(about):
            raise BadInput(
                f"the base {folder} is of another experiment: {_difference(about, held)}."
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
    if config.rl.steps in experiment.checkpoints and not (folder / STATE).exists():
        return
    model, tokenizer = models.load(experiment.base / "model")
    members, teacher = experiment.injection.members, _teacher(experiment)
    loop = Loop(
        model, tokenizer, experiment.task, members, config.rl, seed=config.seed, teacher=teacher
    )
    log: list[Step] = experiment.steps

    def on_step(step: Step) -> None:
        log[step.step - 1 :] = [step]
        tell("training", step.step, config.rl.steps, _said(step))

    def on_kept(done: int) -> None:
        checkpoint = folder / "checkpoints" / f"{done:04}"
        if not checkpoint.exists():
            models.save(checkpoint, model, tokenizer)
        lines = (msgspec.json.encode(step).decode() for step in log)
        write_whole(folder / STEPS, "".join(f"{line}\n" for line in lines))
        ids = [chat(item.prompt).id for item in members]
        counts = dict(zip(ids, loop.exposures, strict=True))
        write_whole(folder / EXPOSURES, msgspec.json.encode(counts).decode())

    train(loop, folder / STATE, config.audit.every, on_step, on_kept)
    (folder / STATE).unlink()


def _teacher(experiment: Experiment) -> Any:
    """Return the last model of the experiment that is named as the teacher, if one is."""
    config = experiment.config
    if ALGORITHMS[config.rl.algorithm].imitates != (config.teacher is not None):
        raise BadInput(
            f"the algorithm is {config.rl.algorithm}, the teacher {config.teacher}: a teacher is "
            f'what the algorithm "distill" needs, and no other. Say teacher = "FOLDER".'
        )
    if config.teacher is None:
        return None
    checkpoints = open_experiment(config.teacher).checkpoints
    if not checkpoints:
        raise BadInput(f"{config.teacher}: the teacher is not trained yet.\nRun it first.")
    return models.load(checkpoints[max(checkpoints)])[0].eval()


def _said(step: Step) -> str:
    return (
        f"pass {step.pass_rate:.0%}  entropy {step.entropy:.2f}  "
        f"{step.tokens / step.seconds:,.0f} tokens/s"
    )


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one move."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
