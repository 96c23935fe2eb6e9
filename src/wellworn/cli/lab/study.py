"""`wellworn lab study`: many experiments, and their table."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.cli.console import progress, stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.lab.display import show_study
from wellworn.lab.study import Grid, results_of, run_study
from wellworn.lab.table import rows, summaries

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
    only_table: bool = False,
    json: Json = False,
) -> int:
    """Run every recipe with every algorithm, from several seeds and with both halves.

    It takes hours. Stop it whenever you like: the same command goes on.

    Args:
        output: Where the experiments are kept, in a folder each.
        recipe: Recipes; each can be given again.
        algorithm: Algorithms of RL; each can be given again.
        seeds: Splits of the pool, and all training after them.
        jobs: Experiments under way at once, each on one thread.
        only_table: Run nothing, and show what there is.
        json: Write the table to stdout as JSON.
    """
    if not only_table:
        with progress() as stages:
            run_study(
                Grid(recipe, algorithm, seeds),
                output,
                jobs,
                lambda name, done, total: stages("experiments", done, total, name),
            )
    found = results_of(output)
    groups, told = summaries(found), rows(found)
    if json:
        write_json({"groups": groups, "rows": told})
    else:
        show_study(groups, told, stdout)
    return 0
