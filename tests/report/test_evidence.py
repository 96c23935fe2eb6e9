"""What stands beside a comparison: from the items of a report to estimates and q-values."""

import random

import pytest
from msgspec.structs import replace

from handmade import context, scored
from wellworn.records import Counts, chat
from wellworn.report.sides import Side
from wellworn.report.summary import summarize
from wellworn.statistics.comparison import compare


def side(name, values, base=None, others=None, **more):
    """Return a set whose prompts have these values, and these of the control model."""
    prompts = [replace(chat(f"{name} {i} {'x' * (i % 7)}"), **more) for i in range(len(values))]
    scores = [scored(p, v) for p, v in zip(prompts, values, strict=True)]
    control = {
        p.id: control_score(p, *b, 90.0 + i)
        for i, (p, b) in enumerate(zip(prompts, base or [], strict=False))
    }
    second = {
        detector: {p.id: scored(p, v) for p, v in zip(prompts, found, strict=True)}
        for detector, found in (others or {}).items()
    }
    return Side(name, prompts, scores, control, second, "contest")


def control_score(prompt, value, pass_rate, length):
    found = scored(prompt, value, Counts(completions=8, length=length))
    return replace(found, parts={"pass_rate": pass_rate})


def estimates(summary, kind):
    return {each.name: each for each in summary.attribution.estimates if each.kind == kind}


def normal(seed, count, mean=0.5):
    dice = random.Random(seed)
    return [min(0.99, max(0.01, dice.gauss(mean, 0.1))) for _ in range(count)]


def test_without_controls_the_text_alone_stands_beside_the_detector():
    summary = summarize(side("suspects", normal(1, 9)), side("references", normal(2, 9)), context())
    assert summary.attribution.estimates[0].auc == summary.comparison.auc
    assert "TF-IDF words" in estimates(summary, "blind")
    assert all(each.p is None for each in estimates(summary, "blind").values())
    assert estimates(summary, "difference") == {}
    assert summary.control is None


def test_sets_too_small_to_ask_have_no_attribution():
    summary = summarize(side("suspects", normal(1, 5)), side("references", normal(2, 9)), context())
    assert summary.attribution is None


def test_the_control_models_numbers_reach_the_items_and_the_estimates():
    base = [[(v, i % 5 / 4) for i, v in enumerate(normal(seed, 12))] for seed in (3, 4)]
    summary = summarize(
        side("suspects", normal(1, 12), base[0]),
        side("references", normal(2, 12), base[1]),
        context(control="hf/base"),
    )
    item = summary.items[0]
    assert item.base_score == pytest.approx(1 - base[0][0][0])
    assert (item.base_pass_rate, item.base_counts.length) == (0.0, 90.0)
    assert "change of the score" in estimates(summary, "difference")
    assert {b.name for b in summary.attribution.balance} >= {"base score", "base pass rate"}
    assert summary.control == "hf/base"


def test_a_suspects_p_is_its_rank_among_the_references_and_q_is_over_all_detectors():
    suspects = side("suspects", [0.05, *normal(1, 8)], others={"cdd": [0.5] * 9})
    references = side("references", [0.1, *normal(2, 8, 0.6)], others={"cdd": [0.5] * 9})
    summary = summarize(suspects, references, context())
    first, reference = summary.items[0], summary.items[9]
    assert first.p == pytest.approx(1 / 10)
    assert 0.1 <= first.q <= 1
    assert (reference.p, reference.q) == (None, None)
    assert summary.flagging.smallest_p == pytest.approx(1 / 10)
    assert first.others == {"cdd": 0.5}


def test_further_detectors_are_secondary_and_their_p_values_are_holms():
    better = {"a": normal(5, 9, 0.2), "b": normal(6, 9)}
    worse = {"a": normal(7, 9, 0.8), "b": normal(8, 9)}
    summary = summarize(
        side("suspects", normal(1, 9), others=better),
        side("references", normal(2, 9), others=worse),
        context(),
    )
    found = estimates(summary, "secondary")
    assert set(found) == {"a", "b"}
    assert found["a"].auc == 1
    alone = {
        name: compare([1 - v for v in better[name]], [1 - v for v in worse[name]]).p
        for name in better
    }
    assert found["a"].p == 2 * alone["a"]
    assert found["b"].p == alone["b"]


def test_a_cluster_is_what_a_field_of_the_prompt_says():
    suspects = side("suspects", normal(1, 9), metadata={"contest": "AMC"})
    summary = summarize(suspects, side("references", normal(2, 9)), context())
    assert summary.items[0].cluster == "AMC"
    assert summary.items[9].cluster is None


def test_halves_and_parts_of_the_samples_become_reliability_and_errors():
    def noisy(one, shift):
        return replace(one, without=(0.1, 0.2, 0.3), halves=(one.score, one.score + shift))

    sides = [side("suspects", normal(1, 9)), side("references", normal(2, 9))]
    sides = [each._replace(scores=[noisy(s, 0.01) for s in each.scores]) for each in sides]
    summary = summarize(*sides, context())
    assert summary.reliability == pytest.approx(1)
    assert summary.items[0].error == pytest.approx((2 / 3 * 0.02) ** 0.5)
