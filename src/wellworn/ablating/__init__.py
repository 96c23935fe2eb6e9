"""Ablations: how a detector's AUC depends on how completions are drawn and read.

Every axis changes one thing and leaves all else as the options say. What is scored knows no
labels; they join the scores where the AUC is made. A value that cannot be measured is a point
with a reason.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count, islice

from wellworn.ablating.axes import AXES, Base, Planned, Variant
from wellworn.ablating.joining import point
from wellworn.ablating.trials import Source, score_all
from wellworn.detectors import Detector, Options, load
from wellworn.errors import BadInput, unknown
from wellworn.judging import current_setting, sampled, samples_of
from wellworn.judging.drawn import check_drawn
from wellworn.pipeline import Progress, silent
from wellworn.records import Generation
from wellworn.report.ablation import Ablation, Axis, Point
from wellworn.store import Store

__all__ = ["AXES", "Ablation", "Axis", "Design", "Point", "ablate"]


@dataclass(frozen=True, kw_only=True)
class Design:
    """What is varied."""

    detector: str = "min-knn"
    """Detector; `wellworn list detectors` shows them."""
    axes: str = ",".join(AXES)
    """What to vary, with commas between."""
    draws: int = 20
    """Random choices of completions at each m below all."""
    setting: str | None = None
    """Id of the generation parameters to start from; by default the latest of the first run."""
    jobs: int | None = None
    """Threads that measure; by default one for each core."""

    def __post_init__(self) -> None:
        for name in self.named:
            if name not in AXES:
                raise BadInput(unknown("axis", name, AXES))
        for name in ("draws", "jobs"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise BadInput(f"--{name} is {value}; it must be 1 or more.")

    @property
    def named(self) -> list[str]:
        """The axes by name."""
        return [name.strip() for name in self.axes.split(",")]


def ablate(
    stores: Sequence[Store],
    labels: Mapping[str, bool],
    design: Design | None = None,
    options: Options | None = None,
    on_progress: Progress = silent,
) -> Ablation:
    """Return how well a detector tells members from non-members along each axis.

    Args:
        stores: Runs, one or more. Those of one setting are read as one; settings that differ
            in temperature are the points of that axis.
        labels: Whether a prompt is a member, by its id.
        design: What is varied.
        options: How records are measured where nothing is varied.
        on_progress: Told how many records are scored.

    Raises:
        BadInput: A run has no completions, or none of the prompts has a label.
    """
    design = design or Design()
    base = _base(stores, design, options or Options())
    prompt_ids = {prompt_id for store in stores for prompt_id in store.prompt_ids()}
    known = _known(stores, prompt_ids, labels)
    planned = {name: AXES[name].plan(base) for name in design.named}
    default = Variant("default", base.source, (base.trial,), default=True)
    variants = [default, *(each for plan in planned.values() for each in plan.variants)]
    points = iter(_points(base.detector, variants, known, design.jobs, on_progress))
    return Ablation(
        wellworn=version("wellworn"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        runs=tuple(str(store.folder) for store in stores),
        detector=base.detector.name,
        paper=base.detector.paper,
        orientation=base.detector.orientation,
        setting=base.source.setting,
        members=sum(known.values()),
        non_members=len(known) - sum(known.values()),
        unlabelled=len(prompt_ids) - len(known),
        unmatched=len(labels.keys() - prompt_ids),
        default=next(points),
        axes=tuple(_axis(name, plan, points) for name, plan in planned.items() if plan.variants),
        notes=tuple(_left_out(planned)),
    )


def _known(
    stores: Sequence[Store], prompt_ids: set[str], labels: Mapping[str, bool]
) -> dict[str, bool]:
    known = {prompt_id: labels[prompt_id] for prompt_id in prompt_ids & labels.keys()}
    if not known:
        runs = ", ".join(str(store.folder) for store in stores)
        raise BadInput(f"{runs}: none of the prompts has a label.\nGive labels of them.")
    return known


def _axis(name: str, plan: Planned, points: Iterator[Point]) -> Axis:
    """Return an axis with its points, which are the next ones."""
    return Axis(
        name=name,
        label=AXES[name].label,
        scale=AXES[name].scale,
        points=tuple(islice(points, len(plan.variants))),
        notes=plan.notes,
    )


def _left_out(planned: Mapping[str, Planned]) -> Iterator[str]:
    for name, plan in planned.items():
        if not plan.variants:
            yield f"The axis {name} is left out: {plan.notes[0]}."


def _base(stores: Sequence[Store], design: Design, options: Options) -> Base:
    setting = current_setting(stores[0], design.setting)
    reading = sampled([design.detector], options)
    if reading:
        way_out = "Name the setting of the samples with --setting ID."
        check_drawn(stores[0], setting, design.detector, way_out)
    settings = {found.id: found for store in stores for found in store.generations()}
    others = [
        _source(stores, found)
        for found in settings.values()
        if found != setting and found.temperature != 0
        if any(store.counts("sample", found) for store in stores)
    ]
    own = _source(stores, setting) if reading else Source(setting, tuple(stores), 1)
    return Base(load(design.detector), options, own, others, design.draws)


def _source(stores: Sequence[Store], setting: Generation) -> Source:
    """Return the samples of a setting, as many of each prompt as all runs have that have any.

    Raises:
        BadInput: There are none.
    """
    holding = tuple(store for store in stores if store.counts("sample", setting)) or stores[:1]
    m = min(samples_of(store, setting) for store in holding)
    return Source(setting, tuple(holding), m)


def _points(
    detector: Detector,
    variants: Sequence[Variant],
    labels: Mapping[str, bool],
    jobs: int | None,
    on_progress: Progress,
) -> list[Point]:
    """Return the point of each variant; the completions of a setting are read once for all."""
    sources = {v.source.setting.id: v.source for v in variants if v.trials}
    total = sum(len(labels.keys() & source.prompt_ids()) for source in sources.values())
    done = count(1)
    scores = {}
    for key, source in sources.items():
        mine = [v.trials for v in variants if v.source.setting.id == key]
        scores[key] = score_all(
            (record for record in source.records() if record.prompt.id in labels),
            detector,
            list(dict.fromkeys(trial for trials in mine for trial in trials)),
            jobs or os.cpu_count() or 1,
            lambda: on_progress("scoring", next(done), total),
        )
    return [
        point(v, [scores[v.source.setting.id][trial] for trial in v.trials], labels)
        for v in variants
    ]
