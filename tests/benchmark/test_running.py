"""A suite from one end to the other on a small model: asked, scored, evaluated, and its costs."""

import json
from math import exp

import pytest

from wellworn.backends import Target
from wellworn.benchmark.running import (
    BENCHMARK,
    paraphrased,
    prompts_of,
    run_suite,
    stages_of,
)
from wellworn.benchmark.suites import Suite
from wellworn.detectors import DETECTORS, Options
from wellworn.errors import BadInput
from wellworn.judging import Scoring
from wellworn.pipeline import Plan
from wellworn.records import Prompt, chat
from wellworn.sampler import Sampling
from wellworn.store import Store

pytest.importorskip("torch")
pytest.importorskip("transformers")

SHORT = ["Is 2 odd?", "Is 3 odd or not?", "Two and two is", "Why is it so?", "Say a b c d e", "Go"]


def suite(questions=SHORT):
    prompts = sorted(
        (Prompt(messages=chat(text).messages, answer="no") for text in questions),
        key=lambda prompt: prompt.id,
    )
    labels = {prompt.id: place % 2 == 0 for place, prompt in enumerate(prompts)}
    return Suite("tiny", tuple(prompts), labels, "exact", ("a warning",))


def run(tiny_llama, folder, **scoring):
    model = f"hf/{tiny_llama}"
    plan = Plan(
        target=Target(model=model, device="cpu"),
        prompts=prompts_of(suite()),
        run=folder,
        sampling=Sampling(samples=3, max_tokens=6),
        control=Target(model=model, device="cpu"),
    )
    return run_suite(suite(), plan, Scoring(**scoring), Options())


@pytest.fixture(scope="module")
def everything(tiny_llama, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "all"
    return folder, run(tiny_llama, folder, also=("all",))


def test_every_detector_has_a_number_or_a_reason_for_every_prompt(everything):
    folder, found = everything
    with Store(folder) as store:
        assert sorted(store.scored_detectors()) == sorted(DETECTORS)
        for name in DETECTORS:
            scores = store.scores(name)
            assert len(scores) == len(SHORT)
            assert all((score.score is None) != (score.reason is None) for score in scores), name
        numbers = {
            name for name in DETECTORS if any(s.score is not None for s in store.scores(name))
        }
    assert {"min-knn", "lne", "min-k++", "entropy-temp", "reference-ratio", "zlib"} <= numbers
    assert found.warnings == ("a warning",)
    assert json.loads((folder / BENCHMARK).read_text())["suite"] == "tiny"


def test_a_model_compared_with_itself_is_no_more_sure(everything):
    folder, _ = everything
    with Store(folder) as store:
        assert [s.value for s in store.scores("reference-ratio")] == [0] * len(SHORT)


def test_the_costs_are_those_of_what_was_asked(everything):
    _, found = everything
    costs = {cost.detector: cost for cost in found.costs}
    assert costs["lne"].calls == 1
    assert costs["min-knn"].calls == 3
    assert costs["greedy-distance"].calls == 4
    assert 0 < costs["min-knn"].tokens <= 18
    assert costs["min-knn"].generating > costs["min-knn"].scoring > 0


def test_the_evaluation_knows_the_labels(everything):
    _, found = everything
    assert (found.evaluation.members, found.evaluation.non_members) == (3, 3)


def test_asking_again_asks_for_nothing(tiny_llama, everything, monkeypatch):
    folder, _ = everything
    monkeypatch.setattr(
        "wellworn.backends.hf.Transformers.complete",
        lambda *_: pytest.fail("everything that can be had is stored"),
    )
    found = run(tiny_llama, folder, detector="lne", also=("min-knn", "lowercase"))
    assert found.failed == 0


def test_the_dual_stage_reads_the_prompt_under_the_control_where_it_was_read(everything):
    folder, _ = everything
    found = stages_of(folder, suite(), ["lne"])
    assert found.proxy == "greedy answer, as published"
    [lne] = found.detectors.values()
    assert next(stage.quantile for stage in lne.stages) == 1.0
    with Store(folder) as store:
        records = list(store.records(store.generations()[-1]))
    signals = [record.completions("greedy")[0].signals for record in records]
    assert all(exp(-sum(s.logprobs) / len(s.logprobs)) >= 1 for s in signals if s.logprobs)


def test_without_any_perplexity_there_is_no_dual_stage(tiny_llama, tmp_path):
    run(tiny_llama, tmp_path / "a", detector="min-knn")
    with pytest.raises(BadInput, match="no prompt has a perplexity"):
        stages_of(tmp_path / "a", suite(), ["min-knn"])


def test_both_classes_are_put_in_other_words(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"default": ["Was 2 odd?"]}))
    new, rejected = paraphrased(suite(), Target(model=f"fake/{script}"))
    [prompt] = new.prompts
    assert prompt.shown == "Was 2 odd?"
    assert new.labels == {prompt.id: suite().labels[chat("Is 2 odd?").id]}
    assert len(rejected) == len(SHORT) - 1
