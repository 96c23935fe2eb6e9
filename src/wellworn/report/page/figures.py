"""The figures of the page: each a chart, how to read it, and what it shows in numbers."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from wellworn.report.page import charts
from wellworn.report.page.contents import Contents
from wellworn.report.page.curves import POINTS, power, roc
from wellworn.report.page.words import share, what_it_sees
from wellworn.report.sides import SETS, SetName


class Figure(NamedTuple):
    """A chart and its words. The words alone say what the chart shows."""

    name: str
    title: str
    svg: str
    reading: str
    """How to read it."""
    numbers: str
    """What it shows."""


def figures_of(contents: Contents) -> Iterator[Figure]:
    """Yield the figures that the contents have data for."""
    sides = {name: contents.scores(name) for name in SETS}
    held = {name: scores for name, scores in sides.items() if scores}
    if held:
        yield _distribution(contents, held)
    if contents.comparison:
        yield _roc(contents, sides)
    pairs = {name: _changed(contents, name) for name in SETS}
    if all(pairs.values()):
        yield _changes(contents, pairs)
    if contents.comparison:
        yield _power(contents)


def _changed(contents: Contents, name: SetName) -> list[tuple[float, float]]:
    """Return (score of the control model, score) of a set's prompts that are compared."""
    return [
        (item.base_score, item.score)
        for item in contents.items
        if item.set == name
        and item.compared
        and item.score is not None
        and item.base_score is not None
    ]


def _distribution(contents: Contents, sides: dict[SetName, list[float]]) -> Figure:
    x = f"score of {contents.detector} ({contents.orientation})"
    most = max(map(len, sides.values()))
    few = f" Of larger sets, {POINTS} prompts at equal distances in rank." if most > POINTS else ""
    return Figure(
        name="scores",
        title="Suspects against references",
        svg=charts.distribution(sides, x),
        reading="Each short line is a prompt, the hill shows where they crowd, the dashed line is "
        f"the median. Further right looks more trained on.{few}",
        numbers="; ".join(_spread(name, scores) for name, scores in sides.items()) + ".",
    )


def _spread(name: SetName, scores: Sequence[float]) -> str:
    low, middle, high = np.quantile(scores, [0.25, 0.5, 0.75])
    return (
        f"{len(scores)} {name}: median {middle:.3f}, middle half from {low:.3f} to {high:.3f}, "
        f"all from {min(scores):.3f} to {max(scores):.3f}"
    )


def _roc(contents: Contents, sides: dict[SetName, list[float]]) -> Figure:
    comparison = contents.comparison
    assert comparison is not None
    curve = roc(sides["suspects"], sides["references"])
    at = int(np.searchsorted(curve.references, 0.1 + 1e-9) - 1)
    return Figure(
        name="roc",
        title="What any threshold would give",
        svg=charts.roc_curve(curve),
        reading="Every threshold on the score catches some suspects (up) and accuses some "
        "references (right). On the dashed line a coin would do as well. The band holds 95 % of "
        "bootstrap resamples, point by point.",
        numbers=f"The area below the curve is the AUC: {comparison.auc:.2f}, 95 % interval "
        f"{comparison.low:.2f} to {comparison.high:.2f} ({comparison.interval}). With at most "
        f"10 % of the references accused, {share(curve.suspects[at])} of the suspects are caught "
        f"(band {share(curve.low[at])} to {share(curve.high[at])}).",
    )


def _changes(contents: Contents, pairs: dict[SetName, list[tuple[float, float]]]) -> Figure:
    shown = {name: spaced(each) for name, each in pairs.items()}
    rises = {name: median(score - base for base, score in each) for name, each in pairs.items()}
    control = f" ({contents.control})" if contents.control else ""
    difference = rises["suspects"] - rises["references"]
    return Figure(
        name="changes",
        title="The control model against the audited one",
        svg=charts.pairs(shown),
        reading=f"Each mark is a prompt: across, its score by the control model{control}; up, its "
        "score by the audited model. Above the dashed line a prompt has converged since. What "
        "speaks is not that suspects lie above it, but that they lie higher than references "
        "beside them.",
        numbers=f"Median change: suspects {rises['suspects']:+.3f}, references "
        f"{rises['references']:+.3f}; the difference of the two is {difference:+.3f}.",
    )


def spaced(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most `POINTS` pairs, at equal distances in the rank of their first."""
    ranked = sorted(pairs)
    if len(ranked) <= POINTS:
        return ranked
    return [ranked[round(i * (len(ranked) - 1) / (POINTS - 1))] for i in range(POINTS)]


def _power(contents: Contents) -> Figure:
    comparison, references = contents.comparison, contents.references
    assert comparison is not None
    assert references is not None
    aucs = np.linspace(0.5, 1, 51)
    powers = power(aucs, contents.suspects.compared, references.compared)
    seen = comparison.detectable_auc
    return Figure(
        name="power",
        title="What sets of this size can see",
        svg=charts.power_curve(aucs.tolist(), powers.tolist(), seen, comparison.auc),
        reading="If the suspects' true AUC were so large, this share of such audits would have an "
        "interval that excludes chance (normal approximation).",
        numbers=what_it_sees(contents),
    )
