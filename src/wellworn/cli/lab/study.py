"""`wellworn lab study`: many experiments, and their table."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.cli.console import progress, stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.lab.display import show_study
from wellworn.lab.study import Grid, results_of, run_study
from wellworn.lab.table import measured, tabulated

_GRID = Grid()


def study(
    *,
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], help="Folder of the experiments.")
    ] = Path("lab/study"),
    recipe: tuple[str, ...] = _GRID.recipes,
    algorithm: tuple[str, ...] = _GRID.algorithms,
    seeds: int = _GRID.seeds,
    jobs: int = 1,
    json: Json = False,
) -> int:
    """Run every recipe with every algorithm, from several seeds and with both halves.

    It takes hours. Stop it whenever you like: the same command goes on.

    Args:
        output: Where the experiments are kept, in a folder each.
        recipe: Recipes, or TOML files; each can be given again.
        algorithm: Algorithms of RL; each can be given again.
        seeds: Splits of the pool, and all training after them.
        jobs: Experiments under way at once, each on one thread.
        json: Write the table to stdout as JSON.
    """
    grid = Grid(recipe, algorithm, seeds)
    with progress() as stages:
        run_study(
            grid, output, jobs, lambda name, done, total: stages("experiments", done, total, name)
        )
    return table(output, json=json)


def table(study: Path | None = None, /, *, json: Json = False) -> int:
    """Show the table of a study: AUCs before and after RL, adjusted, matched; and verdicts.

    Args:
        study: The folder of its experiments; by default the study of docs/lab.md is shown.
        json: Write the table to stdout as JSON.
    """
    found = measured() if study is None else tabulated(results_of(study))
    if json:
        write_json(found)
    else:
        show_study(found, stdout)
    return 0
