"""The summary for the terminal: the verdict first, then what it rests on."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from wellworn.report.sides import SETS, Item, SetName, SetSummary, common_start
from wellworn.report.summary import Summary
from wellworn.statistics.estimates import Estimate

_COLOURS = {
    "insufficient data": "yellow",
    "no evidence": "green",
    "converged, not attributable": "yellow",
    "converged more than matched controls": "dark_orange",
    "consistent with RL exposure": "red",
}
_BARS = " ▁▂▃▄▅▆▇█"
_BINS = 40
_LISTED = 5
LEAST_COMMON = 60
"""Characters from which a common start is a template, and not what is asked."""


def show(summary: Summary, console: Console) -> None:
    """Print the summary to a console."""
    console.print(_verdict(summary))
    console.print(_sets(summary))
    if summary.reference_run:
        console.print(Text(f"references: {summary.reference_run}\n"))
    if summary.comparison:
        console.print(_comparison(summary))
    if summary.attribution:
        console.print(_estimates(summary.attribution.estimates))
    if any(item.compared for item in summary.items):
        console.print(_distribution(summary))
        console.print(_nearest(summary), no_wrap=True, overflow="ellipsis")
    for note in summary.notes:
        console.print(Text(f"• {note}"))


def _verdict(summary: Summary) -> RenderableType:
    verdict = summary.verdict
    lines = [Text(verdict.sentence, style="bold"), *(Text(reason) for reason in verdict.reasons)]
    return Panel(
        Group(*lines),
        title=Text(verdict.level.upper()),
        border_style=_COLOURS[verdict.level],
        padding=(1, 2),
    )


def _sets(summary: Summary) -> Table:
    parameters = summary.parameters
    title = f"{_measured(summary)}\n{parameters.get('model', 'unknown')}"
    table = Table(title=title, box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in ("prompts", "compared", "median", "quartiles", "cut", "empty", "repeated"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_row("suspects", *_cells(summary.suspects))
    if summary.references:
        table.add_row("references", *_cells(summary.references))
    return table


def _measured(summary: Summary) -> str:
    """Return the detector with what it depends on first."""
    parameters = summary.parameters
    m = parameters.get("samples")
    sizes = f"k = {parameters['k']} of m = {m}" if "k" in parameters else f"m = {m}"
    known = {"T": parameters.get("temperature"), "top-p": parameters.get("top_p")}
    said = [f"{name} = {value}" for name, value in known.items() if value is not None]
    return ", ".join([summary.detector, *([sizes] if m else []), *said])


def _cells(group: SetSummary) -> list[str]:
    low, median, high = group.quartiles or (None, None, None)
    return [
        str(group.prompts),
        str(group.compared),
        "-" if median is None else f"{median:.3f}",
        "-" if low is None else f"{low:.2f}-{high:.2f}",
        "?" if group.truncated is None else f"{group.truncated:.0%}",
        f"{group.empty:.0%}",
        f"{group.repeated:.0%}",
    ]


def _comparison(summary: Summary) -> Text:
    result = summary.comparison
    assert result is not None
    return Text(
        f"AUC {result.auc:.2f} [{result.low:.2f}, {result.high:.2f}], "
        f"one-sided p = {_p(result.p)} ({result.p_method}); "
        f"an AUC of {result.detectable_auc:.2f} would be seen in 80 % of such audits.\n"
    )


def _estimates(estimates: Sequence[Estimate]) -> Table:
    """Show the detector beside what never saw the model, and what remains after adjustment."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("", no_wrap=True)
    for heading in ("AUC", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in estimates:
        cells = each.kind, f"{each.auc:.2f}", f"{each.low:.2f} to {each.high:.2f}"
        table.add_row(Text("" if each.kind == each.name else each.name), *cells)
    return table


def _p(p: float) -> str:
    return f"{p:.2f}" if p >= 0.1 else f"{p:.2g}"


def _distribution(summary: Summary) -> Text:
    """Draw how the values of each set lie: from 0 to 1 where they are such, else in their range."""
    values = {
        name: [item.value for item in _compared(summary, name) if item.value is not None]
        for name in SETS
    }
    every = [value for found in values.values() for value in found]
    low, high = (0.0, 1.0) if min(every) >= 0 and max(every) <= 1 else (min(every), max(every))
    ends = f"{low:.4g}", f"{high:.4g}"
    gap = " " * (_BINS - sum(map(len, ends)))
    lines = [f"{_called(summary):>10}  {ends[0]}{gap}{ends[1]}"]
    lines += [f"{name:>10}  {_bars(found, low, high)}" for name, found in values.items() if found]
    return Text("\n".join(lines) + "\n")


def _called(summary: Summary) -> str:
    """Return what the values are."""
    return "distance" if summary.orientation == "1 - value" else "value"


def _bars(values: Sequence[float], low: float, high: float) -> str:
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int((value - low) / ((high - low) or 1) * _BINS))] += 1
    most = max(counts)
    return "".join(_BARS[-(-count * (len(_BARS) - 1) // most)] for count in counts)


def _nearest(summary: Summary) -> Text:
    """List the suspects with the highest scores."""
    ranked = sorted(_compared(summary, "suspects"), key=lambda i: i.score or 0.0, reverse=True)
    start = common_start([item.prompt for item in summary.items], LEAST_COMMON)
    lines = [
        f"{_number(item.value or 0.0):>10}  {one_line(item.prompt[start:])}"
        for item in ranked[:_LISTED]
    ]
    head = f"{_called(summary):>10}  suspects with the highest scores"
    return Text("\n".join([head, *lines]) + "\n")


def _number(value: float) -> str:
    return f"{value:.3f}" if 0 <= value <= 1 else f"{value:.4g}"


def one_line(text: str) -> str:
    """Return a text in one line, without characters that a terminal takes as commands."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _compared(summary: Summary, name: SetName) -> list[Item]:
    return [item for item in summary.items if item.set == name and item.compared]
