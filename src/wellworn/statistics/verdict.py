"""The verdict: five levels, each by a stated rule, and never a word more.

    insufficient data                      no reference set, too few scores, or a subset
    no evidence                            the AUC's interval reaches chance, or p >= 0.05
    converged, not attributable            separated, but a plain cause may explain it
    converged more than matched controls   separated after every adjustment for what was fixed
                                           before RL, with an allowance for what it misses
    consistent with RL exposure            besides, since the control model, and not by success
                                           in general alone

Easy prompts converge too, trained on or not: on a real model, benchmarks that were *not*
trained on are told apart at AUC 0.74. So a separation alone never rises above the third
level, whatever its p-value; the rules of the two above it are in `barriers`. No level says
that training is proven, and none that it is excluded.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from wellworn.statistics.barriers import in_words
from wellworn.statistics.comparison import Comparison
from wellworn.statistics.evidence import Attribution, Carrier
from wellworn.statistics.power import LEAST_UNITS

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
LEAST = LEAST_UNITS
"""The least prompts of a set."""
_CARRIED: dict[Carrier | None, str] = {
    "convergence": "It is carried by convergence beyond what success explains.",
    "success": "It is carried by the gain in success: beyond that, convergence is not shown.",
    "both": "Both convergence beyond what success explains and the gain in success carry it.",
    None: "Whether success or convergence beyond it carries it cannot be told.",
}
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


def decide(
    comparison: Comparison | None, lacks: Sequence[str], attribution: Attribution | None = None
) -> Verdict:
    """Return the verdict on a comparison, or on what it lacks.

    Args:
        comparison: Suspects against references; None where nothing can be compared.
        lacks: Why no claim can be made, from `lacking`.
        attribution: What the separation may be put down to; without it none is attributed.
    """
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
    if attribution is None:
        return _open(
            "Easier prompts converge more, trained on or not, and this audit did not control "
            "for difficulty, length, texts cut short, or what the base model does."
        )
    if attribution.against_matched:
        return _open(*attribution.against_matched)
    return _attributed(attribution)


def _open(*reasons: str) -> Verdict:
    """Return the verdict on a separation whose cause is open, for these reasons."""
    return Verdict(
        level="converged, not attributable",
        sentence="The suspects have converged more than the references; the cause is open.",
        reasons=(*reasons, "So this is no finding of exposure."),
    )


def _attributed(found: Attribution) -> Verdict:
    """Return the verdict on a separation that no control explains."""
    weakest = min(found.before_training, key=lambda estimate: estimate.low)
    reasons = (
        f"The weakest of the adjusted estimates, {weakest.name}, still excludes chance: "
        f"{in_words(weakest)}.",
        "A difference between the sets that no control measures can still be the cause.",
    )
    if found.against_exposure:
        return Verdict(
            level="converged more than matched controls",
            sentence=(
                "The suspects have converged more than references that were as hard before RL, "
                "as far as that was measured."
            ),
            reasons=(
                *reasons,
                *found.against_exposure,
                "Exposure in pretraining, in fine-tuning and in RL is not told apart.",
            ),
        )
    return Verdict(
        level="consistent with RL exposure",
        sentence=(
            "Since the control model, the suspects have converged more than references that "
            "were as hard, as exposure to them in RL would make them."
        ),
        reasons=(
            *reasons,
            _CARRIED[found.carried_by],
            "Exposure in any training between the control model and this one looks the same, "
            "and none is shown with certainty.",
        ),
    )
