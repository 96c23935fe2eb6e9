"""What was found beside the estimates, in sentences."""

from collections.abc import Iterator

from wellworn.report.page.contents import Finding
from wellworn.report.page.words import digits, share
from wellworn.report.summary import Flagging, Summary
from wellworn.statistics.evidence import Attribution, Carrier
from wellworn.statistics.power import Power
from wellworn.statistics.verdict import LEVELS, Level

_MATCHED: Level = "converged more than matched controls"

_CARRIED: dict[Carrier, str] = {
    "convergence": "The suspects' answers have converged beyond what success explains; that they "
    "are solved more often tells the sets apart no further.",
    "success": "The suspects are solved more often than before, more so than the references; "
    "that their answers are more alike tells the sets apart no further.",
    "both": "Convergence beyond what success explains, and the gain in success.",
}


def findings_of(summary: Summary) -> list[Finding]:
    """Return what stands beside the estimates, as far as it is known."""
    found = [*_attributed(summary.attribution)] if summary.attribution else []
    if summary.reliability is not None:
        text = f"Other samples would bring {share(summary.reliability)} of the variance again."
        found.append(Finding(name="How steady the scores are", text=text))
    if summary.flagging:
        claimed = LEVELS.index(summary.verdict.level) >= LEVELS.index(_MATCHED)
        text = _flagged(summary.flagging) if claimed else _unflagged(summary.flagging)
        found.append(Finding(name="Single suspects", text=text))
    return found


def _attributed(found: Attribution) -> Iterator[Finding]:
    if found.carried_by:
        yield Finding(name="What tells the sets apart", text=_CARRIED[found.carried_by])
    if found.joint_p is not None:
        text = f"That neither is higher in the suspects: p = {digits(found.joint_p)}."
        yield Finding(name="Score and success together", text=text)
    if found.overlap:
        yield Finding(
            name="Overlap",
            text=f"{share(found.overlap.suspects)} of the suspects and "
            f"{share(found.overlap.references)} of the references have counterparts in the "
            f"other set.",
        )
    if found.imbalance is not None or found.explained is not None:
        yield Finding(name="What the covariates give", text=" ".join(_explained(found)))
    if found.power:
        yield Finding(name="What could be seen", text=_seen(found.power))
    if found.notes:
        yield Finding(name="Left out of the adjustment", text="; ".join(found.notes) + ".")


def _explained(found: Attribution) -> Iterator[str]:
    if found.explained is not None:
        yield f"They explain {share(found.explained)} of the score's variance within the sets."
    if found.imbalance is not None:
        where = "higher" if found.imbalance >= 0 else "lower"
        yield (
            f"By them alone the suspects would lie {abs(found.imbalance):.2f} standard deviations "
            f"{where} than the references."
        )
    if found.withstands is not None:
        yield (
            f"What they explain could be taken away {found.withstands:.1f} times before the "
            f"adjusted interval reaches chance."
        )
    if found.reliability is not None:
        yield f"Of the base pass rates' variance, {share(found.reliability)} is more than chance."


def _seen(power: Power) -> str:
    aucs = {
        "by the plain comparison": power.detectable,
        "after adjustment": power.adjusted,
        "for a claim above “converged, not attributable”": power.claim,
    }
    parts = [
        f"none {where}" if auc is None or auc >= 1 else f"one of {auc:.2f} or more {where}"
        for where, auc in aucs.items()
    ]
    return f"Which AUC 80 % of audits of this size see: {'; '.join(parts)}."


def _unflagged(flagging: Flagging) -> str:
    """Say what q-values mean where what sets the suspects apart may set each of them apart."""
    return (
        f"{flagging.flagged} are unlike the references (q of at most 0.1). None is flagged for "
        f"it: what may explain the sets' difference may explain theirs."
    )


def _flagged(flagging: Flagging) -> str:
    smallest = f"With so many references, none can have a p below {digits(flagging.smallest_p)}."
    if flagging.least_flagged is None:
        return f"{smallest} So none could stand out by itself, whatever its score."
    return (
        f"{flagging.flagged} have a q of at most 0.1. {smallest} Only if {flagging.least_flagged} "
        f"or more had that p could any of them be flagged."
    )
