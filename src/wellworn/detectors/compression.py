"""zlib: log-likelihood measured against how well the text compresses (arXiv 2012.07805).

A text that repeats itself is probable to every model, and short when compressed. The mean
log-likelihood of a token, divided by the bytes of the compressed text, takes that into
account, in a rough way: since a mean is divided by a length, long texts come nearer to 0.
`--target prompt` or `gold` reads what the paper means; on the model's own answer (the default) it
is perplexity with a penalty for short ones.
"""

import zlib

from wellworn.detectors.answers import answer_to
from wellworn.detectors.base import Detector, Measured, rising
from wellworn.detectors.likelihoods import PROBES_OF, logprobs_of, mean, text_needed, text_read
from wellworn.probes import Target
from wellworn.records import Record


def zlib_ratio(record: Record, *, target: Target) -> Measured:
    """Return the mean log-likelihood of a token by bytes of the compressed text, 0 at most.

    Raises:
        Unscorable: The text has no log-probabilities, or one of them is not known.
    """
    likelihood = mean(logprobs_of(record, PROBES_OF[target]))
    written = answer_to(record, PROBES_OF[target]).view("full")
    size = len(zlib.compress(written.encode("utf-8", "surrogatepass")))
    return Measured(likelihood / size, {"likelihood": likelihood, "bytes": float(size)})


DETECTOR = Detector(
    name="zlib",
    summary="mean log-likelihood of the text by the bytes of its compressed form",
    paper="arXiv 2012.07805",
    measure=zlib_ratio,
    score=rising,
    orientation="value",
    parameters=text_read,
    needs=text_needed,
    requires=("answers", "log-probabilities"),
)
