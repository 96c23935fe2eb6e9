"""Perplexity: the exponential of minus the mean log-likelihood of a token (arXiv 1709.01604).

The oldest sign of membership: a model finds a text that it was trained on less surprising.
The papers that test it on RL read the model's own greedy answer, where it says how sure the
model is, and no more (`--target response`, the default). With `--target prompt` or `gold` it reads
the prompt, and tells of pretraining rather than of RL, which never trains on the prompt's
tokens.

A baseline: RL leaves no likelihood fingerprint, and fluent or short texts have a low perplexity
whoever wrote them.
"""

from math import exp, inf

from wellworn.detectors.base import Detector, Measured, falling
from wellworn.detectors.likelihoods import PROBES_OF, logprobs_of, mean, text_needed, text_read
from wellworn.probes import Target
from wellworn.records import Record

MOST = 700.0
"""The largest loss, in nats, whose exponential a float holds."""


def perplexity(record: Record, *, target: Target) -> Measured:
    """Return the perplexity of a text, 1 or more. Lower means more likely trained on.

    Raises:
        Unscorable: The text has no log-probabilities, or one of them is not known.
    """
    logprobs = logprobs_of(record, PROBES_OF[target])
    return Measured(perplexity_of(logprobs), {"tokens": float(len(logprobs))})


def perplexity_of(logprobs: tuple[float, ...]) -> float:
    """Return the perplexity of tokens with these log-probabilities.

    >>> round(perplexity_of((-1.0, -3.0)), 4)
    7.3891
    """
    loss = -mean(logprobs)
    return exp(loss) if loss < MOST else inf


DETECTOR = Detector(
    name="perplexity",
    summary="exponential of minus the mean log-likelihood of a token of the text",
    paper="arXiv 1709.01604",
    measure=perplexity,
    score=falling,
    orientation="-value",
    parameters=text_read,
    needs=text_needed,
    requires=("answers", "log-probabilities"),
)
