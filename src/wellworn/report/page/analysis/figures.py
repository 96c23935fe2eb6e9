"""The figures of an analysis: each measure over the runs, with the band of its interval."""

from collections.abc import Iterator

from wellworn.analysis.ngrams import CATEGORIES
from wellworn.analysis.results import Analysis, Mean
from wellworn.report.analysis import MEASURES, Measure, digits, number, run_names
from wellworn.report.page import charts
from wellworn.report.page.figures import Figure

_DRAWN = (
    *("ead", "self-bleu", "edit", "min-knn", "nli", "embedding", "token entropy"),
    *("symbolic rate", "modes", "largest mode", "mode entropy", "few modes", "length"),
)
_WORN = {-1: "It falls as paths wear in.", 1: "It rises as paths wear in.", 0: ""}


def figures_of(analysis: Analysis) -> Iterator[Figure]:
    """Yield the figures: nothing for one run, which has no course."""
    if len(analysis.checkpoints) < 2:
        return
    for measure in MEASURES:
        if measure.name in _DRAWN:
            yield from _course(analysis, measure)
    yield from _kinds(analysis)


def _course(analysis: Analysis, measure: Measure) -> Iterator[Figure]:
    runs = run_names(analysis)
    held: dict[str, list[charts.Place]] = {}
    for group in analysis.groups:
        for run, checkpoint in zip(runs, analysis.checkpoints, strict=True):
            mean = checkpoint.means.get(measure.name, {}).get(group)
            if mean:
                held.setdefault(group, []).append(_place(run, mean))
    if not held:
        return
    ends = (f"{group}: {_at(each[0])} to {_at(each[-1])}" for group, each in held.items())
    yield Figure(
        name=measure.name.replace(" ", "-"),
        title=measure.title,
        svg=charts.courses(held, runs, measure.title),
        reading=f"Means over prompts with their 95 % intervals. {_WORN[measure.worn]}".rstrip(),
        numbers=f"{'; '.join(ends)}.",
    )


def _place(run: str, mean: Mean) -> charts.Place:
    """Return a mean as it is drawn; one of a single prompt has no band."""
    if mean.low is None or mean.high is None:
        return charts.Place(run, mean.value, mean.value, mean.value)
    return charts.Place(run, mean.value, mean.low, mean.high)


def _at(place: charts.Place) -> str:
    return f"{digits(place.value)} ({place.run})"


def _kinds(analysis: Analysis) -> Iterator[Figure]:
    """Yield frequent n-grams by category, of each group."""
    runs = run_names(analysis)
    for group in analysis.groups:
        held: dict[str, list[charts.Place]] = {}
        for category in CATEGORIES:
            for run, checkpoint in zip(runs, analysis.checkpoints, strict=True):
                mean = checkpoint.means.get(f"{category} n-grams", {}).get(group)
                if mean:
                    held.setdefault(category, []).append(_place(run, mean))
        if held:
            last = analysis.checkpoints[-1].means
            told = (f"{c} {number(last.get(f'{c} n-grams', {}).get(group))}" for c in held)
            yield Figure(
                name=f"kinds-{group}",
                title=f"Frequent n-grams of a prompt: {group}",
                svg=charts.courses(held, runs, "different n-grams"),
                reading="How many different n-grams are frequent in a prompt's completions, by "
                "what they are.",
                numbers=f"In the last run: {', '.join(told)}.",
            )
