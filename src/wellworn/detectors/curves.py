"""How alike two entropy curves are: the measure of Self-Critique and its kin.

Position by position, without any alignment: the cosine of the two sequences, the shorter one
filled up with zeros, times the ratio of the shorter to the longer length. It lies in [0, 1],
is symmetric, and does not change when a curve is scaled.
"""

from typing import NamedTuple

import numpy as np

from wellworn.detectors.answers import signals_of
from wellworn.detectors.base import EntropyMode, Measured
from wellworn.detectors.entropies import Curve, curve_of
from wellworn.errors import Unscorable
from wellworn.records import Record


class Likeness(NamedTuple):
    """How alike two curves are, and why."""

    cosine: float
    """0 where a curve is 0 everywhere."""
    length_ratio: float
    """Of the shorter to the longer."""
    shuffled: float
    """What the likeness would be on average over all orders of the second curve."""

    @property
    def value(self) -> float:
        """The penalised cosine."""
        return self.cosine * self.length_ratio


def likeness(first: Curve, second: Curve) -> Likeness:
    """Return how alike two curves are.

    Raises:
        Unscorable: One is empty, or they were read in different ways.

    >>> round(likeness(Curve([1, 2, 2], "full"), Curve([1, 2], "full")).value, 5)
    0.4969
    """
    if first.kind != second.kind:
        raise Unscorable(
            f"its entropies do not compare: one answer's are '{first.kind}', another's "
            f"'{second.kind}'"
        )
    a, b = np.array(first.values, float), np.array(second.values, float)
    if not len(a) or not len(b):
        raise Unscorable("an answer has no tokens, and so no entropies")
    shared, ratio = min(len(a), len(b)), min(len(a), len(b)) / max(len(a), len(b))
    norms = float(np.linalg.norm(a) * np.linalg.norm(b))
    if norms == 0:
        return Likeness(0.0, ratio, 0.0)
    # each position of the second curve expects its mean, so no dice are needed
    expected = a[: len(b)].sum() * b.mean() / norms
    return Likeness(float(a[:shared] @ b[:shared]) / norms, ratio, float(expected) * ratio)


def likeness_of(
    record: Record, probes: tuple[str, str], entropy: EntropyMode, top_k: int | None
) -> Measured:
    """Return how alike the entropy curves of the answers to two `probes` are, in [0, 1].

    The parts: the cosine, the ratio of lengths, the mean entropy of the first answer, and what
    the value would be if the second curve were shuffled. A value that a shuffled curve has too
    comes from lengths and levels alone.

    Raises:
        Unscorable: An answer is missing or empty, has one token only, or has not the
            log-probabilities that the mode reads.
    """
    first, second = (curve_of(signals_of(record, probe), entropy, top_k) for probe in probes)
    for probe, curve in zip(probes, (first, second), strict=True):
        if len(curve.values) < 2:
            raise Unscorable(f"the answer to '{probe}' has one token, and one is no curve")
    return measured(likeness(first, second), first)


def measured(found: Likeness, first: Curve) -> Measured:
    """Return a likeness with its parts, and the kind of entropy."""
    parts = {
        "cosine": found.cosine,
        "length_ratio": found.length_ratio,
        "shuffled": found.shuffled,
        "entropy": sum(first.values) / len(first.values),
    }
    return Measured(found.value, parts, {"entropy": first.kind})
