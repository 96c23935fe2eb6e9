"""The rules of the upper levels: each alone stands against a claim, and says its numbers."""

import msgspec
import pytest

from wellworn.statistics.barriers import against_exposure, against_matched, in_words
from wellworn.statistics.estimates import Estimate
from wellworn.statistics.evidence import Attribution
from wellworn.statistics.overlap import Balance, Overlap


def estimate(name, kind, auc, low, high):
    return Estimate(
        name=name, kind=kind, auc=auc, low=low, high=high, p=0.01, suspects=30, references=40
    )


SHOWN = {
    "detector": estimate("detector", "detector", 0.8, 0.7, 0.9),
    "characters": estimate("characters", "blind", 0.52, 0.4, 0.64),
    "regression": estimate("regression", "adjusted", 0.75, 0.65, 0.85),
    "regression, allowed": estimate("regression, with the allowance", "adjusted", 0.7, 0.58, 0.82),
    "weighting": estimate("weighting", "adjusted", 0.74, 0.63, 0.85),
    "weighting, allowed": estimate("weighting, with the allowance", "adjusted", 0.7, 0.57, 0.83),
    "tuned": estimate("regression, tuned pass rate too", "adjusted", 0.6, 0.48, 0.72),
    "change": estimate("change of the score, adjusted", "difference", 0.7, 0.6, 0.8),
    "gain": estimate("gain in success, with the allowance", "success", 0.6, 0.52, 0.68),
}
BALANCE = (Balance(name="base pass rate", suspects=0.3, references=0.2, difference=0.4),)


def spread(ratio, p):
    return Balance(
        name="base score", suspects=0, references=0, difference=0, ratio=ratio, ratio_p=p
    )


def found(without=(), changed=None, **facts):
    """Return evidence on which nothing stands against the highest level, but for what is given."""
    shown = {name: each for name, each in SHOWN.items() if name not in without}
    for name, (auc, low, high) in (changed or {}).items():
        shown[name] = msgspec.structs.replace(shown[name], auc=auc, low=low, high=high)
    known = {
        "balance": BALANCE,
        "overlap": Overlap(suspects=0.9, references=1.0),
        "imbalance": 0.3,
        "clusters": (30, 40),
        "reliability": 0.8,
        "foretold": 0.7,
    }
    return Attribution(estimates=tuple(shown.values()), **(known | facts))


def test_nothing_stands_against_evidence_that_passes_every_rule():
    assert against_matched(found()) == ()
    assert against_exposure(found()) == ()


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (
            found(clusters=None),
            "The scores could not be adjusted for difficulty: they do not vary, or there are too "
            "few prompts for the covariates.",
        ),
        (
            found(balance=()),
            "What the base model solves of these prompts is not known or does not vary, so "
            "easier prompts cannot be told from trained ones: a control model and a verifier are "
            "needed.",
        ),
        (
            found(reliability=None),
            "How many samples the base model's pass rates are of is not known, nor how far they "
            "measure difficulty.",
        ),
        (
            found(reliability=0.42),
            "The base model's pass rates hardly measure difficulty: 42% of their variance is more "
            "than the chance of their samples, and 50% is asked for. More samples of the base "
            "model help.",
        ),
        (
            found(reliability=-0.2),
            "The base model's pass rates hardly measure difficulty: 0% of their variance is more "
            "than the chance of their samples, and 50% is asked for. More samples of the base "
            "model help.",
        ),
        (
            found(foretold=None),
            "Whether the base model's pass rates foretell the tuned model's on the references is "
            "not known, nor so whether they measure difficulty.",
        ),
        (
            found(foretold=0.12),
            "The base model's pass rates do not measure the difficulty that matters: on the "
            "references they correlate with the tuned model's by 0.12, and 0.5 is asked for. A "
            "base model that rarely, or always, answers as the verifier reads says little of a "
            "prompt.",
        ),
        (
            found(balance=(*BALANCE, spread(0.09, 0.004))),
            "The sets are unequally spread: the suspects' variance of the base score is 0.09 times "
            "that of the references (p = 0.004), and RL moves prompts of middling difficulty most. "
            "1/2 to 2 times is asked for.",
        ),
        (
            found(balance=(*BALANCE, spread(None, 0.0))),
            "The sets are unequally spread: the suspects' variance of the base score is beyond any "
            "multiple of that of the references (p = 0), and RL moves prompts of middling "
            "difficulty most. 1/2 to 2 times is asked for.",
        ),
        (
            found(clusters=(30, 5)),
            "The suspects have 30 independent prompts or clusters, the references 5; 6 of each "
            "are the least.",
        ),
        (
            found(overlap=Overlap(suspects=0.7, references=0.9)),
            "Only 70% of the suspects have counterparts in the other set by what is adjusted for; "
            "75% is asked for.",
        ),
        (
            found(overlap=Overlap(suspects=0.9, references=0.1)),
            "Only 10% of the references have counterparts in the other set by what is adjusted "
            "for; 75% is asked for.",
        ),
        (
            found(imbalance=0.51),
            "By what was fixed before RL alone, the suspects would converge more than the "
            "references, by 0.51 standard deviations; above 0.5 no adjustment is trusted with "
            "that. Other references are needed, at least as easy.",
        ),
        (
            found(changed={"regression": (0.6, 0.5, 0.7)}),
            "Adjusted for what was fixed before RL (regression), the separation does not exclude "
            "chance (AUC 0.60 [0.50, 0.70]).",
        ),
        (
            found(changed={"weighting": (0.6, 0.49, 0.7)}),
            "Adjusted for what was fixed before RL (weighting), the separation does not exclude "
            "chance (AUC 0.60 [0.49, 0.70]).",
        ),
        (
            found(changed={"regression, allowed": (0.58, 0.45, 0.7)}),
            "It excludes chance after adjustment (regression: AUC 0.75 [0.65, 0.85]), but not if "
            "what was not measured of difficulty explains as much as what was (AUC 0.58 [0.45, "
            "0.70]).",
        ),
        (
            found(changed={"weighting, allowed": (0.58, 0.5, 0.7)}),
            "It excludes chance after adjustment (weighting: AUC 0.74 [0.63, 0.85]), but not if "
            "what was not measured of difficulty explains as much as what was (AUC 0.58 [0.50, "
            "0.70]).",
        ),
        (
            found(changed={"characters": (0.7, 0.6, 0.8)}),
            "The text alone, which never saw the model, may tell the sets apart as well as the "
            "detector: characters, AUC 0.70 [0.60, 0.80].",
        ),
        (
            found(changed={"characters": (0.2, 0.1, 0.3)}),
            "The text alone, which never saw the model, may tell the sets apart as well as the "
            "detector: characters, AUC 0.20 [0.10, 0.30].",
        ),
    ],
)
def test_each_rule_alone_stands_against_matched_controls(evidence, reason):
    assert against_matched(evidence) == (reason,)


def test_a_blind_baseline_that_reaches_less_or_does_not_separate_is_no_reason():
    assert against_matched(found(changed={"characters": (0.6, 0.52, 0.79)})) == ()
    assert against_matched(found(changed={"characters": (0.7, 0.49, 0.9)})) == ()


@pytest.mark.parametrize(("ratio", "p"), [(0.5, 0.001), (2.0, 0.001), (5.0, 0.05), (None, 0.3)])
def test_unequal_spreads_that_are_small_or_luck_are_no_reason(ratio, p):
    assert against_matched(found(balance=(*BALANCE, spread(ratio, p)))) == ()


def test_a_learner_below_chance_has_learnt_nothing():
    learner = estimate("TF-IDF words", "blind", 0.2, 0.1, 0.3)
    evidence = found()
    evidence = msgspec.structs.replace(evidence, estimates=(*evidence.estimates, learner))
    assert against_matched(evidence) == ()
    above = msgspec.structs.replace(learner, auc=0.8, low=0.7, high=0.9)
    evidence = msgspec.structs.replace(evidence, estimates=(*evidence.estimates, above))
    assert len(against_matched(evidence)) == 1


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (
            found(without=["change"]),
            "The control model was not scored on these prompts, so exposure in RL cannot be told "
            "from exposure before it.",
        ),
        (
            found(changed={"change": (0.6, 0.5, 0.7)}),
            "The change since the control model, adjusted, does not exclude chance (AUC 0.60 "
            "[0.50, 0.70]).",
        ),
        (
            found(without=["tuned"]),
            "The tuned model's pass rates are not known, so whether the suspects are merely solved "
            "more often cannot be told.",
        ),
        (
            found(changed={"tuned": (0.5, 0.4, 0.6), "gain": (0.55, 0.5, 0.6)}),
            "Adjusted for the tuned model's pass rate too, the suspects do not converge more (AUC "
            "0.50 [0.40, 0.60]), and a gain in success is not shown either (AUC 0.55 [0.50, "
            "0.60]).",
        ),
    ],
)
def test_each_rule_alone_stands_against_exposure(evidence, reason):
    assert against_exposure(evidence) == (reason,)
    assert against_matched(evidence) == ()


def test_either_convergence_beyond_success_or_a_gain_in_success_will_do():
    assert against_exposure(found(changed={"tuned": (0.45, 0.4, 0.5)})) == ()
    assert against_exposure(found(changed={"gain": (0.45, 0.4, 0.5)})) == ()


def test_all_that_stands_against_a_claim_is_said():
    evidence = found(
        reliability=0.1,
        imbalance=2.0,
        clusters=(3, 3),
        overlap=Overlap(suspects=0.1, references=0.2),
        changed={
            "regression": (0.5, 0.4, 0.6),
            "weighting, allowed": (0.5, 0.4, 0.6),
            "characters": (0.9, 0.8, 1.0),
        },
    )
    assert len(against_matched(evidence)) == 8


def test_an_estimate_in_words():
    assert in_words(SHOWN["detector"]) == "AUC 0.80 [0.70, 0.90]"
