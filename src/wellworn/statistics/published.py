"""The metrics that the published evaluation of RL-MIA prints (arXiv 2510.09259).

They are here to compare with published tables, and reproduce them digit by digit. They
differ from ours in what they leave out and where they round:

- the TPR at 5 % FPR is taken strictly below 5 %, at the point of the ROC curve just before,
  so that a point exactly at 5 % (1 of 20, 5 of 100) is forfeited;
- both thresholds are chosen on the labels that they are measured on;
- the best F1 is a maximum over all thresholds: at least 2/3 where half are members;
- denominators of F1 have 1e-6 added.

The points of the curves are those of scikit-learn, as in the published code.
"""

import msgspec
import numpy as np

_SMOOTHER = 1e-6
_FPR = 0.05


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """Metrics as published, under their published names; in-sample, so optimistic."""

    roc_auc: float
    """Area under the ROC curve; ties count half."""
    best_f1_score: float
    """The largest F1 of any threshold."""
    accuracy_at_best_f1: float
    optimal_threshold_f1: float
    """The lowest threshold with the largest F1."""
    youden_j_score: float
    """The largest TPR - FPR."""
    optimal_threshold_youden: float | None
    """The highest threshold with the largest TPR - FPR; null where that is infinite."""
    f1_at_youden_threshold: float
    accuracy_at_youden_threshold: float
    tpr_at_fpr_5: float
    """TPR just before the first point whose FPR is 5 % or more."""


def published_metrics(labels: np.ndarray, scores: np.ndarray) -> Published:
    """Return the published metrics.

    Args:
        labels: bool[n], true for members; at least one of each class.
        scores: float[n], finite; higher means more likely a member.
    """
    from sklearn.metrics import (  # type: ignore[import-untyped]
        auc,
        precision_recall_curve,
        roc_curve,
    )

    precision, recall, levels = precision_recall_curve(labels, scores)
    f1 = _f1(precision[:-1], recall[:-1])
    best = int(np.argmax(f1))
    fpr, tpr, thresholds = roc_curve(labels, scores)
    top = int(np.argmax(tpr - fpr))
    called = scores >= thresholds[top]
    rates = (called & labels).sum() / (np.array([called.sum(), labels.sum()]) + _SMOOTHER)
    return Published(
        roc_auc=float(auc(fpr, tpr)),
        best_f1_score=float(f1[best]),
        accuracy_at_best_f1=float(np.mean((scores >= levels[best]) == labels)),
        optimal_threshold_f1=float(levels[best]),
        youden_j_score=float((tpr - fpr)[top]),
        optimal_threshold_youden=float(thresholds[top]) if np.isfinite(thresholds[top]) else None,
        f1_at_youden_threshold=float(_f1(*rates)),
        accuracy_at_youden_threshold=float(np.mean(called == labels)),
        tpr_at_fpr_5=float(tpr[np.argmax(fpr >= _FPR) - 1]),
    )


def _f1(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    return np.asarray(2 * precision * recall / (precision + recall + _SMOOTHER))
