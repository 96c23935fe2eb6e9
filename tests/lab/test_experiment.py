"""An experiment from its configuration to its results, stopped and gone on with."""

import json
from itertools import count

import pytest

pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import torch

import small_experiments
from wellworn.errors import BadInput
from wellworn.lab import models
from wellworn.lab.experiment import open_experiment
from wellworn.lab.results import audited
from wellworn.lab.stages import check_ready, pretrained, trained
from wellworn.pipeline import silent


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """An experiment with a base of its own, and its results."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("lab") / "one"
    experiment = open_experiment(folder, small_experiments.config())
    pretrained(experiment, silent)
    trained(experiment, silent)
    return experiment, audited(experiment, silent)


def on_same_base(experiment, folder, **changes):
    base = str(experiment.base)
    return open_experiment(folder, small_experiments.config(base=base, **changes))


def weights(path):
    return models.load(path)[0].state_dict()


def equal(one, other):
    return all(torch.equal(one[name], other[name]) for name in one)


def test_the_folder_holds_checkpoints_steps_and_exposures(finished):
    experiment, _ = finished
    assert list(experiment.checkpoints) == [2, 4]
    assert [step.step for step in experiment.steps] == [1, 2, 3, 4]
    assert sum(each.drawn for each in experiment.exposures.values()) >= 16
    assert len(experiment.exposures) == 10
    assert not equal(weights(experiment.checkpoints[2]), weights(experiment.checkpoints[4]))


def test_the_results_have_every_checkpoint_detector_and_question(finished):
    experiment, results = finished
    assert [checkpoint.step for checkpoint in results.checkpoints] == [0, 2, 4]
    names = [[e.detector for e in c.effects] for c in results.checkpoints]
    assert names[0] == names[2] == ["min-knn", "distinct-share", "perplexity", "pass rate"]
    assert names[1] == ["min-knn", "distinct-share", "pass rate"]
    assert set(results.checkpoints[2].verdicts) == {"members", "twins", "easy"}
    assert json.loads((experiment.folder / "results.json").read_text())["seed"] == 0
    assert (experiment.folder / "audits" / "0004" / "report.html").exists()


def test_a_finished_experiment_does_nothing_again(finished):
    experiment, results = finished
    before = (experiment.folder / "checkpoints" / "0004" / "config.json").stat().st_mtime_ns
    told = []
    pretrained(experiment, lambda *said: told.append(said))
    trained(experiment, lambda *said: told.append(said))
    assert told == []
    assert audited(experiment, silent) == results
    after = (experiment.folder / "checkpoints" / "0004" / "config.json").stat().st_mtime_ns
    assert before == after


@pytest.mark.parametrize("stop", [1, 3])
def test_training_that_was_stopped_ends_as_if_it_had_not_been(finished, tmp_path, stop):
    experiment, _ = finished
    again = on_same_base(experiment, tmp_path / "again")
    steps = count(1)

    def interrupt(*_):
        if next(steps) == stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(again, interrupt)
    trained(again, silent)
    assert equal(weights(again.checkpoints[4]), weights(experiment.checkpoints[4]))
    assert again.exposures == experiment.exposures
    told = [[(s.step, s.pass_rate, s.tokens) for s in each.steps] for each in (again, experiment)]
    assert told[0] == told[1]


def test_a_folder_holds_one_experiment(finished):
    experiment, _ = finished
    with pytest.raises(BadInput, match=r"seed is 0 there, 5 here"):
        open_experiment(experiment.folder, small_experiments.config(seed=5))
    rl = {**small_experiments.SMALL["rl"], "steps": 6}
    with pytest.raises(BadInput, match=r"rl\.steps is 4 there, 6 here"):
        open_experiment(experiment.folder, small_experiments.config(rl=rl))


def test_a_base_serves_only_experiments_that_it_was_made_for(finished, tmp_path):
    experiment, _ = finished
    other = on_same_base(experiment, tmp_path / "b", pools={"half": 12, "easy": 10, "seed": 1})
    with pytest.raises(BadInput, match=r"base .* pools\.seed is 0 there, 1 here"):
        pretrained(other, silent)


def test_what_cannot_be_trained_to_the_end_is_refused_before_anything_is_made(tmp_path):
    with pytest.raises(BadInput, match="members is 13, and a half of the pool has 12"):
        small_experiments.config(members=13)
    with pytest.raises(BadInput, match="nowhere: there is no base model"):
        check_ready(small_experiments.config(base=str(tmp_path / "nowhere")))
    rl = {**small_experiments.SMALL["rl"], "algorithm": "distill"}
    with pytest.raises(BadInput, match="no teacher is given"):
        small_experiments.config(rl=rl)
    with pytest.raises(BadInput, match="there is no experiment"):
        check_ready(small_experiments.config(rl=rl, teacher=str(tmp_path)))
    with pytest.raises(BadInput, match=r"algorithm is grpo-kl, which has none"):
        small_experiments.config(rl={**rl, "algorithm": "grpo-kl"}, teacher="x")
    audit = {**small_experiments.SMALL["audit"], "also": ["distinct-sh"]}
    with pytest.raises(BadInput, match="'distinct-share'"):
        small_experiments.config(audit=audit)


def test_a_student_learns_from_a_teacher(finished, tmp_path):
    experiment, _ = finished
    rl = {**small_experiments.SMALL["rl"], "algorithm": "distill"}
    teacher = str(experiment.folder)
    student = on_same_base(experiment, tmp_path / "student", rl=rl, teacher=teacher)
    trained(student, silent)
    assert 4 in student.checkpoints


def test_contamination_in_two_stages_is_told_apart(finished, tmp_path):
    pretraining = {**small_experiments.SMALL["pretraining"], "repeated": 12, "share": 0.5}
    experiment = open_experiment(
        tmp_path / "two", small_experiments.config(members=12, pretraining=pretraining)
    )
    pretrained(experiment, silent)
    trained(experiment, silent)
    results = audited(experiment, silent)
    assert finished[1].checkpoints[0].repeated == ()
    for checkpoint in results.checkpoints:
        assert [e.detector for e in checkpoint.repeated][:2] == ["min-knn", "distinct-share"]
        assert checkpoint.repeated[0].raw.members == 12


def test_what_is_no_experiment_says_so(tmp_path):
    with pytest.raises(BadInput, match=r"(?s)there is no experiment.*lab run"):
        open_experiment(tmp_path)
