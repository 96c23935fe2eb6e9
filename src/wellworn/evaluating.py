"""The stage that evaluates: the scores of a run meet labels, detector by detector."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from wellworn.errors import BadInput
from wellworn.records import Score
from wellworn.report.encoding import to_json
from wellworn.report.sides import REASONS
from wellworn.statistics.blind import Baseline, baselines, blind_scores
from wellworn.statistics.evaluation import (
    Common,
    Evaluation,
    Row,
    metrics_of,
    too_few,
    too_few_to_tell,
    warnings_of,
)
from wellworn.statistics.paired import compare_pairs
from wellworn.store import Store
from wellworn.tables.values import counted
from wellworn.threads import ordered_map

EVALUATION = "evaluation.json"

_Scores = dict[str, dict[str, float]]


def evaluate_run(store: Store, labels: Mapping[str, bool], published: bool = False) -> Evaluation:
    """Return how well the detectors of a scored run tell members, and write evaluation.json.

    Args:
        store: The run.
        labels: Whether a prompt is a member, by its id; those of other prompts are counted.
        published: Whether to add the metrics of the published evaluation.

    Raises:
        BadInput: The run is not scored yet, or none of its prompts has a label.
    """
    names = store.scored_detectors()
    if not names:
        raise BadInput(f"{store.folder}: not scored yet. Run `wellworn score {store.folder}`.")
    prompt_ids = store.prompt_ids()
    ids = [prompt_id for prompt_id in prompt_ids if prompt_id in labels]
    if not ids:
        raise BadInput(f"{store.folder}: none of its prompts has a label.\nGive labels of them.")
    items = _Items(ids, np.array([labels[prompt_id] for prompt_id in ids], dtype=bool))
    detectors = _detectors(store, names)
    rows = _rows(detectors, items, items, published)
    blind = _blind(store, items)
    common = _common(detectors, rows, items, blind)
    everywhere = _baselines(blind, items)
    evaluation = Evaluation(
        wellworn=version("wellworn"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        run=str(store.folder),
        members=int(items.labels.sum()),
        non_members=int((~items.labels).sum()),
        unlabelled=len(prompt_ids) - len(ids),
        unmatched=len(labels.keys() - set(prompt_ids)),
        detectors=rows,
        blind=everywhere,
        common=common,
        warnings=warnings_of(everywhere, common.blind if common else ()),
        notes=(
            *(note for each in detectors for note in _left_out(each, ids)),
            *too_few_to_tell(items.labels),
        ),
    )
    (store.folder / EVALUATION).write_text(to_json(evaluation), encoding="utf-8")
    return evaluation


class _Items(NamedTuple):
    """Labelled prompts, in order."""

    ids: Sequence[str]
    labels: np.ndarray

    def among(self, wanted: Collection[str]) -> "_Items":
        kept = [place for place, prompt_id in enumerate(self.ids) if prompt_id in wanted]
        return _Items([self.ids[place] for place in kept], self.labels[kept])

    def aligned(self, values: Mapping[str, float]) -> np.ndarray:
        return np.array([values[prompt_id] for prompt_id in self.ids], dtype=float)


class _Detector(NamedTuple):
    """A detector's scores by prompt id, or why one has none."""

    name: str
    parameters: dict[str, Any]
    values: dict[str, float]
    reasons: dict[str, str]
    mixed: str | None
    """Why its scores do not compare with each other, if they do not."""

    @classmethod
    def of(cls, name: str, scores: Sequence[Score]) -> "_Detector":
        settings = [score.parameters for score in scores if score.score is not None]
        return cls(
            name=name,
            parameters=settings[0] if settings else {},
            values={each.prompt_id: each.score for each in scores if each.score is not None},
            reasons={each.prompt_id: each.reason or "" for each in scores if each.score is None},
            mixed=_mixed(settings),
        )


_OF_ALL, _OF_SAMPLES = ("model", "max_tokens", "extra"), ("samples", "temperature", "top_p")


def _detectors(store: Store, names: Sequence[str]) -> list[_Detector]:
    """Return the detectors, those scored under another setting than the first with a reason."""
    detectors = [_Detector.of(name, store.scores(name)) for name in names]
    first = (store.meta("scored") or {}).get("detector", names[0])
    asked = next((each.parameters for each in detectors if each.name == first), {})
    found = []
    for each in detectors:
        both = asked.keys() & each.parameters.keys()
        names = _OF_ALL + (_OF_SAMPLES if "samples" in both else ())
        other = [n for n in names if n in both and each.parameters[n] != asked[n]]
        why = (
            f"it was scored under another setting than {first}: '{other[0]}' is "
            f"{each.parameters[other[0]]!r}, not {asked[other[0]]!r}; score it again"
            if other
            else each.mixed
        )
        found.append(each._replace(mixed=why))
    return found


def _mixed(settings: Sequence[dict[str, Any]]) -> str | None:
    for other in settings[1:]:
        for name in {**settings[0], **other}:
            first, second = settings[0].get(name), other.get(name)
            if first != second:
                return (
                    f"the scores do not compare: '{name}' is {first!r} for some prompts and "
                    f"{second!r} for others"
                )
    return None


def _rows(
    detectors: Iterable[_Detector], items: _Items, labelled: _Items, published: bool
) -> tuple[Row, ...]:
    def row(detector: _Detector) -> Row:
        mine = items.among(detector.values)
        labels, values = mine.labels, mine.aligned(detector.values)
        reason = detector.mixed or too_few(labels)
        return Row(
            detector=detector.name,
            parameters=detector.parameters,
            members=int(labels.sum()),
            non_members=int((~labels).sum()),
            left_out=len(labelled.ids) - len(labels),
            metrics=None if reason else metrics_of(labels, values, published=published),
            reason=reason,
        )

    return tuple(ordered_map(row, detectors, os.cpu_count() or 1))


def _common(
    detectors: Sequence[_Detector],
    rows: Sequence[Row],
    labelled: _Items,
    blind: _Scores,
) -> Common | None:
    able = [detector for detector, row in zip(detectors, rows, strict=True) if row.metrics]
    measured = tuple(row for row in rows if row.metrics)
    if not able:
        return None
    items = labelled.among(set.intersection(*(set(detector.values) for detector in able)))
    if any(row.left_out < len(labelled.ids) - len(items.ids) for row in measured):
        published = any(row.metrics.published for row in measured if row.metrics)
        measured = _rows(able, items, labelled, published)
    scores = {detector.name: items.aligned(detector.values) for detector in able}
    return Common(
        members=int(items.labels.sum()),
        non_members=int((~items.labels).sum()),
        detectors=measured,
        pairs=() if too_few(items.labels) else compare_pairs(items.labels, scores),
        blind=_baselines(blind, items),
    )


def _blind(store: Store, items: _Items) -> _Scores:
    """Return the blind scores of all labelled prompts, by baseline and prompt id."""
    if too_few(items.labels):
        return {}
    scores = blind_scores([store.prompt(prompt_id) for prompt_id in items.ids], items.labels)
    return {name: dict(zip(items.ids, each.tolist(), strict=True)) for name, each in scores.items()}


def _baselines(blind: _Scores, items: _Items) -> tuple[Baseline, ...]:
    if too_few(items.labels):
        return ()
    return baselines(items.labels, {name: items.aligned(each) for name, each in blind.items()})


def _left_out(detector: _Detector, ids: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each reason why labelled prompts have no score, commonest first."""
    lacking = [prompt_id for prompt_id in ids if prompt_id not in detector.values]
    reasons = Counter(detector.reasons.get(prompt_id, "not scored yet") for prompt_id in lacking)
    for reason, count in reasons.most_common(REASONS):
        yield f"{detector.name}: {counted(count, 'prompt')} without a score: {reason}."
    if len(reasons) > REASONS:
        others = sum(count for _, count in reasons.most_common()[REASONS:])
        yield f"{detector.name}: {counted(others, 'prompt')} without a score for other reasons."
