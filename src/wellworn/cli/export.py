"""`wellworn export`: a run as a table for other tools."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wellworn.cli.console import stderr
from wellworn.cli.options import Run
from wellworn.exporting import completion_rows, score_rows
from wellworn.exporting import export as write
from wellworn.judging import current_setting
from wellworn.store import Store


def export(
    run: Run,
    out: Annotated[Path, Parameter(help="File to write: .jsonl, .csv or .parquet.")],
    /,
    *,
    what: Annotated[
        Literal["completions", "scores"], Parameter(help="What the rows are.")
    ] = "completions",
    setting: Annotated[
        str | None,
        Parameter(help="Id of the generation parameters, where a run holds several."),
    ] = None,
    set_name: Annotated[
        Literal["suspects", "references"] | None,
        Parameter(name="--set", help="Only the completions of this set; both, by default."),
    ] = None,
) -> None:
    """Write the completions or the scores of a run as a table.

    Completions are those of one setting; an exported file can be imported again.
    """
    with Store(run) as store:
        if what == "completions":
            rows = completion_rows(store, current_setting(store, setting), set_name)
        else:
            rows = score_rows(store)
        count = write(rows, out)
    stderr.print(f"{count} rows were written to {out}.", markup=False, highlight=False)
