"""The figures of two runs: each prompt's two scores, and how far they are apart."""

from collections.abc import Iterator
from statistics import median

from wellworn.report.page import charts
from wellworn.report.page.curves import POINTS
from wellworn.report.page.figures import Figure, spaced
from wellworn.report.page.paired.words import signed
from wellworn.report.paired import Paired
from wellworn.report.sides import SETS, SetName


def figures_of(paired: Paired) -> Iterator[Figure]:
    """Yield the figures that the runs have data for."""
    pairs = {name: _pairs(paired, name) for name in SETS}
    held = {name: each for name, each in pairs.items() if each}
    if held:
        few = f" Of larger sets, {POINTS} prompts." if max(map(len, held.values())) > POINTS else ""
        yield _scores(held, few)
        yield _changes(held, few)


def _pairs(paired: Paired, name: SetName) -> list[tuple[float, float]]:
    return [
        (item.first, item.second)
        for item in paired.changed(name)
        if item.first is not None and item.second is not None
    ]


def _scores(held: dict[SetName, list[tuple[float, float]]], few: str) -> Figure:
    shown = {name: spaced(each) for name, each in held.items()}
    above = {name: sum(second > first for first, second in each) for name, each in held.items()}
    counts = (f"{above[name]} of {len(each)} {name}" for name, each in held.items())
    return Figure(
        name="pairs",
        title="The first run against the second",
        svg=charts.pairs(shown, "score in the first run", "score in the second run"),
        reading="Each mark is a prompt: across, its score in the first run; up, in the second. On "
        f"the dashed line nothing has changed. What speaks is not that suspects lie above it, but "
        f"that they lie higher than the references beside them.{few}",
        numbers=f"Above the line: {', '.join(counts)}.",
    )


def _changes(held: dict[SetName, list[tuple[float, float]]], few: str) -> Figure:
    changes = {name: [second - first for first, second in each] for name, each in held.items()}
    told = (
        f"{name} {signed(median(each))}, all from {signed(min(each))} to {signed(max(each))}"
        for name, each in changes.items()
    )
    return Figure(
        name="changes",
        title="How far scores moved",
        svg=charts.distribution(changes, "score in the second run less that in the first"),
        reading="Each short line is a prompt, the hill shows where they crowd, the dashed line is "
        f"the median. At 0 nothing has changed; further right, the answers look more trained on "
        f"than before.{few}",
        numbers=f"Median change: {'; '.join(told)}.",
    )
