"""An analysis for the terminal: each measure over the runs, group by group.

What does not fit stands in analysis.json alone.
"""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from wellworn.analysis.labelling import FEW
from wellworn.analysis.results import Analysis, Checkpoint, Mean, Sized
from wellworn.tables.values import counted


class Measure(NamedTuple):
    """A measure that is shown."""

    name: str
    title: str
    worn: int
    """1 if a higher value is more worn, -1 if a lower one is, 0 if neither."""


MEASURES = (
    Measure("ead", "EAD, n = 1 to 5", -1),
    Measure("distinct-3", "distinct 3-grams", -1),
    Measure("self-bleu", "self-BLEU", 1),
    Measure("compression", "compression ratio", 1),
    Measure("edit", "mean edit distance", -1),
    Measure("min-knn", "Min-kNN Distance", -1),
    Measure("nli", "NLI diversity", -1),
    Measure("embedding", "embedding diversity", -1),
    Measure("embedding cut", "read in part for it, share", 0),
    Measure("token entropy", "token entropy, nats", -1),
    Measure("symbolic n-grams", "symbolic n-grams", 1),
    Measure("symbolic rate", "symbolic in 1,000 tokens", 1),
    Measure("restatement n-grams", "restated n-grams", 1),
    Measure("restatement rate", "restated in 1,000 tokens", 1),
    Measure("boilerplate n-grams", "boilerplate n-grams", 1),
    Measure("boilerplate rate", "boilerplate in 1,000 tokens", 1),
    Measure("modes", "modes", -1),
    Measure("stable modes", "stable modes", 0),
    Measure("few modes", "at most 2 stable modes", 0),
    Measure("largest mode", "largest mode, share", 1),
    Measure("singletons", "singletons, share", -1),
    Measure("mode entropy", "mode entropy, nats", -1),
    Measure("bare completions", "without symbolic n-grams", 0),
    Measure("length", "length in tokens", 0),
    Measure("truncated", "cut at the most tokens, share", 0),
)
"""The measures that are shown, in order."""

_ARROWS = {1: "↑", -1: "↓", 0: ""}
_SIZED = ("ead", "self-bleu", "edit", "nli", "embedding")
_NUMBER, _BESIDE = 7, 59
"""Characters of a column of means, and of all that stands beside them."""


def show(analysis: Analysis, console: Console) -> None:
    """Print the analysis to a console."""
    for warning in analysis.warnings:
        console.print(Panel(Text(warning), title="WARNING", border_style="yellow"))
    for group in analysis.groups:
        _show_group(analysis, group, console)
    if len(analysis.groups) == 2:
        _show_contrasts(analysis, console)
    _show_sizes(analysis.checkpoints[-1], analysis.groups, console)
    for line in _remarks(analysis):
        console.print(Text(f"• {line}"))


def shown(checkpoint: Checkpoint) -> list[Measure]:
    """Return the measures that a run has, in order."""
    return [measure for measure in MEASURES if measure.name in checkpoint.means]


def run_names(analysis: Analysis) -> list[str]:
    """Return a name for each run: as many of the last parts of its path as tell it from others."""
    paths = [PurePath(each.run).parts for each in analysis.checkpoints]
    for parts in range(1, max(map(len, paths), default=0)):
        names = ["/".join(path[-parts:]) for path in paths]
        if len({*names}) == len(names):
            return names
    return [each.run for each in analysis.checkpoints]


def _show_group(analysis: Analysis, group: str, console: Console) -> None:
    chosen = _spaced(analysis.checkpoints, (console.width - _BESIDE) // (_NUMBER + 2))
    if not any(group in each for each in chosen[-1].means.values()):
        return
    named = dict(zip((each.run for each in analysis.checkpoints), run_names(analysis), strict=True))
    left = len(analysis.checkpoints) - len(chosen)
    rest = f"; {counted(left, 'run')} between on the page" if left else ""
    table = _table(f"{group}: means over prompts{rest}", [named[each.run] for each in chosen])
    if analysis.course:
        table.add_column("change", justify="right", no_wrap=True)
    for measure in shown(chosen[-1]):
        means = [each.means.get(measure.name, {}).get(group) for each in chosen]
        if not any(means):
            continue
        row = [_titled(measure), *map(number, means)]
        if analysis.course:
            course = analysis.course.get(measure.name)
            found = course.groups.get(group) if course else None
            row.append(interval(found.mean, found.low, found.high) if found else "-")
        table.add_row(*row)
    console.print(table)


def _show_contrasts(analysis: Analysis, console: Console) -> None:
    first, second = analysis.groups
    table = _table(f"{first} less {second}, 95 % intervals", ["last run"])
    if analysis.course:
        table.add_column("of the changes", justify="right", no_wrap=True)
    last = analysis.checkpoints[-1]
    for measure in shown(last):
        found = last.contrasts.get(measure.name)
        course = analysis.course.get(measure.name)
        row = [interval(found.difference, found.low, found.high) if found else "-"]
        if analysis.course:
            moved = course.difference if course else None
            row.append(interval(moved.difference, moved.low, moved.high) if moved else "-")
        table.add_row(_titled(measure), *row)
    console.print(table)


def _show_sizes(checkpoint: Checkpoint, groups: Sequence[str], console: Console) -> None:
    """Print the diversity of sets by their size, of the last run."""
    names = [n for n in _SIZED if any(n in each.means for each in checkpoint.diversity)]
    if not names:
        return
    table = _table(f"diversity by size of the set: {checkpoint.run}", names)
    for each in sorted(checkpoint.diversity, key=lambda each: groups.index(each.group)):
        where = "one prompt" if each.within else "different"
        table.add_row(f"{each.group}: {each.n}, {where}", *(_with_error(each, n) for n in names))
    console.print(table)
    console.print(Text("value ± standard error; compare only sets of one size"), style="dim")


def _with_error(sized: Sized, name: str) -> str:
    mean = sized.means.get(name)
    if mean is None:
        return "-"
    return number(mean) + (f" ± {mean.error:.2g}" if mean.error is not None else "")


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=Text(title), box=SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.add_column("", no_wrap=True)
    for heading in headings:
        table.add_column(Text(heading), justify="right", overflow="fold", min_width=_NUMBER)
    return table


def _titled(measure: Measure) -> str:
    return f"{measure.title} {_ARROWS[measure.worn]}".rstrip()


def number(mean: Mean | None) -> str:
    """Return a mean with as many digits as tell it from others."""
    return "-" if mean is None else digits(mean.value)


def digits(value: float) -> str:
    """Return a value as tables show it.

    >>> digits(1234.56), digits(0.25)
    ('1,234.6', '0.250')
    """
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3f}"


def interval(value: float, low: float, high: float) -> str:
    """Return a difference with its interval, as tables show it."""
    places = 1 if abs(value) >= 10 else 3
    return f"{value:+,.{places}f} [{low:+,.{places}f}, {high:+,.{places}f}]"


def _spaced(checkpoints: Sequence[Checkpoint], most: int) -> list[Checkpoint]:
    """Return the runs that fit: of more, the first, the last, and some between."""
    last, most = len(checkpoints) - 1, max(most, 2)
    if last < most:
        return list(checkpoints)
    return [checkpoints[round(place * last / (most - 1))] for place in range(most)]


def _remarks(analysis: Analysis) -> Iterator[str]:
    yield "↓ and ↑ say which way a measure goes as paths wear in."
    how = (
        "chosen on the first run, and frozen" if analysis.cut_chosen else "not chosen on these runs"
    )
    yield f"Completions were joined to modes up to a distance of {analysis.cut:g} ({how})."
    last = analysis.checkpoints[-1]
    for group in analysis.groups:
        chance, found = (each.get("modes", {}).get(group) for each in (last.chance, last.means))
        if chance and found:
            parts = f"after a shuffle of their parts, {number(chance)}"
            yield f"{group}: {number(found)} modes; {parts}."
    if agreement := analysis.agreement:
        kappa = "undefined" if agreement.kappa is None else f"{agreement.kappa:.2f}"
        few = f" Below {FEW} that means little." if agreement.answered < FEW else ""
        yield (
            f"Labels of n-grams: {agreement.model} agrees with the rules on {agreement.agreed} of "
            f"{agreement.answered} answers ({agreement.asked} asked), kappa {kappa}.{few}"
        )
    yield from analysis.notes
    if len(analysis.groups) == 2:
        yield (
            "A difference between groups is no evidence of training by itself: easy prompts "
            "converge more, trained on or not."
        )
