"""`wellworn export`: a run as a table for other tools."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wellworn.cli.console import stderr
from wellworn.cli.options import Run
from wellworn.exporting import completion_rows, score_rows
from wellworn.exporting import export as write
from wellworn.store import Store


def export(
    run: Run,
    out: Annotated[Path, Parameter(help="File to write: .jsonl, .csv or .parquet.")],
    /,
    *,
    what: Annotated[
        Literal["completions", "scores"], Parameter(help="What the rows are.")
    ] = "completions",
) -> None:
    """Write the completions or the scores of a run as a table."""
    with Store(run) as store:
        rows = completion_rows(store) if what == "completions" else score_rows(store)
        count = write(rows, out)
    stderr.print(f"{count} rows were written to {out}.", markup=False, highlight=False)
