"""Partial prompt (arXiv 2507.10532): can the model finish the question itself?

It sees the first 60 % of the words of the prompt, as a raw text, and goes on. If it writes the
rest, word for word, it has seen the text. That tells of pretraining, which trains on prompts;
RL trains on answers, so use it to keep the two apart. Most texts score 0, known or not: the
parts are finer. White space is not compared. Short or formulaic prompts can be guessed.
"""

from wellworn.detectors.answers import answer_to
from wellworn.detectors.base import Detector, Measured, rising
from wellworn.distance import distance
from wellworn.errors import Unscorable
from wellworn.probes import Need, halves
from wellworn.records import Record


def partial_prompt(record: Record) -> Measured:
    """Return 1 if the continuation begins with the rest of the prompt, and 0 if it does not.

    The parts: the share of the rest's words that are right before the first wrong one, and
    1 minus the normalised edit distance of words to as many words of the continuation.

    Raises:
        Unscorable: There is no continuation, it is empty, or the prompt has fewer than five
            words.
    """
    rest = halves(record.prompt)[1].split()
    written = answer_to(record, "partial").view("full").split()[: len(rest)]
    if not written:
        raise Unscorable("the continuation of the partial prompt is empty")
    pairs = enumerate(zip(rest, written, strict=False))
    right = next((i for i, (word, other) in pairs if word != other), len(written))
    parts = {"words": right / len(rest), "similarity": 1 - distance(rest, written) / len(rest)}
    return Measured(float(written == rest), parts)


DETECTOR = Detector(
    name="partial-prompt",
    summary="whether the first 60 % of the prompt is continued with the rest of it",
    paper="arXiv 2507.10532",
    measure=partial_prompt,
    score=rising,
    orientation="value",
    parameters=lambda options, m: {},
    needs=lambda options, m: (Need("partial"),),
)
