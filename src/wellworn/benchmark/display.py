"""A benchmark for the terminal: the evaluation, what it cost, and the dual stage."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from wellworn.benchmark.costs import Cost
from wellworn.benchmark.dual_stage import Stage
from wellworn.benchmark.running import Benchmark, Stages
from wellworn.report import evaluation


def show(found: Benchmark, console: Console) -> None:
    """Print what a suite came to."""
    for warning in found.warnings:
        console.print(Panel(Text(warning, style="bold"), title="WARNING", border_style="red"))
    evaluation.show(found.evaluation, console)
    console.print(_costs(found.costs))


def show_stages(stages: Stages, console: Console) -> None:
    """Print what remains of each detector's AUC on prompts that the model finds hard."""
    console.print(Text(f"Dual stage, by the perplexity of the {stages.proxy}"))
    for name, found in stages.detectors.items():
        table = _table(name, ("kept", "members", "others", "AUC", "random", "5 to 95 %", "below"))
        for stage in found.stages:
            table.add_row(f"{stage.quantile:.0%}", *_cells(stage))
        console.print(table)


def _cells(stage: Stage) -> tuple[str, ...]:
    sizes = str(stage.members), str(stage.others)
    if stage.auc is None or stage.control is None:
        return (*sizes, "-", "-", "-", "-")
    control = stage.control
    return (
        *sizes,
        f"{stage.auc:.2f}",
        f"{control.mean:.2f}",
        f"{control.low:.2f} to {control.high:.2f}",
        f"{control.below:.0%}",
    )


def _costs(rows: Sequence[Cost]) -> Table:
    table = _table(
        "What each detector costs an item, on its own",
        ("", "calls", "new tokens", "s asking", "s scoring"),
    )
    for row in rows:
        table.add_row(
            row.detector,
            f"{row.calls:.1f}",
            f"{row.tokens:.0f}",
            f"{row.generating:.2f}",
            f"{row.scoring:.4f}",
        )
    return table


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=Text(title), box=SIMPLE_HEAD, pad_edge=False, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    return table
