"""An evaluation of detectors on labelled prompts: every number of it, and its warnings.

Each detector is measured on the prompts that it scores, and all of them once more on the
prompts that all of them score: only there do their numbers compare, since a detector that
fails on hard prompts would otherwise be spared them.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from wellworn.statistics.blind import Baseline
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.paired import Pair
from wellworn.statistics.published import Published, published_metrics
from wellworn.statistics.roc import (
    FPR_LEVELS,
    CrossFitted,
    TprAtFpr,
    Youden,
    cross_fitted,
    tpr_at_fpr,
    youden,
)
from wellworn.statistics.verdict import LEAST

SCHEMA_VERSION = 1
COMPUTED = 2
"""The least prompts of each class that anything is computed for."""


class Metrics(msgspec.Struct, frozen=True, kw_only=True):
    """What a detector achieves on labelled prompts."""

    comparison: Comparison
    """Members (as suspects) against non-members (as references)."""
    tpr_at_fpr: tuple[TprAtFpr, ...]
    youden: Youden
    """In-sample, so optimistic."""
    cross_fitted: CrossFitted
    published: Published | None = None
    """The metrics of the published evaluation, where they were asked for."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A detector, the prompts that it is measured on, and its metrics."""

    detector: str
    parameters: dict[str, Any]
    """All that its scores depend on."""
    members: int
    non_members: int
    left_out: int
    """Labelled prompts that it is not measured on."""
    metrics: Metrics | None = None
    reason: str | None = None
    """Why there are no metrics."""


class Common(msgspec.Struct, frozen=True, kw_only=True):
    """All detectors that have metrics, on the prompts that all of them score."""

    members: int
    non_members: int
    detectors: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    blind: tuple[Baseline, ...]
    """Blind baselines on the same prompts."""


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluation, as the terminal shows it and as evaluation.json holds it."""

    schema_version: int = SCHEMA_VERSION
    wellworn: str
    """The version of the package."""
    created: str
    """When the evaluation was made, in UTC, ISO 8601."""
    run: str
    members: int
    """Prompts of the run that are labelled as members."""
    non_members: int
    unlabelled: int
    """Prompts of the run without a label, which are left out."""
    unmatched: int
    """Labels of prompts that the run does not have."""
    detectors: tuple[Row, ...]
    """Each detector on the prompts that it scores."""
    blind: tuple[Baseline, ...]
    """Blind baselines on all labelled prompts."""
    common: Common | None
    """All detectors on common prompts; null where none has metrics."""
    warnings: tuple[str, ...]
    """Why the numbers are no clean evidence."""
    notes: tuple[str, ...]
    """What a reader should know besides."""


def metrics_of(labels: np.ndarray, scores: np.ndarray, *, published: bool = False) -> Metrics:
    """Return what a detector achieves.

    Args:
        labels: bool[n], true for members; at least two of each class.
        scores: float[n], finite; higher means more likely a member.
        published: Whether to add the metrics of the published evaluation.
    """
    return Metrics(
        comparison=compare(scores[labels].tolist(), scores[~labels].tolist()),
        tpr_at_fpr=tuple(tpr_at_fpr(labels, scores, level) for level in FPR_LEVELS),
        youden=youden(labels, scores),
        cross_fitted=cross_fitted(labels, scores),
        published=published_metrics(labels, scores) if published else None,
    )


def too_few(labels: np.ndarray) -> str | None:
    """Return why nothing can be computed on such labels, bool[n]; None if it can."""
    members, others = int(labels.sum()), int((~labels).sum())
    if min(members, others) >= COMPUTED:
        return None
    return f"{COMPUTED} prompts of each class are needed; {members} and {others} have a score"


def too_few_to_tell(labels: np.ndarray) -> tuple[str, ...]:
    """Return the sentence that says that labels, bool[n], are too few to tell from chance."""
    members, others = int(labels.sum()), int((~labels).sum())
    if min(members, others) >= LEAST:
        return ()
    return (
        f"With {members} members and {others} non-members, even complete separation leaves an "
        f"interval that holds 0.5: {LEAST} of each are the least that can tell.",
    )


def warnings_of(everywhere: Sequence[Baseline], common: Sequence[Baseline]) -> tuple[str, ...]:
    """Return the sentence that says that text alone tells the classes apart, if it does.

    Args:
        everywhere: What the blind baselines achieve on all labelled prompts.
        common: What they achieve on the prompts that all detectors score.
    """
    found = {baseline.name: baseline for baseline in (*common, *everywhere) if baseline.separates}
    if not found:
        return ()
    return (
        f"Members and non-members differ in their text alone: "
        f"{', '.join(_in_words(baseline) for baseline in found.values())}. So no detector's AUC "
        f"here is clean evidence of membership.",
    )


def _in_words(baseline: Baseline) -> str:
    found = baseline.comparison
    return f"{baseline.name} (AUC {found.auc:.2f} [{found.low:.2f}, {found.high:.2f}])"
