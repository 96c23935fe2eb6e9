"""An ablation: every number of it, and its tables for the terminal."""

from collections.abc import Iterator
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wellworn.records import Generation
from wellworn.report.plots import Scale
from wellworn.tables.values import counted

SCHEMA_VERSION = 1


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """How members compare with non-members at one value of an axis."""

    at: float | str
    """The value of the axis."""
    default: bool = False
    """Whether the other axes are measured at this value."""
    parameters: dict[str, Any] = {}
    """All that the scores depend on."""
    auc: float | None = None
    """Probability that a member scores above a non-member; the mean over draws."""
    low: float | None = None
    """Lower limit of the 95 % interval over prompts; the mean over draws."""
    high: float | None = None
    """Upper limit of the 95 % interval over prompts; the mean over draws."""
    draws: int = 0
    """Random choices of completions that the AUC is the mean of; 1 where nothing is chosen."""
    spread: tuple[float, float] | None = None
    """The 5th and the 95th percentile of the AUC over draws, where there are several."""
    members: int = 0
    """Members with a score; of several draws, in that with the fewest scores."""
    non_members: int = 0
    """Non-members with a score; of several draws, in that with the fewest scores."""
    source: str = ""
    """Which completions were scored, where they are not those of the default."""
    lacking: str | None = None
    """How many labelled prompts have no score, and the commonest reason."""
    reason: str | None = None
    """Why there is no AUC."""


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was varied, all else being as by default."""

    name: str
    label: str
    """The same in words."""
    scale: Scale
    """How its values lie in a chart."""
    points: tuple[Point, ...]
    notes: tuple[str, ...] = ()
    """What a reader should know of it."""


class Ablation(msgspec.Struct, frozen=True, kw_only=True):
    """How a detector's AUC depends on how completions are drawn and read."""

    schema_version: int = SCHEMA_VERSION
    wellworn: str
    """The version of the package."""
    created: str
    """When it was made, in UTC, ISO 8601."""
    runs: tuple[str, ...]
    detector: str
    paper: str
    orientation: str
    """How a score follows from a value; higher scores mean more likely trained on."""
    setting: Generation
    """The generation parameters of the default's completions."""
    members: int
    """Prompts of the runs that are labelled as members."""
    non_members: int
    unlabelled: int
    """Prompts of the runs without a label, which are left out."""
    unmatched: int
    """Labels of prompts that the runs do not have."""
    default: Point
    """Everything as by default, or as the options say."""
    axes: tuple[Axis, ...]
    notes: tuple[str, ...]
    """What a reader should know besides, such as which axes are left out."""


def show(ablation: Ablation, console: Console) -> None:
    """Print a table for each axis to a console."""
    read = [f"{name} = {value}" for name, value in own_parameters(ablation.default).items()]
    labelled = f"{ablation.members} members, {ablation.non_members} non-members"
    console.print(Text(f"{', '.join([ablation.detector, *read])}\n{labelled}\n"))
    for axis in ablation.axes:
        console.print(_table(axis, ablation.default))
        for note in axis.notes:
            console.print(Text(f"• {note}"))
        console.print()
    for note in _general(ablation):
        console.print(Text(f"• {note}"))


def _general(ablation: Ablation) -> Iterator[str]:
    if ablation.unlabelled:
        yield f"{counted(ablation.unlabelled, 'prompt')} without a label, left out."
    if ablation.unmatched:
        yield f"{counted(ablation.unmatched, 'label')} of prompts that no run has."
    yield from ablation.notes


def own_parameters(point: Point) -> dict[str, Any]:
    """Return what a point's scores depend on beside how completions were generated."""
    return {
        "m" if name == "samples" else name: value
        for name, value in point.parameters.items()
        if name not in Generation.__struct_fields__
    }


def _table(axis: Axis, default: Point) -> Table:
    table = Table(title=Text(axis.label), box=SIMPLE_HEAD, pad_edge=False, title_justify="left")
    headings = [axis.name, "AUC", "95 %", "members", "others"]
    drawn = any(point.spread for point in axis.points)
    for heading in headings[:3] + (["5-95 % of draws"] if drawn else []) + headings[3:]:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for point in axis.points:
        spread = [_range(point.spread)] if drawn else []
        numbers = [number(point.at), "-" if point.auc is None else f"{point.auc:.3f}"]
        limits = None if point.low is None or point.high is None else (point.low, point.high)
        counts = [str(point.members), str(point.non_members)]
        remark = "; ".join(_remarks(point, axis.name, default))
        table.add_row(*map(Text, [*numbers, _range(limits), *spread, *counts, remark]))
    return table


def number(at: float | str) -> str:
    """Return a value of an axis as text."""
    return at if isinstance(at, str) else f"{at:g}"


def _range(limits: tuple[float, float] | None) -> str:
    return "-" if limits is None else f"{limits[0]:.2f}-{limits[1]:.2f}"


def _remarks(point: Point, axis: str, default: Point) -> Iterator[str]:
    if point.default:
        yield "default"
    usual = own_parameters(default)
    for name, value in own_parameters(point).items():
        if name != axis.replace("-", "_") and value != usual.get(name):
            yield f"{name} = {value}"
    yield from filter(None, (point.source, point.reason or point.lacking))
