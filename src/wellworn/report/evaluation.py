"""An evaluation for the terminal: detectors, their differences, and blind baselines beside them.

What does not fit into 80 columns stands in evaluation.json alone.
"""

from collections.abc import Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from wellworn.statistics.blind import Baseline
from wellworn.statistics.evaluation import Common, Evaluation, Metrics, Row
from wellworn.statistics.paired import Pair
from wellworn.statistics.roc import TprAtFpr
from wellworn.tables.values import counted

_LISTED = 15
"""Pairs of detectors that are listed, the smallest p-values first."""
_PUBLISHED = ("AUC", "best F1", "accuracy", "Youden F1", "accuracy", "TPR < 5 %")


def show(evaluation: Evaluation, console: Console) -> None:
    """Print the evaluation to a console."""
    for warning in evaluation.warnings:
        console.print(Panel(Text(warning, style="bold"), title="WARNING", border_style="red"))
    common = evaluation.common
    if common is None or not _covers(common, evaluation):
        where = f"{evaluation.members} members, {evaluation.non_members} non-members"
        _show_detectors(console, f"each on what it scores of {where}", evaluation.detectors)
        _show_baselines(console, where, evaluation.blind)
    if common:
        where = f"{common.members} members, {common.non_members} non-members that all score"
        _show_detectors(console, where, common.detectors)
        _show_baselines(console, where, common.blind)
        _show_pairs(console, where, common.pairs)
    for line in _remarks(evaluation):
        console.print(Text(f"• {line}"))


def _covers(common: Common, evaluation: Evaluation) -> bool:
    """Tell whether all detectors score all labelled prompts, so that one set of tables does."""
    everything = (evaluation.members, evaluation.non_members)
    return (common.members, common.non_members) == everything


def _show_detectors(console: Console, where: str, rows: Sequence[Row]) -> None:
    headings = ("members", "others", "AUC", "95 %", "F1", "cross-fitted")
    cells = [
        (row.detector, str(row.members), str(row.non_members), *_main(row.metrics)) for row in rows
    ]
    _show_table(console, f"Detectors: {where}", headings, cells)
    measured = [(row.detector, row.metrics) for row in rows if row.metrics]
    if measured:
        rates = [(name, *map(_rate, metrics.tpr_at_fpr)) for name, metrics in measured]
        levels = [_percent(rate) for rate in measured[0][1].tpr_at_fpr]
        _show_table(console, f"TPR at an FPR of at most: {where}", levels, rates)
    if any(metrics.published for _, metrics in measured):
        _show_table(console, f"As published: {where}", _PUBLISHED, _published(measured))


def _show_baselines(console: Console, where: str, blind: Sequence[Baseline]) -> None:
    cells = [
        (
            baseline.name,
            f"{baseline.comparison.auc:.2f}",
            _interval(baseline.comparison.low, baseline.comparison.high),
            f"{baseline.distance:.2f}",
            _flag(baseline),
        )
        for baseline in blind
    ]
    if cells:
        title = f"Blind baselines, without the model: {where}"
        _show_table(console, title, ("AUC", "95 %", "from chance", ""), cells)


def _show_pairs(console: Console, where: str, pairs: Sequence[Pair]) -> None:
    cells = [
        (
            f"{pair.first} - {pair.second}",
            f"{pair.difference:+.2f}",
            _interval(pair.low, pair.high),
            _p(pair.delong_p_holm),
            _p(pair.bootstrap_p_holm),
        )
        for pair in _by_p(pairs)
    ]
    if cells:
        title = f"Differences of AUC, p-values after Holm: {where}"
        _show_table(console, title, ("", "95 %", "DeLong p", "bootstrap p"), cells)


def _show_table(
    console: Console, title: str, headings: Iterable[str], rows: Iterable[Sequence[str]]
) -> None:
    """Print a title and a table whose first column is a name and whose others are numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(Text(title, style="bold"))
    console.print(table)


def _main(metrics: Metrics | None) -> tuple[str, ...]:
    if metrics is None:
        return ("-",) * 4
    found = metrics.comparison
    return (
        f"{found.auc:.2f}",
        _interval(found.low, found.high),
        f"{metrics.youden.f1:.2f}",
        f"{metrics.cross_fitted.f1:.2f}",
    )


def _rate(rate: TprAtFpr) -> str:
    return "-" if rate.tpr is None else f"{rate.tpr:.2f} {_interval(rate.low, rate.high)}"


def _published(measured: Sequence[tuple[str, Metrics]]) -> Iterator[tuple[str, ...]]:
    for name, metrics in measured:
        if found := metrics.published:
            numbers = (
                found.roc_auc,
                found.best_f1_score,
                found.accuracy_at_best_f1,
                found.f1_at_youden_threshold,
                found.accuracy_at_youden_threshold,
                found.tpr_at_fpr_5,
            )
            yield (name, *(f"{number:.2f}" for number in numbers))


def _flag(baseline: Baseline) -> str:
    if not baseline.separates:
        return ""
    return "separates" if baseline.comparison.auc > 0.5 else "separates, reversed"


def _by_p(pairs: Sequence[Pair]) -> list[Pair]:
    return sorted(pairs, key=lambda pair: 1 if pair.delong_p is None else pair.delong_p)[:_LISTED]


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _percent(rate: TprAtFpr) -> str:
    return f"{100 * rate.level:.0f} %"


def _p(p: float | None) -> str:
    if p is None:
        return "-"
    return f"{p:.2f}" if p >= 0.1 else f"{p:.2g}"


def _remarks(evaluation: Evaluation) -> Iterator[str]:
    """Yield what is missing from the tables, and why."""
    if evaluation.unlabelled:
        yield f"{counted(evaluation.unlabelled, 'prompt')} of the run without a label, left out."
    if evaluation.unmatched:
        yield f"{counted(evaluation.unmatched, 'label')} of prompts that the run does not have."
    yield from evaluation.notes
    rows = [*evaluation.detectors, *(evaluation.common.detectors if evaluation.common else ())]
    yield from dict.fromkeys(f"{row.detector}: {row.reason}." for row in rows if row.reason)
    rates = [rate for row in rows if row.metrics for rate in row.metrics.tpr_at_fpr]
    yield from dict.fromkeys(
        f"TPR at {_percent(rate)} FPR is not given: {rate.reason}." for rate in rates if rate.reason
    )
    yield from _remarks_on_pairs(evaluation.common)


def _remarks_on_pairs(common: Common | None) -> Iterator[str]:
    pairs = common.pairs if common else ()
    for pair in _by_p(pairs):
        if pair.reason:
            yield f"{pair.first} - {pair.second}: not tested, since {pair.reason}."
    if len(pairs) > _LISTED:
        yield f"{counted(len(pairs) - _LISTED, 'pair')} of detectors more: evaluation.json."
