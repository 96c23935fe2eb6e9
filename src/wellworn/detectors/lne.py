"""LNE (arXiv 2509.15218): the mean token entropy of the greedy answer.

A model that has been trained on a prompt answers it surely. The cheapest of all: one greedy
answer. It says how sure the model is and not why: easy prompts have a low one as well. The
paper turns it round as 1 - LNE / 2; the order is the same.
"""

from math import fsum

from wellworn.detectors.answers import signals_of
from wellworn.detectors.base import Detector, EntropyMode, Measured, falling
from wellworn.detectors.entropies import curve_of, entropy_read_as
from wellworn.probes import Need
from wellworn.records import Record


def lne(record: Record, *, entropy: EntropyMode, top_k: int | None) -> Measured:
    """Return the mean token entropy of the greedy answer, in nats.

    Raises:
        Unscorable: It is missing or empty, or lacks what the mode reads.
    """
    curve = curve_of(signals_of(record, "greedy"), entropy, top_k)
    parts = {"tokens": float(len(curve.values))}
    return Measured(fsum(curve.values) / len(curve.values), parts, {"entropy": curve.kind})


DETECTOR = Detector(
    name="lne",
    summary="mean token entropy of the greedy answer",
    paper="arXiv 2509.15218",
    measure=lne,
    score=falling,
    orientation="-value",
    parameters=entropy_read_as,
    needs=lambda options, m: (Need("greedy", signals=True),),
    requires=("answers", "top log-probabilities"),
)
