"""Entropy-Noise (DIME; a baseline of arXiv 2510.09259): does small talk change the answer?

The prompt is asked once more amid sentences that have nothing to do with it. A model that
follows a worn path answers as before: the token entropies of both greedy answers run alike.

The published code says in a comment that more likeness is more suspicious, and returns the
other direction. We follow the comment; `entropy-noise-published` has the code's sign. Its
small talk differs from script to script; ours is one frozen text. A model that is robust to
noise on all prompts makes it blind.
"""

from typing import Any

from wellworn.detectors.base import Detector, EntropyMode, Measured, Options, rising
from wellworn.detectors.curves import likeness_of
from wellworn.detectors.entropies import entropy_read_as
from wellworn.probes import Need
from wellworn.probes.wording import VERSION
from wellworn.records import Record


def entropy_noise(
    record: Record, *, wording: int, entropy: EntropyMode = "auto", top_k: int | None = None
) -> Measured:
    """Return how alike the greedy answers to the prompt and to it amid small talk run, in [0, 1].

    Raises:
        Unscorable: An answer is missing or empty, or lacks what the mode reads.
    """
    return likeness_of(record, ("greedy", "perturbed"), entropy, top_k)


def _needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("greedy", signals=True), Need("perturbed", signals=True))


def _parameters(options: Options, m: int) -> dict[str, Any]:
    return {"wording": VERSION, **entropy_read_as(options, m)}


DETECTOR = Detector(
    name="entropy-noise",
    summary="likeness of the entropies of the greedy answers with and without small talk",
    paper="arXiv 2510.09259",
    measure=entropy_noise,
    score=rising,
    orientation="value",
    parameters=_parameters,
    needs=_needs,
    requires=("answers", "top log-probabilities"),
)
