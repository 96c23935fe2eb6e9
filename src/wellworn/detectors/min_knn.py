"""Min-kNN Distance (arXiv 2602.11792).

RL with verifiable rewards draws a model's answers to a trained prompt together: some of
its samples come to have near twins. Sample the prompt m times, take each sample's
distance to the one most like it, and average the k smallest. The paper uses m = 32,
k = 10, T = 0.7, top_p = 0.95 and at most 1,024 new tokens.

What is ours: the unit, since the paper does not settle it (characters by default); the
same share of k for other m; and the rules for empty, identical and too few completions.
Two empty completions are at distance 0, as two equal ones are, and are noted; a record
whose completions are all blank (empty, or white space alone) has no score, since nothing
was written.
"""

from collections.abc import Hashable, Sequence
from typing import Any

from wellworn.detectors.base import Detector, Options, Unit
from wellworn.distance import min_knn_distance
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Completion, Record, View


def default_k(m: int) -> int:
    """Return the paper's share of `m` completions, 10 of 32, at least 1; halves round up.

    >>> [default_k(m) for m in (2, 4, 8, 16, 32, 64)]
    [1, 1, 3, 5, 10, 20]
    """
    return max(1, (20 * m + 32) // 64)


def min_knn(record: Record, *, k: int, unit: Unit = "char", view: View = "full") -> float:
    """Return the mean of the `k` smallest nearest-neighbour distances of the samples.

    Args:
        record: Read: the `sample` probe, all of it.
        k: How many distances to average; all of them where there are fewer.
        unit: What one edit changes.
        view: Which part of a completion is compared.

    Returns:
        A distance in [0, 1]. Lower means more likely trained on.

    Raises:
        Unscorable: There are fewer than two samples, all are blank, the view is hidden,
            or the unit is the token and a sample has no token ids.
    """
    samples = record.completions("sample")
    if len(samples) < 2:
        raise Unscorable(f"a nearest neighbour needs 2 completions; this prompt has {len(samples)}")
    texts = [sample.view(view) for sample in samples]
    sequences = [_sequence(sample, unit, view) for sample in samples]
    if not any(sequences) or not any(text.strip() for text in texts):
        raise Unscorable(f"all {len(samples)} completions are empty in the {view} view")
    return min_knn_distance(sequences, k)


def _sequence(sample: Completion, unit: Unit, view: View) -> Sequence[Hashable]:
    if unit == "char":
        return sample.view(view)
    if unit == "word":
        return sample.view(view).split()
    if view != "full":
        raise Unscorable(f"token ids belong to the full view; the {view} view has none")
    if sample.token_ids is None:
        raise Unscorable(
            f"completion {sample.index} has no token ids: `--logprobs 1` may bring them from the "
            f"server, `--unit word` needs none"
        )
    return sample.token_ids


def _parameters(options: Options, m: int) -> dict[str, Any]:
    k = min(options.k or default_k(m), m)
    return {"k": k, "unit": options.unit, "view": options.view}


def _needs(m: int) -> tuple[Need, ...]:
    return (Need("sample", m),)


DETECTOR = Detector(
    name="min-knn",
    summary="mean of the k smallest nearest-neighbour edit distances of m samples",
    paper="arXiv 2602.11792",
    measure=min_knn,
    score=lambda distance: 1 - distance,
    orientation="1 - value",
    parameters=_parameters,
    needs=_needs,
    requires=("answers",),
)
