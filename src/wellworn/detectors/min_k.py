"""Min-K% (arXiv 2310.16789) and Min-K%++ (arXiv 2404.02936): the least probable tokens of a text.

A text that a model has seen holds few tokens that surprise it. Min-K% averages the lowest 20 %
of the log-probabilities; Min-K%++ first measures each against what the model expected at that
place, z = (ln p - mu) / sigma, with mean and deviation of ln p over the whole vocabulary, which
only a local model gives.

What is ours: one token at least is averaged, so that a text of fewer than five has a number;
and the variance is at least 1e-6, below which a model is certain and rounding rules.

On a model's own greedy answer (`--target response`) every token is the most probable one, so that
z is never negative and speaks of the shape of the distributions alone. Use `--target prompt` or
`gold` for what the papers measure, which tells of pretraining. The published code of arXiv
2510.09259 has the sign of Min-K% the wrong way round: see `min-k-published`.
"""

from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import Any

from wellworn.detectors.answers import signals_of
from wellworn.detectors.base import Detector, Measured, Options, rising
from wellworn.detectors.likelihoods import PROBES_OF, logprobs_of, text_needed, text_read
from wellworn.errors import Unscorable
from wellworn.probes import Target
from wellworn.records import Record

LEAST_VARIANCE = 1e-6


def min_k(record: Record, *, target: Target, lowest: float) -> Measured:
    """Return the mean of the lowest share of log-probabilities, in nats, 0 at most.

    Args:
        record: Read: the text's own answer or reading.
        target: Which text.
        lowest: The share, in (0, 1].

    Raises:
        Unscorable: The text has no log-probabilities, or one of them is not known.
    """
    logprobs = logprobs_of(record, PROBES_OF[target])
    return _measured(logprobs, lowest)


def min_k_plus_plus(record: Record, *, target: Target, lowest: float) -> Measured:
    """Return the mean of the lowest share of standardised log-probabilities.

    Raises:
        Unscorable: As Min-K%, or the model does not give its whole vocabulary.
    """
    probe = PROBES_OF[target]
    logprobs, signals = logprobs_of(record, probe), signals_of(record, probe)
    if signals.top_k is not None:
        raise Unscorable(
            f"the moments of the whole vocabulary are needed, and the model gives its top "
            f"{signals.top_k} alone; a local model gives all, and `min-k++-published` reads the top"
        )
    return _measured(standardised(logprobs, signals.entropy, signals.second_moment), lowest)


def standardised(
    logprobs: Iterable[float], entropy: Iterable[float], second_moment: Iterable[float]
) -> list[float]:
    """Return (ln p - mu) / sigma of each token; mu is minus the entropy."""
    return [
        (logprob + h) / sqrt(max(second - h * h, LEAST_VARIANCE))
        for logprob, h, second in zip(logprobs, entropy, second_moment, strict=False)
    ]


def _measured(values: Sequence[float], lowest: float) -> Measured:
    count = max(1, int(lowest * len(values)))
    parts = {"tokens": float(len(values)), "averaged": float(count)}
    return Measured(fsum(sorted(values)[:count]) / count, parts)


def _parameters(options: Options, m: int) -> dict[str, Any]:
    return {**text_read(options, m), "lowest": options.lowest}


MIN_K = Detector(
    name="min-k",
    summary="mean of the lowest log-probabilities of the text, 20 % of them",
    paper="arXiv 2310.16789",
    measure=min_k,
    score=rising,
    orientation="value",
    parameters=_parameters,
    needs=text_needed,
    requires=("answers", "log-probabilities"),
)
PLUS_PLUS = MIN_K._replace(
    name="min-k++",
    summary="mean of the lowest log-probabilities, standardised by what the model expected",
    paper="arXiv 2404.02936",
    measure=min_k_plus_plus,
    requires=("answers", "log-probabilities", "whole distributions"),
)
