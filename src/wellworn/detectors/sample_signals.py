"""Entropy and likelihood of the samples, to compare Min-kNN Distance with.

RL sharpens the distribution of every prompt, most where it was trained: tokens get surer, and
samples alike for that reason alone. If the mean entropy of the same samples separates the sets
as well as their distances do, what was found is sureness. The means run over all tokens of
all samples, so long answers weigh more. An easy prompt is answered surely as well.
"""

from math import fsum, isnan

from wellworn.detectors.answers import signals_of_samples
from wellworn.detectors.base import Detector, EntropyMode, Measured, Options, falling
from wellworn.detectors.entropies import curve_of, entropy_read_as
from wellworn.detectors.likelihoods import unknown_tokens
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Record


def sample_entropy(record: Record, *, entropy: EntropyMode, top_k: int | None) -> Measured:
    """Return the mean token entropy of the samples, in nats.

    Raises:
        Unscorable: The samples lack the log-probabilities that the mode reads.
    """
    filled = [signals for signals in signals_of_samples(record) if signals.logprobs]
    curves = [curve_of(signals, entropy, top_k) for signals in filled]
    kinds = sorted({curve.kind for curve in curves})
    if len(kinds) > 1:
        raise Unscorable(f"its entropies do not compare: they are {' and '.join(kinds)}")
    values = [value for curve in curves for value in curve.values]
    return Measured(fsum(values) / len(values), found={"entropy": kinds[0]})


def sample_nll(record: Record) -> float:
    """Return the mean negative log-likelihood of a token of the samples, in nats.

    Raises:
        Unscorable: The log-probability of a token is not known.
    """
    values = [value for signals in signals_of_samples(record) for value in signals.logprobs]
    if unknown := sum(map(isnan, values)):
        raise Unscorable(unknown_tokens(unknown, len(values)))
    return -fsum(values) / len(values)


def _needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("sample", m, signals=True),)


ENTROPY = Detector(
    name="sample-entropy",
    summary="mean token entropy of m samples",
    paper="ours",
    measure=sample_entropy,
    score=falling,
    orientation="-value",
    parameters=entropy_read_as,
    needs=_needs,
    requires=("answers", "top log-probabilities"),
)
NLL = Detector(
    name="sample-nll",
    summary="mean negative log-likelihood of a token of m samples",
    paper="ours",
    measure=sample_nll,
    score=falling,
    orientation="-value",
    parameters=lambda options, m: {},
    needs=_needs,
    requires=("answers", "log-probabilities"),
)
