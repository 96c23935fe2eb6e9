"""What stands beside the estimates, in sentences; and that it reaches the page."""

import pytest
from msgspec.structs import replace

import pages
from handmade import context, side
from wellworn.report.page import contents_of, page
from wellworn.report.page.findings import findings_of
from wellworn.report.summary import Flagging, summarize
from wellworn.statistics.evidence import Attribution
from wellworn.statistics.overlap import Balance, Overlap
from wellworn.statistics.power import Power
from wellworn.statistics.verdict import Verdict

FULL = Attribution(
    estimates=pages.contents(8, 8).estimates,
    balance=(Balance(name="base score", suspects=0.5, references=0.4, difference=0.61),),
    overlap=Overlap(suspects=0.81, references=1.0),
    imbalance=-0.25,
    reliability=0.9,
    explained=0.35,
    withstands=0.3,
    carried_by="both",
    joint_p=0.004,
    power=Power(detectable=0.67, adjusted=None, claim=1.0),
    notes=("base pass rate: known of none",),
)


def summary(**changes):
    plain = summarize(side("suspects", [0.2] * 3), side("references", [0.5] * 3), context())
    nothing = {"attribution": None, "flagging": None, "reliability": None}
    return replace(plain, **nothing | changes)


def texts(**changes):
    return {
        finding.name: " ".join(finding.text.split()) for finding in findings_of(summary(**changes))
    }


def test_what_is_not_known_is_not_said():
    assert findings_of(summary()) == []
    assert findings_of(summary(attribution=Attribution(estimates=()))) == []


def test_every_finding_has_its_sentence():
    found = texts(attribution=FULL, reliability=0.8)
    assert found["Overlap"] == (
        "81 % of the suspects and 100 % of the references have counterparts in the other set."
    )
    assert found["What the covariates give"] == (
        "They explain 35 % of the score's variance within the sets. By them alone the suspects "
        "would lie 0.25 standard deviations lower than the references. What they explain could "
        "be taken away 0.3 times before the adjusted interval reaches chance. Of the base pass "
        "rates' variance, 90 % is more than chance."
    )
    assert found["What could be seen"] == (
        "Which AUC 80 % of audits of this size see: one of 0.67 or more by the plain comparison; "
        "none after adjustment; none for a claim above “converged, not attributable”."
    )
    assert found["Score and success together"].endswith("p = 0.004.")
    assert found["Left out of the adjustment"] == "base pass rate: known of none."
    assert found["How steady the scores are"].startswith("Other samples would bring 80 %")
    assert "gain in success" in found["What tells the sets apart"]


@pytest.mark.parametrize("carrier", ["convergence", "success", "both"])
def test_every_carrier_has_words(carrier):
    assert texts(attribution=replace(FULL, carried_by=carrier))["What tells the sets apart"]


def test_single_suspects():
    flagging = Flagging(flagged=3, smallest_p=0.032, least_flagged=27)
    assert texts(flagging=flagging)["Single suspects"] == (
        "3 are unlike the references (q of at most 0.1). None is flagged for it: what may explain "
        "the sets' difference may explain theirs."
    )
    claimed = {"verdict": Verdict(level="consistent with RL exposure", sentence="So.")}
    assert texts(flagging=flagging, **claimed)["Single suspects"] == (
        "3 have a q of at most 0.1. With so many references, none can have a p below 0.032. Only "
        "if 27 or more had that p could any of them be flagged."
    )
    alone = replace(flagging, flagged=0, least_flagged=None)
    found = texts(flagging=alone, **claimed)["Single suspects"]
    assert "none could stand out by itself" in found


def test_they_reach_the_page_with_estimates_and_balance():
    contents = contents_of(summary(attribution=FULL))
    assert contents.estimates == FULL.estimates
    assert [(each.name, each.difference) for each in contents.balance] == [("base score", 0.61)]
    html = page(contents)
    assert "counterparts in the" in html
    assert "+0.61" in html
    assert "With the allowance" not in html
    allowed = replace(FULL.estimates[0], name="regression, with the allowance")
    assert "With the allowance" in page(replace(contents, estimates=(allowed,)))
