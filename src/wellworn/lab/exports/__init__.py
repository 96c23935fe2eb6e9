"""An experiment's contamination for real models: data, a reward and scripts for a trainer.

The lab's own models are tiny. A lab with GPUs trains e.g. Qwen2.5 on the same members, with the
hyper-parameters of RL-MIA (arXiv:2510.09259; `wellworn.lab.exports.published`), and audits it by
the same prompts and labels. As there, members can be a small share of what is trained on.

A real model never saw the task, so every prompt begins with the task's instruction. A new trainer
is a module and a line in `EXPORTS`.
"""

from importlib import import_module
from pathlib import Path
from shutil import copyfile
from typing import Any

from wellworn.errors import BadInput, unknown
from wellworn.lab.exports import reward
from wellworn.lab.exports.contamination import Settings, contamination, readme
from wellworn.lab.injection import Injection, write
from wellworn.lab.tasks import Task

__all__ = ["EXPORTS", "Settings", "export"]

EXPORTS: dict[str, tuple[str, str]] = {
    "verl": ("wellworn.lab.exports.verl:write", "GRPO, DAPO and PPO"),
    "trl": ("wellworn.lab.exports.trl:write", "GRPO, and DAPO without dynamic sampling"),
}
"""Trainer: what writes its files, and what it trains by."""


def export(
    to: str, task: Task[Any], injection: Injection, folder: Path, settings: Settings
) -> list[Path]:
    """Write what a trainer needs to contaminate a model, and an audit to find out.

    Args:
        to: The trainer, one of `EXPORTS`.
        task: What the problems are of.
        injection: Which of them are trained on.
        folder: Where to write; it is made if there is none.
        settings: The model, how long, and how much is trained on beside the members.

    Returns:
        The files, in the order in which they were written.

    Raises:
        BadInput: There is no such trainer, too little to train on, no more fresh problems, or
            the folder cannot be written.
    """
    if to not in EXPORTS:
        raise BadInput(unknown("trainer", to, EXPORTS))
    module, _, function = EXPORTS[to][0].partition(":")
    found = contamination(task, injection, settings)
    try:
        write(folder, found.injection)
        copyfile(reward.__file__, folder / "reward.py")
        scripts: list[Path] = getattr(import_module(module), function)(folder, found)
        (folder / "README.md").write_text(readme(to, found, scripts), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder}: the export cannot be written ({error.strerror}).") from None
    sets = [folder / f"{name}.jsonl" for name in injection._fields]
    return [*sets, folder / "labels.csv", folder / "reward.py", *scripts, folder / "README.md"]
