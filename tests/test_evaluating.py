"""Labels meet the scores of a run: who is measured on what, and what is counted as missing."""

import json

import msgspec
import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from wellworn.errors import BadInput
from wellworn.evaluating import evaluate_run
from wellworn.records import Score, chat
from wellworn.statistics import blind, comparison, roc
from wellworn.statistics.blind import COUNTS, LEARNERS
from wellworn.statistics.evaluation import Evaluation
from wellworn.store import Store

GENERATOR = np.random.default_rng(1)
PROMPTS = [chat("Spell " + "".join(GENERATOR.choice(list("abcdefgh"), 12))) for _ in range(40)]
LABELS = {prompt.id: i % 2 == 0 for i, prompt in enumerate(PROMPTS)}
TRUTH = list(LABELS.values())
GOOD, FAIR = ((GENERATOR.normal(size=40) + s * np.array(TRUTH)).tolist() for s in (2, 0.5))


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", 500)
    monkeypatch.setattr(blind, "REPEATS", 1)
    monkeypatch.setattr(roc, "REPEATS", 1)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path, create=True) as opened:
        opened.put_set("suspects", PROMPTS[:30])
        opened.put_set("references", PROMPTS[30:])
        yield opened


def put(store, detector, scores, parameters=None):
    """Keep a detector's scores of the prompts, in order; a text is why there is none."""
    store.put_scores(
        Score(prompt_id=prompt.id, detector=detector, reason=score)
        if isinstance(score, str)
        else Score(
            prompt_id=prompt.id,
            detector=detector,
            value=-score,
            score=score,
            parameters=parameters or {"k": 10},
        )
        for prompt, score in zip(PROMPTS, scores, strict=False)
    )


def sizes(row):
    return row.members, row.non_members, row.left_out


def test_each_detector_is_measured_on_what_it_scores_and_all_on_what_they_share(store):
    put(store, "good", ["cut short"] * 4 + GOOD[4:])
    put(store, "fair", FAIR[:38] + ["hidden"] * 2)
    found = evaluate_run(store, LABELS)
    fair, good = found.detectors
    assert (fair.detector, *sizes(fair)) == ("fair", 19, 19, 2)
    assert (good.detector, *sizes(good)) == ("good", 18, 18, 4)
    assert good.metrics.comparison.auc == pytest.approx(roc_auc_score(TRUTH[4:], GOOD[4:]))
    assert good.parameters == {"k": 10}
    common = found.common
    assert (common.members, common.non_members) == (17, 17)
    assert [sizes(row) for row in common.detectors] == [(17, 17, 6)] * 2
    aucs = [row.metrics.comparison.auc for row in common.detectors]
    assert aucs == pytest.approx([roc_auc_score(TRUTH[4:38], s[4:38]) for s in (FAIR, GOOD)])
    [pair] = common.pairs
    assert (pair.first, pair.second) == ("fair", "good")
    assert pair.difference == pytest.approx(aucs[0] - aucs[1])
    assert found.notes == (
        "fair: 2 prompts without a score: hidden.",
        "good: 4 prompts without a score: cut short.",
    )


def test_where_all_score_all_the_tables_are_one(store):
    put(store, "good", GOOD)
    put(store, "fair", FAIR)
    found = evaluate_run(store, LABELS)
    assert found.common.detectors == found.detectors
    assert found.common.blind == found.blind
    assert found.notes == ()


def test_blind_baselines_stand_beside(store):
    put(store, "good", GOOD)
    found = evaluate_run(store, LABELS)
    assert [each.name for each in found.blind] == [*COUNTS, *LEARNERS]
    characters = found.blind[0]
    assert (characters.comparison.auc, characters.separates) == (0.5, False)
    assert found.warnings == ()


def test_a_text_that_separates_is_warned_of(tmp_path):
    prompts = [chat(f"{'short' if i < 10 else 'somewhat longer'} {i:02}") for i in range(20)]
    with Store(tmp_path / "run", create=True) as store:
        store.put_set("suspects", prompts)
        store.put_scores(
            Score(prompt_id=prompt.id, detector="d", value=i, score=i % 7)
            for i, prompt in enumerate(prompts)
        )
        labels = {prompt.id: i < 10 for i, prompt in enumerate(prompts)}
        found = evaluate_run(store, labels)
    [warning] = found.warnings
    assert "characters (AUC 0.00 [0.00, 0.31])" in warning
    assert warning.endswith("So no detector's AUC here is clean evidence of membership.")


def test_what_has_no_label_and_what_matches_no_prompt_is_counted(store):
    put(store, "good", GOOD)
    labels = dict(list(LABELS.items())[:36]) | {"another": True, "and another": False}
    found = evaluate_run(store, labels)
    assert (found.members, found.non_members) == (18, 18)
    assert (found.unlabelled, found.unmatched) == (4, 2)
    assert sizes(found.detectors[0]) == (18, 18, 0)


def test_prompts_that_were_never_scored_are_said_to_be(store):
    put(store, "good", GOOD[:30])
    found = evaluate_run(store, LABELS)
    assert sizes(found.detectors[0]) == (15, 15, 10)
    assert found.notes == ("good: 10 prompts without a score: not scored yet.",)


def test_many_reasons_are_summed_up(store):
    put(store, "good", GOOD[:30] + [f"reason {min(i, 6)}" for i in range(10)])
    notes = evaluate_run(store, LABELS).notes
    assert notes[0] == "good: 4 prompts without a score: reason 6."
    assert notes[-1] == "good: 2 prompts without a score for other reasons."
    assert len(notes) == 6


def test_a_detector_without_both_classes_has_a_reason_and_spoils_no_table(store):
    put(store, "good", GOOD)
    put(store, "rare", ["no"] * 38 + FAIR[38:])
    put(store, "none", ["no"] * 40)
    good, none, rare = evaluate_run(store, LABELS).detectors
    assert rare.metrics is None
    assert rare.reason == "2 prompts of each class are needed; 1 and 1 have a score"
    assert none.reason == "2 prompts of each class are needed; 0 and 0 have a score"
    assert evaluate_run(store, LABELS).common.detectors == (good,)


def test_detectors_without_common_prompts_do_not_compare(store):
    put(store, "good", GOOD[:20] + ["no"] * 20)
    put(store, "fair", ["no"] * 20 + FAIR[20:])
    common = evaluate_run(store, LABELS).common
    assert (common.members, common.non_members, common.pairs, common.blind) == (0, 0, (), ())
    assert {row.reason for row in common.detectors} == {
        "2 prompts of each class are needed; 0 and 0 have a score"
    }


def test_scores_of_different_parameters_do_not_compare(store):
    put(store, "good", GOOD)
    put(store, "good", GOOD[:1], {"k": 3})
    found = evaluate_run(store, LABELS)
    assert found.detectors[0].metrics is None
    assert found.detectors[0].reason == (
        "the scores do not compare: 'k' is 3 for some prompts and 10 for others"
    )
    assert found.common is None


def test_one_member_is_too_few_for_anything(store):
    put(store, "good", GOOD)
    found = evaluate_run(store, {p.id: i == 0 for i, p in enumerate(PROMPTS)})
    assert (found.members, found.common, found.blind) == (1, None, ())


def test_a_score_of_any_prompt_in_a_set_makes_a_scored_detector(store):
    assert store.scored_detectors() == []
    put(store, "b", GOOD)
    put(store, "a", FAIR[:1])
    store.put_scores([Score(prompt_id="of no set", detector="c", value=1, score=1)])
    assert store.scored_detectors() == ["a", "b"]


def test_it_is_kept_beside_the_run_and_comes_back_as_it_was(store, tmp_path):
    put(store, "good", GOOD)
    put(store, "worst", [-float(truth) for truth in TRUTH])
    found = evaluate_run(store, LABELS, published=True)
    text = (tmp_path / "evaluation.json").read_text(encoding="utf-8")
    assert msgspec.json.decode(text, type=Evaluation) == found
    assert "Infinity" not in text
    assert "NaN" not in text
    worst = json.loads(text)["detectors"][1]["metrics"]
    assert worst["youden"] == {"threshold": None, "j": 0.0, "f1": 0.0}
    assert worst["published"]["optimal_threshold_youden"] is None


def test_published_metrics_are_on_common_prompts_too(store):
    put(store, "good", GOOD[:30] + ["no"] * 10)
    put(store, "fair", FAIR)
    found = evaluate_run(store, LABELS, published=True)
    assert all(row.metrics.published for row in (*found.detectors, *found.common.detectors))


def test_a_run_without_scores(store, tmp_path):
    with pytest.raises(BadInput) as caught:
        evaluate_run(store, LABELS)
    assert str(caught.value) == f"{tmp_path}: not scored yet. Run `wellworn score {tmp_path}`."


def test_a_run_without_labels(store, tmp_path):
    put(store, "good", GOOD)
    with pytest.raises(BadInput, match="none of its prompts has a label"):
        evaluate_run(store, {"another": True})


def test_detectors_that_were_scored_under_another_setting_do_not_compare(store):
    scores = GOOD
    put(store, "a", scores, {"model": "B", "samples": 4, "temperature": 0.9})
    put(store, "b", scores, {"model": "A", "samples": 4, "temperature": 0.9})
    put(store, "c", scores, {"model": "B", "samples": 4, "temperature": 0.7})
    put(store, "d", scores, {"model": "B", "temperature": 0.0})
    reasons = {row.detector: row.reason for row in evaluate_run(store, LABELS).detectors}
    assert reasons["a"] is reasons["d"] is None
    assert reasons["b"].startswith("it was scored under another setting than a: 'model' is 'A'")
    assert "'temperature' is 0.7, not 0.9" in reasons["c"]
