"""The charts of the page, as SVG.

They are drawn once, with altair and vl-convert, and need no script. So the page runs none but its
own, under a policy that forbids the evaluated code that Vega needs, is 0.9 MB lighter than with
Vega inside, and prints as it is shown. What is lost is pointing at a mark; the table of prompts
tells more. Colours are the page's variables: the charts follow it into the dark and onto paper.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wellworn.report.page.curves import Roc, thinned
from wellworn.report.sides import SetName

if TYPE_CHECKING:
    import altair

WIDTH, HEIGHT = 330, 230
_WIDE, _HILL = 380, 80
_INK, _SOFT, _RULE = "var(--ink)", "var(--soft)", "var(--rule)"
_LINES = ["var(--suspect)", "var(--reference)", "var(--level-1)", "var(--soft)"]
_DASHES = [[1, 0], [6, 3], [2, 2], [8, 2, 2, 2]]
_COLOURS = {"suspects": "var(--suspect)", "references": "var(--reference)"}


def distribution(sides: dict[SetName, list[float]], x: str) -> str:
    """Draw how the scores of each set lie: a density, a line for each prompt, the median.

    Args:
        sides: The scores of suspects and of references; a set may be absent.
        x: What a score is, in words.
    """
    import altair as alt

    every = [score for scores in sides.values() for score in scores]
    ends = [min(every), max(every)]
    margin = (ends[1] - ends[0]) * 0.03 or 0.05
    domain = [ends[0] - margin, ends[1] + margin]
    rows = [
        _side(name, scores, domain, x if name == list(sides)[-1] else "")
        for name, scores in sides.items()
    ]
    return _svg(alt.vconcat(*rows, spacing=14))


def _side(
    name: SetName, scores: Sequence[float], domain: list[float], x: str
) -> "altair.VConcatChart":
    """Draw one set over the domain; a scale with its name `x` below it, unless that is empty."""
    import altair as alt

    scale = alt.Scale(domain=domain, nice=False)
    axis = alt.Axis(title=x or None, labels=bool(x), grid=False, tickCount=5, ticks=bool(x))
    place, bare = (alt.X("score:Q", scale=scale, axis=each) for each in (axis, None))
    data = alt.Data(values=[{"score": score} for score in thinned(scores)])
    lines = alt.Chart(data).mark_tick(color=_COLOURS[name], opacity=0.55, thickness=1)
    middle = alt.Chart(alt.Data(values=[{"score": float(np.median(scores))}]))
    median = middle.mark_rule(color=_COLOURS[name], strokeWidth=2, strokeDash=[3, 2])
    title = middle.mark_text(align="left", color=_COLOURS[name], fontSize=12, text=name)
    hill = _hill(data, domain, _COLOURS[name]) if len(set(scores)) > 1 else []
    named = title.encode(x=alt.value(2), y=alt.value(8))
    upper = alt.layer(*hill, median.encode(x=bare), named)
    strip = lines.encode(x=place).properties(width=_WIDE, height=18)
    return alt.vconcat(upper.properties(width=_WIDE, height=_HILL), strip, spacing=2)


def _hill(data: "altair.Data", domain: list[float], colour: str) -> list[Any]:
    """Draw the density of scores (Gaussian kernel), below the name of the set."""
    import altair as alt

    x = alt.X("score:Q", scale=alt.Scale(domain=domain, nice=False), axis=None)
    y = alt.Y("density:Q", axis=None, scale=alt.Scale(range=[_HILL, 20]))
    names = ["score", "density"]
    crowd = alt.Chart(data).transform_density("score", as_=names, extent=domain, steps=120)
    base = crowd.encode(x=x, y=y)
    return [base.mark_area(color=colour, opacity=0.2), base.mark_line(color=colour, size=1.3)]


def roc_curve(roc: Roc) -> str:
    """Draw the ROC over its band, and chance."""
    import altair as alt

    rows = [
        {"references": float(x), "suspects": float(y), "low": float(low), "high": float(high)}
        for x, y, low, high in zip(*roc, strict=True)
    ]
    x = alt.X("references:Q", **_unit("share of references at or above a threshold"))
    y = partial(alt.Y, **_unit("share of suspects"))
    base = alt.Chart(alt.Data(values=rows)).encode(x=x)
    band = base.mark_area(color="var(--suspect)", opacity=0.18, interpolate="step-after")
    line = base.mark_line(color="var(--suspect)", strokeWidth=2, interpolate="step-after")
    ends = alt.Data(values=[{"references": 0, "suspects": 0}, {"references": 1, "suspects": 1}])
    chance = alt.Chart(ends).mark_line(color=_SOFT, strokeWidth=1, strokeDash=[4, 4])
    layers = [
        band.encode(y=y("low:Q"), y2="high:Q"),
        chance.encode(x=x, y=y("suspects:Q")),
        line.encode(y=y("suspects:Q")),
    ]
    return _svg(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT))


def _unit(title: str) -> dict[str, Any]:
    import altair as alt

    axis = alt.Axis(title=title, values=[0, 0.25, 0.5, 0.75, 1], format=".0%")
    return {"axis": axis, "scale": alt.Scale(domain=[0, 1])}


def pairs(
    sides: dict[SetName, list[tuple[float, float]]],
    across: str = "score of the control model",
    up: str = "score of the audited model",
) -> str:
    """Draw two scores of each prompt against each other, and where they are equal.

    Args:
        sides: Both scores of each prompt of a set.
        across: What the first is, in words.
        up: Likewise the second.
    """
    import altair as alt

    rows = [
        {"set": name, "first": first, "second": second}
        for name, each in sides.items()
        for first, second in each
    ]
    every = [value for each in sides.values() for pair in each for value in pair]
    ends = [min(every), max(every)]
    scale = alt.Scale(domain=ends, nice=True, zero=False)
    x = alt.X("first:Q", title=across, scale=scale)
    y = alt.Y("second:Q", title=up, scale=scale)
    equal = alt.Chart(alt.Data(values=[{"first": end, "second": end} for end in ends]))
    line = equal.mark_line(color=_SOFT, strokeWidth=1, strokeDash=[4, 4]).encode(x=x, y=y)
    points = alt.Chart(alt.Data(values=rows)).mark_point(size=34, filled=True, opacity=0.7)
    names = list(sides)
    colour = alt.Color(
        "set:N", scale=alt.Scale(domain=names, range=[_COLOURS[name] for name in names])
    )
    shape = alt.Shape("set:N", scale=alt.Scale(domain=names, range=["circle", "triangle-up"]))
    layers = alt.layer(line, points.encode(x=x, y=y, color=colour, shape=shape))
    return _svg(layers.properties(width=WIDTH, height=HEIGHT))


class Place(NamedTuple):
    """A mean of one run."""

    run: str
    value: float
    low: float
    """Lower limit of its interval."""
    high: float
    """Upper limit of its interval."""


def courses(sides: dict[str, list[Place]], runs: Sequence[str], y: str) -> str:
    """Draw a mean over runs, of each side, with the band of its interval.

    Args:
        sides: The means of each group, or of each category of n-grams.
        runs: Names of the runs, in order.
        y: What the mean is of, in words.
    """
    import altair as alt

    rows = [{"side": name} | place._asdict() for name, each in sides.items() for place in each]
    axis = alt.Axis(title=None, labelAngle=0, grid=False, labelLimit=90)
    x = alt.X("run:N", sort=list(runs), axis=axis, scale=alt.Scale(padding=0.3))
    up = partial(alt.Y, title=y, scale=alt.Scale(zero=False, nice=True))
    names = list(sides)
    colour = alt.Color("side:N", scale=alt.Scale(domain=names, range=_LINES[: len(names)]))
    dash = alt.StrokeDash("side:N", scale=alt.Scale(domain=names, range=_DASHES[: len(names)]))
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, color=colour)
    layers = [
        base.mark_area(opacity=0.15).encode(y=up("low:Q"), y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(y=up("value:Q"), strokeDash=dash),
        base.mark_point(size=30, filled=True, opacity=1).encode(y=up("value:Q")),
    ]
    return _svg(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT))


def power_curve(aucs: Sequence[float], powers: Sequence[float], seen: float, found: float) -> str:
    """Draw how often an audit of this size tells an AUC from chance.

    Args:
        aucs: True AUCs.
        powers: How often each is seen, in [0, 1].
        seen: The AUC that is seen in 80 % of audits.
        found: The AUC of this audit.
    """
    import altair as alt

    rows = [{"auc": x, "power": y} for x, y in zip(aucs, powers, strict=True)]
    scale = alt.Scale(domain=[aucs[0], 1], nice=False)
    ticks = alt.Axis(title="true AUC", values=[0.5, 0.6, 0.7, 0.8, 0.9, 1], format=".1f")
    x = alt.X("auc:Q", axis=ticks, scale=scale)
    y = alt.Y("power:Q", **_unit("share of audits that see it"))
    line = alt.Chart(alt.Data(values=rows)).mark_line(color=_INK, strokeWidth=1.8).encode(x=x, y=y)
    marks: list[Any] = [line]
    known = ((seen, _SOFT, f"80 % at {seen:.2f}", 96), (found, "var(--suspect)", "this audit", 14))
    for auc, colour, words, down in known:
        if aucs[0] <= auc <= 1:
            at = alt.Chart(alt.Data(values=[{"auc": auc}])).encode(x=x)
            marks.append(at.mark_rule(color=colour, strokeDash=[3, 2]))
            side = {"align": "right", "dx": -5} if auc > 0.8 else {"align": "left", "dx": 5}
            text = at.mark_text(color=colour, fontSize=11, text=words, **side)
            marks.append(text.encode(y=alt.value(HEIGHT - down)))
    return _svg(alt.layer(*marks).properties(width=WIDTH, height=HEIGHT))


def _svg(chart: Any) -> str:
    """Return a chart as SVG that is as wide as its place; what it says stands beside it."""
    import altair as alt
    from vl_convert import vegalite_to_svg

    small: dict[str, Any] = {"labelFontSize": 11, "titleFontSize": 11.5}
    legend = alt.LegendConfig(
        orient="top", title=None, labelColor=_INK, labelFontSize=12, offset=4, symbolOpacity=1
    )
    axis = alt.AxisConfig(
        **small,
        titleFontWeight="normal",
        labelColor=_SOFT,
        titleColor=_SOFT,
        gridColor=_RULE,
        domainColor=_RULE,
        tickColor=_RULE,
    )
    housed = chart.configure(
        aria=False,
        background="transparent",
        font="inherit",
        padding=4,
        axis=axis,
        legend=legend,
        view=alt.ViewConfig(stroke=None),
    )
    drawn: str = vegalite_to_svg(housed.to_dict())
    return re.sub(r'^<svg [^>]*?width="[^"]*" height="[^"]*"', _OPEN, drawn, count=1)


_OPEN = '<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" focusable="false"'
