"""CDD (arXiv 2402.15938): how many samples are the greedy answer, but for a few tokens.

Contamination makes the distribution of answers peaked. The first 100 tokens of the greedy
answer are compared with those of each sample; the peak is the share of samples within an edit
distance of 5 % (`--alpha`) of the longest of them. The paper samples 50 times at T = 0.8.

What is ours: words stand for tokens where an answer has no token ids, and what was found says
so; and an empty sample is no peak, where the published code of arXiv 2510.09259 skips it (that
code is far more lenient as well: see `cdd-published`).

It finds verbatim memorisation. RL rarely brings that, so most peaks are 0 and ties are many;
the mean distance among the parts is finer.
"""

from collections.abc import Sequence
from math import fsum
from typing import Any

from wellworn.detectors.answers import answer_to
from wellworn.detectors.base import Detector, Measured, Options, rising
from wellworn.distance import distance
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Record

COMPARED = 100
"""Tokens of each answer that are compared."""


def cdd(record: Record, *, alpha: float) -> Measured:
    """Return the share of samples within `alpha` of the greedy answer, in [0, 1].

    Args:
        record: Read: the `greedy` probe and the samples.
        alpha: The share of the longest compared length that may differ, in [0, 1].

    Raises:
        Unscorable: There is no greedy answer, or it is blank, there are no samples, all are
            blank, or a reasoning is hidden.
    """
    answers = [answer_to(record, "greedy"), *record.completions("sample")]
    texts = [answer.view("full") for answer in answers]
    if not texts[0].strip() or not any(text.strip() for text in texts[1:]):
        raise Unscorable("the greedy answer is empty, or all samples are, or there are none")
    by_token = all(a.token_ids or not text.strip() for a, text in zip(answers, texts, strict=True))
    greedy, *samples = (
        (answer.token_ids or () if by_token else text.split())[:COMPARED]
        for answer, text in zip(answers, texts, strict=True)
    )
    longest = max(map(len, [greedy, *samples]))
    distances = [distance(greedy, sample) if sample else longest + 1 for sample in samples]
    parts = {"distance": fsum(distances) / len(distances) / longest}
    found = {"unit": "token" if by_token else "word"}
    return Measured(peak(distances, alpha * longest), parts, found)


def peak(distances: Sequence[int], threshold: float) -> float:
    """Return the share of distances up to a threshold.

    >>> peak([4, 5, 6, 40], 5.0)
    0.5
    """
    return sum(distance <= threshold for distance in distances) / len(distances)


def _parameters(options: Options, m: int) -> dict[str, Any]:
    return {"alpha": options.alpha}


def _needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("sample", m), Need("greedy"))


DETECTOR = Detector(
    name="cdd",
    summary="share of m samples within 5 % of the first 100 tokens of the greedy answer",
    paper="arXiv 2402.15938",
    measure=cdd,
    score=rising,
    orientation="value",
    parameters=_parameters,
    needs=_needs,
)
