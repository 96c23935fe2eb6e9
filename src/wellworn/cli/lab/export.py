"""`wellworn lab export`: the same contamination for real models."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from wellworn.cli.console import stdout
from wellworn.lab.config import load_config
from wellworn.lab.experiment import CONFIG, Experiment, open_experiment
from wellworn.lab.exports import Settings, export

_SETTINGS = Settings()


def export_data(
    experiment: str,
    /,
    *,
    to: Annotated[str, Parameter(help="The trainer: verl or trl.")],
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="Folder to write to.")],
    model: Annotated[str, Parameter(help="The model that the scripts train.")] = _SETTINGS.model,
    epochs: Annotated[int | None, Parameter(help="By default as RL-MIA trained.")] = None,
    filler: Annotated[int, Parameter(help="Further problems that are trained on.")] = 0,
) -> int:
    """Write an experiment's members, labels, reward and scripts for training real models.

    Args:
        experiment: The folder of an experiment, a TOML file, or the name of a recipe.
        to: What trains.
        output: Where the files go.
        model: What it trains.
        epochs: How often it meets each problem.
        filler: How many problems it meets beside the members.
    """
    folder = Path(experiment)
    held = (folder / CONFIG).exists()
    found = open_experiment(folder) if held else Experiment(folder, load_config(experiment))
    given: dict[str, Any] = {"model": model, "epochs": epochs, "filler": filler}
    settings = Settings(**given, level=found.config.level, seed=found.config.seed)
    for path in export(to, found.task, found.injection, output, settings):
        stdout.print(str(path), highlight=False)
    return 0
