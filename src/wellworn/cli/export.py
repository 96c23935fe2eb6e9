"""`wellworn export`: a run as a table, or as other tools read it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from wellworn.cli.console import stderr
from wellworn.cli.options import Run
from wellworn.exporting import completion_rows, score_rows
from wellworn.exporting import export as write
from wellworn.interchange import inspect_rows, write_every_eval_ever
from wellworn.judging import current_setting
from wellworn.store import Store

What = Literal["completions", "scores", "inspect-scores", "every-eval-ever"]


def export(
    run: Run,
    out: Annotated[
        Path,
        Parameter(help="File: .jsonl, .csv or .parquet; a folder for Every Eval Ever."),
    ],
    /,
    *,
    what: Annotated[What, Parameter(help="What is written.")] = "completions",
    setting: Annotated[
        str | None,
        Parameter(help="Id of the generation parameters, where a run holds several."),
    ] = None,
    set_name: Annotated[
        Literal["suspects", "references"] | None,
        Parameter(name="--set", help="Only the completions of this set; both, by default."),
    ] = None,
) -> None:
    """Write the completions or the scores of a run, as a table or for other tools.

    Completions are those of one setting; an exported file can be imported again. Scores can be
    read by Inspect (its scorer precomputed_scores) and by the tools of Every Eval Ever.
    """
    with Store(run) as store:
        if what == "every-eval-ever":
            count = write_every_eval_ever(store, out)
        else:
            count = write(_rows(store, what, setting, set_name), out)
    stderr.print(f"{count} rows were written to {out}.", markup=False, highlight=False)


def _rows(
    store: Store, what: What, setting: str | None, set_name: str | None
) -> Iterator[dict[str, Any]]:
    if what == "completions":
        return completion_rows(store, current_setting(store, setting), set_name)
    return score_rows(store) if what == "scores" else inspect_rows(store)
