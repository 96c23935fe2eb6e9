"""Charts in the house's look: what is measured over a parameter, with its uncertainty.

A chart is a Vega-Lite specification, made with altair and drawn by vl-convert without a network.
Colours are Okabe and Ito's, which colour-blind readers tell apart; what a mark means is also
told by its form. Whoever opens the .vl.json in an editor finds the numbers in it.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import altair

Scale = Literal["linear", "log", "words"]
"""How values lie on an axis: as numbers, as their logarithms, or as words side by side."""

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#6B6B6B"
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
WIDTH, HEIGHT = 460, 280
_RESOLUTION = 2.0


class Mark(NamedTuple):
    """One point of a chart."""

    x: float | str
    y: float
    low: float
    """Lower limit of the interval of y."""
    high: float
    """Upper limit of the interval of y."""
    spread: tuple[float, float] | None = None
    """The range of y over draws, where there are several."""
    default: bool = False
    """Whether this is the value that is used elsewhere."""


class Wording(NamedTuple):
    """What a chart says in words."""

    title: str
    x: str
    """Name of the horizontal axis."""
    below_title: Sequence[str] = ()
    """Lines in smaller print: how to read the marks, and what is missing."""


def auc_chart(marks: Sequence[Mark], wording: Wording, scale: Scale) -> "altair.LayerChart":
    """Return a chart of the AUC over a parameter: interval, spread over draws, and chance.

    Args:
        marks: One or more, in the order of their x.
        wording: Title and names.
        scale: How x lies on its axis.
    """
    import altair as alt

    data = alt.Data(values=[_row(mark) for mark in marks])
    base = alt.Chart().encode(x=_x_axis(marks, wording.x, scale))
    y = partial(alt.Y, title="AUC", scale=alt.Scale(domain=[_floor(marks), 1], nice=False))
    line, limits = base.encode(y=y("auc:Q")), base.encode(y=y("low:Q"), y2="high:Q")
    layers: list[Any] = [_chance(y("auc:Q"))]
    if scale == "words" or len(marks) == 1:
        layers.append(limits.mark_rule(color=BLUE, strokeWidth=2))
    else:
        layers += [limits.mark_area(color=BLUE, opacity=0.15), line.mark_line(color=BLUE)]
    spread = base.encode(y=y("from:Q"), y2="to:Q").transform_filter("datum.from != null")
    layers.append(spread.mark_rule(color=ORANGE, strokeWidth=5, strokeCap="round"))
    for default, fill in ((False, BLUE), (True, "white")):
        points = line.transform_filter(f"datum.default == {str(default).lower()}")
        layers.append(points.mark_point(size=70, fill=fill, stroke=BLUE, opacity=1))
    return housed(alt.layer(*layers, data=data), wording)


def _row(mark: Mark) -> dict[str, Any]:
    start, end = mark.spread or (None, None)
    limits = {"low": mark.low, "high": mark.high, "from": start, "to": end}
    return {"x": mark.x, "auc": mark.y, **limits, "default": mark.default}


def _x_axis(marks: Sequence[Mark], title: str, scale: Scale) -> "altair.X":
    import altair as alt

    values = [mark.x for mark in marks]
    if scale == "words":
        axis = alt.Axis(title=title, labelAngle=0, grid=False)
        return alt.X("x:N", axis=axis, sort=values, scale=alt.Scale(padding=0.5))
    ticks = alt.Axis(title=title, values=values, grid=False, format="~g")
    kind = alt.Scale(type=scale, zero=False, nice=False, padding=16)
    return alt.X("x:Q", axis=ticks, scale=kind)


def _floor(marks: Sequence[Mark]) -> float:
    """Return where the AUC's axis begins: a tenth that all lies above, 0.4 at most."""
    lowest = min(min(mark.low, *(mark.spread or (1.0,))) for mark in marks)
    return max(0, min(4, int(lowest * 10))) / 10


def _chance(y: "altair.Y") -> "altair.LayerChart":
    import altair as alt

    chart = alt.Chart(alt.Data(values=[{"auc": 0.5, "name": "chance"}])).encode(y=y)
    line = chart.mark_rule(color=GREY, strokeDash=[5, 4])
    name = chart.mark_text(color=GREY, align="right", baseline="bottom", dx=-4, dy=-3, fontSize=11)
    return line + name.encode(text="name:N", x=alt.value(WIDTH))


def housed(chart: "altair.LayerChart", wording: Wording) -> "altair.LayerChart":
    """Return a chart with its title, in the house's size, fonts and colours."""
    import altair as alt

    title = alt.Title(wording.title, subtitle=list(wording.below_title))
    sized = chart.properties(width=WIDTH, height=HEIGHT, title=title, background="white")
    return sized.configure(
        font=FONT,
        padding=12,
        title=alt.TitleConfig(
            anchor="start",
            fontSize=15,
            subtitleFontSize=11,
            subtitleColor=GREY,
            subtitlePadding=6,
            offset=12,
        ),
        axis=alt.AxisConfig(
            labelFontSize=11,
            titleFontSize=12,
            titleFontWeight="normal",
            titlePadding=8,
            gridColor="#E6E6E6",
            domainColor=GREY,
            tickColor=GREY,
        ),
        view=alt.ViewConfig(stroke=None),
    )


def write_chart(chart: "altair.LayerChart", folder: Path, name: str) -> list[Path]:
    """Write a chart as NAME.vl.json, NAME.svg and NAME.png; return the files.

    The picture is twice as wide in pixels as on the page.
    """
    specification = folder / f"{name}.vl.json"
    specification.write_text(chart.to_json(indent=2) + "\n", encoding="utf-8")
    pictures = [folder / f"{name}.svg", folder / f"{name}.png"]
    for picture in pictures:
        chart.save(str(picture), scale_factor=_RESOLUTION if picture.suffix == ".png" else 1.0)
    return [specification, *pictures]
