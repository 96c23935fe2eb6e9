"""The verdict: five levels, each by a stated rule, and never a word more.

    insufficient data                      no reference set, too few scores, or a subset
    no evidence                            the AUC's interval reaches chance, or p >= 0.05
    converged, not attributable            separated, but nothing rules out a plain cause
    converged more than matched controls   (needs controls that this version does not run)
    consistent with RL exposure            (likewise)

Easy prompts converge too, trained on or not: on a real model, benchmarks that were *not*
trained on are told apart at AUC 0.74. So a separation alone never rises above the third
level here, whatever its p-value. No level says that training is proven, and none that it
is excluded.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from wellworn.statistics.comparison import Comparison

Level = Literal[
    "insufficient data",
    "no evidence",
    "converged, not attributable",
    "converged more than matched controls",
    "consistent with RL exposure",
]

LEVELS: tuple[Level, ...] = Level.__args__  # type: ignore[attr-defined]
"""All levels, weakest claim first."""

ALPHA = 0.05
LEAST = 6
"""The least prompts of a set: 0.025 ** (1 / 5) is below 0.5, 0.025 ** (1 / 6) above it."""
COMPARED = 0.5
"""The least share of each set that must enter the comparison."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What may be claimed, and why no more."""

    level: Level
    sentence: str
    """The claim in one sentence."""
    reasons: tuple[str, ...] = ()
    """What led to the level, and what it leaves open."""


class Sizes(msgspec.Struct, frozen=True):
    """How many prompts a set has, and how many of them enter the comparison."""

    prompts: int
    compared: int


def lacking(
    suspects: Sizes,
    references: Sizes | None = None,
    *,
    subset: bool = False,
    doubts: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return why no claim can be made from such sets; nothing if one can.

    Args:
        suspects: How many there are.
        references: Likewise, if there are any.
        subset: Only a random subset was audited.
        doubts: Further reasons, in whole sentences.
    """
    if references is None:
        return ("No reference set was given: the numbers describe, and no claim follows.",)
    reasons = [
        f"Only {size.compared} of {size.prompts} {name} can be compared."
        for name, size in (("suspects", suspects), ("references", references))
        if size.compared < max(2, COMPARED * size.prompts)
    ]
    if not reasons and min(suspects.compared, references.compared) < LEAST:
        reasons.append(
            f"Sets of {suspects.compared} and {references.compared} are too small: below {LEAST}, "
            f"even complete separation leaves an interval that holds chance."
        )
    if subset:
        reasons.append("Only a random subset was audited (--limit): this is no valid audit.")
    return (*reasons, *doubts)


def decide(comparison: Comparison | None, lacks: Sequence[str]) -> Verdict:
    """Return the verdict on a comparison, or on what it lacks."""
    if lacks or comparison is None:
        return Verdict(
            level="insufficient data",
            sentence="Nothing can be claimed from these data.",
            reasons=tuple(lacks),
        )
    if comparison.low <= 0.5 or comparison.p >= ALPHA:
        return Verdict(
            level="no evidence",
            sentence="It is not shown that the suspects have converged more than the references.",
            reasons=(
                f"Sets of this size see an AUC of {comparison.detectable_auc:.2f} or more in 80 % "
                f"of audits; a smaller effect may have been missed.",
                "This does not exonerate the model: exposure need not leave a trace in samples.",
            ),
        )
    return Verdict(
        level="converged, not attributable",
        sentence="The suspects have converged more than the references; the cause is open.",
        reasons=(
            "Easier prompts converge more, trained on or not, and this audit did not control "
            "for difficulty, length, texts cut short, or what the base model does.",
            "So this is no finding of exposure.",
        ),
    )
