"""Where scores meet labels: one point of an axis out of its trials."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from wellworn.ablating.axes import Variant
from wellworn.ablating.trials import Scores
from wellworn.report.ablation import Point
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.evaluation import too_few
from wellworn.tables.values import counted

SPREAD = (0.05, 0.95)
"""The quantiles over draws that their spread goes from and to."""


def point(variant: Variant, trials: Sequence[Scores], labels: Mapping[str, bool]) -> Point:
    """Return how members compare with non-members in the trials of a variant, on average.

    Args:
        variant: What was varied.
        trials: The scores of its trials; none where it was not measured.
        labels: Whether a prompt is a member, by its id.
    """
    about = Point(at=variant.at, default=variant.default, source=variant.origin)
    if not trials:
        return replace(about, reason=variant.reason)
    joined = [_Joined.of(trial, labels) for trial in trials]
    fewest = min(joined, key=lambda each: len(each.scores))
    about = replace(
        about,
        parameters=fewest.parameters,
        members=int(fewest.members.sum()),
        non_members=int((~fewest.members).sum()),
        lacking=fewest.lacking,
    )
    found = [each.compared() for each in joined if each.reason is None]
    if not found:
        return replace(about, reason=fewest.reason)
    aucs = [each.auc for each in found]
    start, end = np.quantile(aucs, SPREAD)
    return replace(
        about,
        auc=fmean(aucs),
        low=fmean(each.low for each in found),
        high=fmean(each.high for each in found),
        draws=len(found),
        spread=(float(start), float(end)) if len(found) > 1 else None,
    )


class _Joined(NamedTuple):
    """The scores of a trial with the labels of their prompts."""

    members: np.ndarray
    """bool[n]: whether each prompt that has a score is a member."""
    scores: np.ndarray
    parameters: dict[str, Any]
    lacking: str | None
    """How many labelled prompts have no score, and the commonest reason."""
    reason: str | None
    """Why there is no AUC."""

    @classmethod
    def of(cls, trial: Scores, labels: Mapping[str, bool]) -> "_Joined":
        ids = [prompt_id for prompt_id in trial.values if prompt_id in labels]
        members = np.array([labels[prompt_id] for prompt_id in ids], dtype=bool)
        scores = np.array([trial.values[prompt_id] for prompt_id in ids], dtype=float)
        lacking = _lacking([reason for i, reason in trial.reasons.items() if i in labels])
        few = too_few(members)
        reason = trial.mixed or (few and "; ".join(filter(None, (few if ids else None, lacking))))
        return cls(members, scores, trial.parameters, lacking, reason)

    def compared(self) -> Comparison:
        return compare(self.scores[self.members].tolist(), self.scores[~self.members].tolist())


def _lacking(reasons: Sequence[str]) -> str | None:
    if not reasons:
        return None
    [(commonest, _)] = Counter(reasons).most_common(1)
    return f"{counted(len(reasons), 'prompt')} without a score: {commonest}"
