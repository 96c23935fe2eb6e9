"""`wellworn compare`: two runs on the same prompts, such as two checkpoints."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wellworn.cli.console import stdout
from wellworn.cli.options import Json, Measure, What
from wellworn.cli.outcome import write_json
from wellworn.comparing import Paired, compare_runs
from wellworn.detectors import Options
from wellworn.judging import Scoring
from wellworn.report.terminal import common_start, one_line
from wellworn.store import Store

_WHAT, _MEASURE = Scoring(), Options()
_LISTED = 5

First = Annotated[Path, Parameter(help="Folder of the run to start from, such as the base model.")]
Second = Annotated[Path, Parameter(help="Folder of the run to compare with it.")]


def compare(
    first: First,
    second: Second,
    /,
    *,
    what: What = _WHAT,
    measure: Measure = _MEASURE,
    json: Json = False,
) -> int:
    """Say how the scores of the same prompts change from one run to another."""
    with Store(first) as before, Store(second) as after:
        found = compare_runs(before, after, what, measure)
    if json:
        write_json(found)
    else:
        _show(found, stdout)
    return int(any(item.change is None for item in found.items))


def _show(found: Paired, console: Console) -> None:
    title = f"{found.detector}: {found.first_model}\nagainst {found.second_model}"
    table = Table(title=Text(title), box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in ("first", "second", "change", "95 %", "rose", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name in ("suspects", "references"):
        row = getattr(found, name)
        if row is not None:
            table.add_row(
                name,
                f"{row.first:.3f}",
                f"{row.second:.3f}",
                f"{row.mean:+.3f}",
                f"{row.low:+.3f} to {row.high:+.3f}",
                f"{row.rose} of {row.prompts}",
                f"{row.p:.2g}",
            )
    console.print(table)
    if found.difference:
        auc = found.difference
        console.print(
            Text(
                f"Changes of suspects against those of references: AUC {auc.auc:.2f} "
                f"[{auc.low:.2f}, {auc.high:.2f}], one-sided p = {auc.p:.2g}. By itself this is "
                f"no finding of exposure: easy prompts change more.\n"
            )
        )
    for line in _largest(found):
        console.print(Text(line), no_wrap=True, overflow="ellipsis")
    for note in found.notes:
        console.print(Text(f"• {note}"))


def _largest(found: Paired) -> list[str]:
    known = [item for item in found.items if item.change is not None]
    largest = sorted(known, key=lambda item: item.change or 0.0, reverse=True)[:_LISTED]
    start = common_start([item.prompt for item in found.items])
    lines = [f"{item.change:+10.3f}  {one_line(item.prompt[start:])}" for item in largest]
    return ["    change  prompts that changed most", *lines, ""]
