"""Self-Critique (arXiv 2510.09259): does the model find another way when asked for one?

The model answers greedily, is shown its answer, and is asked for a different one. On a prompt
that RL trained it on it keeps to its path: the token entropies of both answers run alike,
position by position. The value is the penalised cosine of the two curves, in [0, 1].
`self-critique-unanchored` is the paper's ablation, near chance there: an unusual answer is asked
for without showing the first one.

What is ours: entropies are read over the whole vocabulary, or with the rest as one token, where
the published code takes the raw sum of the top 50 (`self-critique-published`); and an answer of
one token has no curve.

It needs two greedy answers and log-probabilities. Read the parts before the value: where the
length ratio alone separates the sets, or a shuffled curve is as alike, the paths were not
compared. It did not carry over to the models of arXiv 2602.11792 (AUC 0.43 to 0.54).
"""

from typing import Any

from wellworn.detectors.base import Detector, EntropyMode, Measured, Options, rising
from wellworn.detectors.curves import likeness_of
from wellworn.detectors.entropies import entropy_read_as
from wellworn.probes import Need
from wellworn.probes.wording import VERSION
from wellworn.records import Record


def self_critique(
    record: Record, *, critique: str, entropy: EntropyMode = "auto", top_k: int | None = None
) -> Measured:
    """Return how alike the greedy answer and the one after the critique run, in [0, 1].

    Args:
        record: Read: the `greedy` probe and that of the critique.
        critique: Wording of the instruction.
        entropy: How entropies are read.
        top_k: Tokens of each step that they are read from.

    Raises:
        Unscorable: An answer is missing or empty, or lacks what the mode reads.
    """
    return likeness_of(record, ("greedy", f"critique-{critique}"), entropy, top_k)


def self_critique_unanchored(
    record: Record, *, wording: int, entropy: EntropyMode = "auto", top_k: int | None = None
) -> Measured:
    """Return how alike the greedy answer and an unusual one run, in [0, 1].

    Raises:
        Unscorable: An answer is missing or empty, or lacks what the mode reads.
    """
    return likeness_of(record, ("greedy", "unanchored"), entropy, top_k)


def _needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("greedy", signals=True), Need(f"critique-{options.critique}", signals=True))


def _unanchored_needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("greedy", signals=True), Need("unanchored", signals=True))


def _parameters(options: Options, m: int) -> dict[str, Any]:
    return {"critique": options.critique, **entropy_read_as(options, m)}


def _unanchored_parameters(options: Options, m: int) -> dict[str, Any]:
    return {"wording": VERSION, **entropy_read_as(options, m)}


DETECTOR = Detector(
    name="self-critique",
    summary="likeness of the entropies of the greedy answer and of one asked to differ",
    paper="arXiv 2510.09259",
    measure=self_critique,
    score=rising,
    orientation="value",
    parameters=_parameters,
    needs=_needs,
    requires=("answers", "top log-probabilities"),
)
UNANCHORED = DETECTOR._replace(
    name="self-critique-unanchored",
    summary="Self-Critique's ablation: an unusual answer, asked for without showing the first",
    measure=self_critique_unanchored,
    parameters=_unanchored_parameters,
    needs=_unanchored_needs,
)
