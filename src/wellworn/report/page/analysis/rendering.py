"""The markup of an analysis."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wellworn.analysis.measuring import SHOWN
from wellworn.analysis.ngrams import CATEGORIES
from wellworn.analysis.results import Analysis, Contrast
from wellworn.report.analysis import MEASURES, Measure, interval, number, run_names, shown
from wellworn.report.page.analysis import dendrogram
from wellworn.report.page.analysis.examples import STEPS, Example
from wellworn.report.page.analysis.figures import figures_of
from wellworn.report.page.layout import laid_out
from wellworn.statistics.change import Change
from wellworn.statistics.comparison import LEVEL

CAUTION = (
    "By itself none of this is a finding of exposure: easy prompts wear in too, whether or not "
    "the model was trained on them. Of measures that do not move, one in 20 would seem to; and "
    "they do not move alone: most depend on how long the completions are."
)


class Line(NamedTuple):
    """A measure of a group in the table."""

    measure: Measure
    group: str
    means: list[str]
    """In each run."""
    change: str
    differs: str
    """From the other group, in the last run; empty but for the first group."""


def rendered(analysis: Analysis, command: str, examples: Sequence[Example]) -> str:
    """Return the page as HTML.

    Args:
        analysis: What it shows.
        command: The command that makes it again.
        examples: Prompts whose completions are shown.
    """
    return laid_out(
        "analysis.html",
        (),
        list(figures_of(analysis)),
        analysis=analysis,
        about=analysis,
        command=command,
        claim=claim(analysis),
        caution=CAUTION,
        runs=run_names(analysis),
        lines=list(_lines(analysis)),
        examples=examples,
        categories=CATEGORIES,
        drawn={
            "height": dendrogram.HEIGHT,
            "prompt": SHOWN,
            "steps": STEPS,
            "colours": dendrogram.COLOURS,
        },
    )


def claim(analysis: Analysis) -> str:
    """Return what was found, in a sentence."""
    group, last = analysis.groups[0], analysis.checkpoints[-1]
    if analysis.course:
        told = [
            measure.worn * _direction(found)
            for measure in MEASURES
            if measure.worn and measure.name in analysis.course
            if (found := analysis.course[measure.name].groups.get(group))
        ]
        return (
            f"From the first run to the last, {told.count(1)} of {len(told)} measures of the "
            f"{group} went the way of paths wearing in by more than chance, {told.count(-1)} the "
            f"other way."
        )
    modes = last.means.get("modes", {}).get(group)
    largest = last.means.get("largest mode", {}).get(group)
    if modes is None or largest is None:
        return "No prompt could be measured."
    return (
        f"The completions of one of the {group} go {number(modes)} ways on average, and "
        f"{100 * largest.value:.0f} % of them go the commonest."
    )


def _direction(change: Change) -> int:
    """Return where a change goes by more than chance: the interval and the ranks must say so."""
    return ((change.low > 0) - (change.high < 0)) * (change.p < 1 - LEVEL)


def _lines(analysis: Analysis) -> Iterator[Line]:
    last = analysis.checkpoints[-1]
    for measure in shown(last):
        for group in analysis.groups:
            means = [each.means.get(measure.name, {}).get(group) for each in analysis.checkpoints]
            course = analysis.course.get(measure.name)
            change = course.groups.get(group) if course else None
            contrast = last.contrasts.get(measure.name) if group == analysis.groups[0] else None
            yield Line(measure, group, list(map(number, means)), _moved(change), _differs(contrast))


def _moved(change: Change | None) -> str:
    return interval(change.mean, change.low, change.high) if change else ""


def _differs(found: Contrast | None) -> str:
    return interval(found.difference, found.low, found.high) if found else ""
