"""`wellworn lab run`: an experiment from its configuration to its results."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wellworn.cli.console import progress, stdout
from wellworn.lab.config import load_config
from wellworn.lab.experiment import open_experiment, pretrained, trained
from wellworn.lab.results import audited


def run(
    experiment: str,
    /,
    *,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Folder of the experiment.")
    ] = None,
    algorithm: str | None = None,
    seed: int | None = None,
    half: Literal["A", "B"] | None = None,
    base: Annotated[
        Path | None, Parameter(help="A base model of the same kind, made before.")
    ] = None,
    threads: Annotated[int | None, Parameter(help="Threads that compute.")] = None,
) -> int:
    """Pretrain a model, train it on known prompts, and audit its checkpoints.

    Args:
        experiment: A TOML file, or the name of a recipe, such as countdown.
    """
    import torch

    given = {"seed": seed, "half": half, "base": base and str(base)}
    changes = {name: value for name, value in given.items() if value is not None}
    if algorithm:
        changes["rl"] = {"algorithm": algorithm}
    if threads:
        torch.set_num_threads(threads)
    config = load_config(experiment, changes)
    folder = output or Path("lab") / Path(experiment).stem
    found = open_experiment(folder, config)
    with progress() as stages:
        pretrained(found, stages)
        trained(found, stages)
        results = audited(found, stages)
    stdout.print(results)
    return 0
