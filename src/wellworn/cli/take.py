"""`wellworn import`: completions that the user already has."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wellworn.cli.console import stderr
from wellworn.cli.options import Out
from wellworn.importing import import_run
from wellworn.readers import Layout
from wellworn.store import Store

_LAYOUT = Layout()


def take(
    *files: Annotated[Path, Parameter(help="Files: JSONL, JSON, CSV or Parquet, also gzipped.")],
    output: Out,
    layout: Annotated[Layout, Parameter(name="*", group="Layout of the files")] = _LAYOUT,
    reader: Annotated[str, Parameter(help="Reader; `wellworn list readers` shows them.")] = "auto",
    set_name: Annotated[
        Literal["suspects", "references"], Parameter(name="--as", help="What the prompts are.")
    ] = "suspects",
) -> None:
    """Take completions that you already have into a run; no model is needed.

    The rows and fields are found by themselves, and what was taken is said. A file that
    was imported before is passed over.
    """
    with Store(output, create=True) as store:
        done = import_run(store, files, layout, reader=reader, set_name=set_name)
    for line in (*done.took, *done.notes):
        stderr.print(f"• {line}", markup=False, highlight=False, soft_wrap=True)
    stderr.print(
        f"{done.completions} completions of {done.prompts} prompts were added to {output}.",
        markup=False,
        highlight=False,
    )
