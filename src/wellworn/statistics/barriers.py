"""The rules of the two upper levels: what stands against them, in sentences with numbers.

**Converged more than matched controls** asks that

1. difficulty was measured before RL: the base model's pass rate is among the covariates, and
   more than half of its variance between prompts is more than the chance of its samples, and
   over the references it correlates with the tuned model's by 0.5 or more;
2. the sets overlap in the covariates, and by them alone the suspects would not converge more
   than the references by more than half a standard deviation, nor is one set spread over twice
   the variance of the other in any of them, by more than luck;
3. each set has six independent prompts or clusters;
4. both kinds of adjustment, with the allowance and without, exclude chance;
5. no blind baseline that separates the sets reaches the detector's AUC.

**Consistent with RL exposure** asks besides that

6. the control model was scored, and the change of the score, adjusted, excludes chance;
7. adjusted for the tuned model's pass rate too, the score is still on the side of exposure; or
   the gain in success excludes chance, with its allowance.

What is not known stands against a claim.
"""

from collections.abc import Iterator

from wellworn.statistics.blind import LEARNERS
from wellworn.statistics.estimates import Estimate
from wellworn.statistics.evidence import (
    ADJUSTED,
    ALLOWED,
    CHANGE,
    GAIN,
    REGRESSION,
    TUNED_TOO,
    WEIGHTING,
    Attribution,
)
from wellworn.statistics.items import BASE_PASS_RATE
from wellworn.statistics.overlap import LEAST_OVERLAP, MOST_IMBALANCE, MOST_RATIO, Balance
from wellworn.statistics.power import LEAST_UNITS

LEAST_RELIABILITY = 0.5
"""Below it, what covariates do not measure can exceed the allowance."""
LEAST_FORETOLD = 0.5
"""Likewise: a measure half of whose variance is error correlates by 0.7 with what it measures, and
less with the tuned model's rates, which have errors of their own."""
LUCK = 0.05
"""The p-value below which luck does not explain that the sets are unequally spread."""


def against_matched(found: Attribution) -> tuple[str, ...]:
    """Return why "converged more than matched controls" may not be said."""
    if found.clusters is None:
        return (
            "The scores could not be adjusted for difficulty: they do not vary, or there are "
            "too few prompts for the covariates.",
        )
    return (
        *_difficulty(found),
        *_comparability(found),
        *_spread(found),
        *_adjusted(found),
        *_blind(found),
    )


def against_exposure(found: Attribution) -> tuple[str, ...]:
    """Return why "consistent with RL exposure" may not be said, rules 1 to 5 aside."""
    change = found.named(CHANGE + ADJUSTED)
    if change is None:
        return (
            "The control model was not scored on these prompts, so exposure in RL cannot be told "
            "from exposure before it.",
        )
    reasons = []
    if change.low <= 0.5:
        reasons.append(
            f"The change since the control model, adjusted, does not exclude chance "
            f"({in_words(change)})."
        )
    return (*reasons, *_success(found))


def in_words(estimate: Estimate) -> str:
    """Return an AUC with its interval."""
    return f"AUC {estimate.auc:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _difficulty(found: Attribution) -> Iterator[str]:
    if BASE_PASS_RATE not in [each.name for each in found.balance]:
        yield (
            "What the base model solves of these prompts is not known or does not vary, so "
            "easier prompts cannot be told from trained ones: a control model and a verifier "
            "are needed."
        )
    elif found.reliability is None:
        yield (
            "How many samples the base model's pass rates are of is not known, nor how far they "
            "measure difficulty."
        )
    elif found.reliability < LEAST_RELIABILITY:
        yield (
            f"The base model's pass rates hardly measure difficulty: "
            f"{max(0.0, found.reliability):.0%} of their variance is more than the chance of "
            f"their samples, and {LEAST_RELIABILITY:.0%} is asked for. More samples of the base "
            f"model help."
        )
    elif found.foretold is None:
        yield (
            "Whether the base model's pass rates foretell the tuned model's on the references is "
            "not known, nor so whether they measure difficulty."
        )
    elif found.foretold < LEAST_FORETOLD:
        yield (
            f"The base model's pass rates do not measure the difficulty that matters: on the "
            f"references they correlate with the tuned model's by {found.foretold:.2f}, and "
            f"{LEAST_FORETOLD} is asked for. A base model that rarely, or always, answers as "
            f"the verifier reads says little of a prompt."
        )


def _comparability(found: Attribution) -> Iterator[str]:
    assert found.clusters is not None
    assert found.overlap is not None
    assert found.imbalance is not None
    if min(found.clusters) < LEAST_UNITS:
        yield (
            f"The suspects have {found.clusters[0]} independent prompts or clusters, the "
            f"references {found.clusters[1]}; {LEAST_UNITS} of each are the least."
        )
    for name, share in (
        ("suspects", found.overlap.suspects),
        ("references", found.overlap.references),
    ):
        if share < LEAST_OVERLAP:
            yield (
                f"Only {share:.0%} of the {name} have counterparts in the other set by what is "
                f"adjusted for; {LEAST_OVERLAP:.0%} is asked for."
            )
    if found.imbalance > MOST_IMBALANCE:
        yield (
            f"By what was fixed before RL alone, the suspects would converge more than the "
            f"references, by {found.imbalance:.2f} standard deviations; above {MOST_IMBALANCE} no "
            f"adjustment is trusted with that. Other references are needed, at least as easy."
        )


def _spread(found: Attribution) -> Iterator[str]:
    for each in found.balance:
        if _is_unequal(each):
            times = "beyond any multiple of" if each.ratio is None else f"{each.ratio:.2f} times"
            yield (
                f"The sets are unequally spread: the suspects' variance of the {each.name} is "
                f"{times} that of the references (p = {each.ratio_p:.2g}), and RL moves prompts "
                f"of middling difficulty most. 1/{MOST_RATIO:.0f} to {MOST_RATIO:.0f} times is "
                f"asked for."
            )


def _is_unequal(each: Balance) -> bool:
    """Return whether luck does not explain that one variance is twice the other, or more."""
    if each.ratio_p is None or each.ratio_p >= LUCK:
        return False
    return each.ratio is None or not 1 / MOST_RATIO <= each.ratio <= MOST_RATIO


def _adjusted(found: Attribution) -> Iterator[str]:
    for kind in (REGRESSION, WEIGHTING):
        plain, allowed = found.named(kind), found.named(kind + ALLOWED)
        assert plain is not None
        assert allowed is not None
        if plain.low <= 0.5:
            yield (
                f"Adjusted for what was fixed before RL ({kind}), the separation does not exclude "
                f"chance ({in_words(plain)})."
            )
        elif allowed.low <= 0.5:
            yield (
                f"It excludes chance after adjustment ({kind}: {in_words(plain)}), but not if what "
                f"was not measured of difficulty explains as much as what was "
                f"({in_words(allowed)})."
            )


def _blind(found: Attribution) -> Iterator[str]:
    detector = found.estimates[0]
    telling = [
        f"{each.name}, {in_words(each)}"
        for each in found.estimates
        if each.kind == "blind" and _separates(each) and _reach(each) >= detector.auc - 0.5
    ]
    if telling:
        yield (
            f"The text alone, which never saw the model, may tell the sets apart as well as the "
            f"detector: {'; '.join(telling)}."
        )


def _separates(blind: Estimate) -> bool:
    """Return whether a blind baseline separates; one that learns has nothing to learn below."""
    return blind.low > 0.5 or (blind.high < 0.5 and blind.name not in LEARNERS)


def _reach(blind: Estimate) -> float:
    """Return how far from chance a blind baseline may be."""
    return max(blind.high - 0.5, 0.5 - blind.low)


def _success(found: Attribution) -> Iterator[str]:
    beyond, gain = found.named(TUNED_TOO), found.named(GAIN + ALLOWED)
    if beyond is None or gain is None:
        yield (
            "The tuned model's pass rates are not known, so whether the suspects are merely "
            "solved more often cannot be told."
        )
    elif beyond.auc <= 0.5 and gain.low <= 0.5:
        yield (
            f"Adjusted for the tuned model's pass rate too, the suspects do not converge more "
            f"({in_words(beyond)}), and a gain in success is not shown either "
            f"({in_words(gain)})."
        )
