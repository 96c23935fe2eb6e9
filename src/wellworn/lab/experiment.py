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

from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from wellworn.errors import BadInput
from wellworn.lab.config import Config
from wellworn.lab.injection import Injection, inject, write
from wellworn.lab.rl.loop import Exposure, Step
from wellworn.lab.tasks import Task, load_task

CONFIG, STEPS, EXPOSURES = "config.json", "steps.jsonl", "exposures.json"
ABOUT, PROMPTS, STATE = "about.json", "prompts.jsonl", "state.pt"
OF_BASE = ("task", "level", "model", "pretraining", "pools")
"""What of an experiment its base model depends on."""


class Tell(Protocol):
    """Is told how far a stage has come."""

    def __call__(self, stage: str, done: int, total: int, said: str = "") -> None:
        """Take note that `done` of `total` are done, and of what is `said` of the last."""
        ...


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
                f"{folder} holds another experiment: {difference(config, held)}.\n"
                f"Give another folder with --output, or take that one away."
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


def difference(first: Any, second: Any, place: str = "") -> str:
    """Return the first place where two nested tables differ, with both values."""
    one, two = (msgspec.to_builtins(each) for each in (first, second))
    for name in one:
        if one[name] != two.get(name):
            if isinstance(one[name], dict):
                return difference(one[name], two[name], f"{place}{name}.")
            return f"{place}{name} is {two.get(name)!r} there, {one[name]!r} here"
    return "they differ"


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one move."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
