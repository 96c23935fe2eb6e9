"""An ablation as a folder: its numbers as JSON, and a chart of each axis in three formats."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wellworn.report.ablation import Ablation, Axis, Point, number, own_parameters
from wellworn.report.encoding import to_json
from wellworn.report.plots import Mark, Wording, auc_chart, write_chart
from wellworn.store.folders import make_folder

NUMBERS = "ablation.json"


def write_ablation(ablation: Ablation, folder: Path) -> list[Path]:
    """Write an ablation into a folder, which is made if it is not there; return the files.

    An axis of which no point has an AUC has no chart.

    Raises:
        BadInput: The folder cannot be made.
    """
    make_folder(folder)
    numbers = folder / NUMBERS
    numbers.write_text(to_json(ablation), encoding="utf-8")
    files = [numbers]
    for axis in ablation.axes:
        marks = [mark for point in axis.points if (mark := _mark(point))]
        if marks:
            wording = Wording(_title(axis), axis.label, list(_below_title(ablation, axis)))
            files += write_chart(auc_chart(marks, wording, axis.scale), folder, axis.name)
    return files


def _mark(point: Point) -> Mark | None:
    if point.auc is None or point.low is None or point.high is None:
        return None
    return Mark(point.at, point.auc, point.low, point.high, point.spread, point.default)


def _title(axis: Axis) -> str:
    return f"AUC {'by' if axis.scale == 'words' else 'over'} {axis.name}"


def _below_title(ablation: Ablation, axis: Axis) -> Iterator[str]:
    """Yield what was measured, how to read the marks, and what is missing."""
    shown = [point for point in axis.points if point.auc is not None]
    yield ", ".join([ablation.detector, *_parameters(axis, shown)])
    members = _from_to([point.members for point in shown])
    others = _from_to([point.non_members for point in shown])
    yield f"{members} members against {others} non-members"
    interval = "bar" if axis.scale == "words" or len(shown) == 1 else "band"
    draws = max(point.draws for point in shown)
    spread = f"; orange: 5 % to 95 % of {draws} draws" if draws > 1 else ""
    default = "; open: default" if any(point.default for point in shown) else ""
    yield f"{interval}: 95 % interval over prompts{spread}{default}"
    missing = [number(point.at) for point in axis.points if point.auc is None]
    if missing:
        yield f"no AUC at {', '.join(missing)}"


def _parameters(axis: Axis, shown: Sequence[Point]) -> Iterator[str]:
    """Yield what the points were measured with, beside the axis itself and what follows it."""
    for name, first in own_parameters(shown[0]).items():
        values = [own_parameters(point).get(name) for point in shown]
        follows = any(value != first for value in values) and not isinstance(first, int)
        if name != axis.name.replace("-", "_") and first is not None and not follows:
            yield f"{name} = {_from_to(values)}"


def _from_to(values: Sequence[Any]) -> str:
    """Return a value, or the smallest and the largest of several.

    >>> _from_to([3, 3]), _from_to([5, 1, 3])
    ('3', '1-5')
    """
    if all(value == values[0] for value in values):
        return str(values[0])
    return f"{min(values)}-{max(values)}"
