"""`wellworn compare`: two runs on the same prompts, such as two checkpoints."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wellworn.cli.console import stderr, stdout
from wellworn.cli.options import Json, Measure, What, options_of
from wellworn.cli.outcome import write_json
from wellworn.comparing import PAGE, compare_runs, write_comparison
from wellworn.detectors import Options
from wellworn.judging import Scoring
from wellworn.report.paired import Paired
from wellworn.report.sides import common_start
from wellworn.report.terminal import LEAST_COMMON, one_line
from wellworn.store import Store

_WHAT, _MEASURE = Scoring(), Options()
_LISTED = 5
_SCORED = ("detector", "m", "setting")
"""What of `Scoring` changes the scores of two runs."""

First = Annotated[Path, Parameter(help="Folder of the run to start from, such as the base model.")]
Second = Annotated[Path, Parameter(help="Folder of the run to compare with it.")]
Output = Annotated[
    Path | None,
    Parameter(
        name=["--output", "-o"],
        help="Folder of compare.json and compare.html, made if needed; the second run's, else.",
    ),
]


def compare(
    first: First,
    second: Second,
    /,
    *,
    what: What = _WHAT,
    measure: Measure = _MEASURE,
    output: Output = None,
    json: Json = False,
) -> int:
    """Say how the scores of the same prompts change from one run to another.

    The result is kept as compare.json and as a page, compare.html.
    """
    folder = output or second
    command = ["wellworn", "compare", str(first), str(second)]
    command += [*options_of(what, _WHAT, _SCORED), *options_of(measure, _MEASURE)]
    command += ["-o", str(output)] if output else []
    with Store(first) as before, Store(second) as after:
        found = compare_runs(before, after, what, measure)
        write_comparison(found, (before, after), what.setting, folder, command)
    if json:
        write_json(found)
    else:
        _show(found, stdout)
    stderr.print(f"Comparison: {folder}/{PAGE}", markup=False, highlight=False, soft_wrap=True)
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
    how = "" if found.orientation == "value" else f" ({found.orientation})"
    console.print(Text(f"means of scores{how}: higher is more like a trained prompt\n"))
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
    start = common_start([item.prompt for item in found.items], LEAST_COMMON)
    lines = [f"{item.change:+10.3f}  {one_line(item.prompt[start:])}" for item in largest]
    return ["    change  prompts that changed most", *lines, ""]
