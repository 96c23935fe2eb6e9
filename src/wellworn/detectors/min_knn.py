"""Min-kNN Distance (arXiv 2602.11792).

RL with verifiable rewards draws a model's answers to a trained prompt together: some of
its samples come to have near twins. Sample the prompt m times, take each sample's
distance to the one most like it, and average the k smallest. The paper uses m = 32,
k = 10, T = 0.7, top_p = 0.95 and at most 1,024 new tokens.

What is ours: the unit, since the paper does not settle it (characters by default); the
same share of k for other m; and the rules for empty, identical and too few completions.

Its known fault: easy prompts converge too, trained on or not, and short answers lie nearer to
each other than long ones. Compare with references that are as easy, never with a fixed
threshold.
"""

from typing import Any

from wellworn.detectors.base import Detector, Measured, Options, Unit, of_samples
from wellworn.detectors.sequences import compared, compared_by
from wellworn.distance import min_knn_distance
from wellworn.records import Record, View


def default_k(m: int) -> int:
    """Return the paper's share of `m` completions, 10 of 32, at least 1; halves round up.

    >>> [default_k(m) for m in (2, 4, 8, 16, 32, 64)]
    [1, 1, 3, 5, 10, 20]
    """
    return max(1, (20 * m + 32) // 64)


def min_knn(record: Record, *, k: int, unit: Unit = "char", view: View = "full") -> Measured:
    """Return the mean of the `k` smallest nearest-neighbour distances of the samples.

    Args:
        record: Read: the `sample` probe, all of it.
        k: How many distances to average; all of them where there are fewer.
        unit: What one edit changes.
        view: Which part of a completion is compared.

    Returns:
        A distance in [0, 1]. Lower means more likely trained on. Its parts: the share of
        samples with an equal twin and, where nodes are compared, of those that parse.

    Raises:
        Unscorable: There are fewer than two samples, all are blank, the view is hidden,
            token ids are missing, or no code parses.
    """
    found = compared(record, unit, view)
    return Measured(min_knn_distance(found.sequences, k), found.parts)


def _parameters(options: Options, m: int) -> dict[str, Any]:
    return {"k": min(options.k or default_k(m), m), **compared_by(options, m)}


DETECTOR = Detector(
    name="min-knn",
    summary="mean of the k smallest nearest-neighbour edit distances of m samples",
    paper="arXiv 2602.11792",
    measure=min_knn,
    score=lambda distance: 1 - distance,
    orientation="1 - value",
    parameters=_parameters,
    needs=of_samples,
)
