"""Entropy-Temp (DIME-temp; a baseline of arXiv 2510.09259): do samples run as the greedy answer?

For each sample s = the penalised cosine of its token entropies and those of the greedy answer;
the value is mean(s) * (1 - min(sd(s), 1)), with the population's standard deviation: alike,
and evenly so. The paper samples ten times at T = 0.8.

What is ours: entropies over the whole vocabulary or with the rest as one token; and a sample
without tokens is at 0, where the published code skips it, so that all records are measured at
the same m. Samples keep no single log-probabilities, so `--top-k` reads what was asked for
or nothing. Temperature, lengths and easiness all move it.
"""

from collections.abc import Sequence
from math import fsum, sqrt

from wellworn.detectors.answers import signals_of, signals_of_samples
from wellworn.detectors.base import Detector, EntropyMode, Measured, Options, rising
from wellworn.detectors.curves import likeness
from wellworn.detectors.entropies import curve_of, entropy_read_as
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Record


def entropy_temp(
    record: Record, *, entropy: EntropyMode = "auto", top_k: int | None = None
) -> Measured:
    """Return how alike and how evenly the samples run to the greedy answer, in [0, 1].

    Raises:
        Unscorable: There is no greedy answer of two tokens, or no samples, or they lack what
            the mode reads.
    """
    greedy = curve_of(signals_of(record, "greedy"), entropy, top_k)
    if len(greedy.values) < 2:
        raise Unscorable("the answer to 'greedy' has one token, and one is no curve")
    samples = signals_of_samples(record)
    values = [
        likeness(greedy, curve_of(sample, entropy, top_k)).value if sample.logprobs else 0.0
        for sample in samples
    ]
    return evenly_alike(values, greedy.kind)


def evenly_alike(values: Sequence[float], kind: str) -> Measured:
    """Return the mean likeness, lowered by how much it varies, with both as parts.

    >>> evenly_alike([0.5, 0.7], "full").value
    0.54
    """
    mean = fsum(values) / len(values)
    deviation = sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
    parts = {"likeness": mean, "deviation": deviation}
    return Measured(mean * (1 - min(deviation, 1)), parts, {"entropy": kind})


def _needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("sample", m, signals=True), Need("greedy", signals=True))


DETECTOR = Detector(
    name="entropy-temp",
    summary="likeness of the entropies of m samples to the greedy answer's, less its deviation",
    paper="arXiv 2510.09259",
    measure=entropy_temp,
    score=rising,
    orientation="value",
    parameters=entropy_read_as,
    needs=_needs,
    requires=("answers", "top log-probabilities"),
)
