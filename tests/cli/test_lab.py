"""`wellworn lab` as a user meets it."""

import json

import pytest

pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import small_experiments
from wellworn.lab.experiment import open_experiment


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def recipe(folder):
    return str(small_experiments.toml(folder))


def test_a_study_runs_both_halves_and_goes_on_where_it_was_stopped(wellworn, folder, recipe):
    asked = ("lab", "study", "-o", str(folder), "--recipe", recipe, "--algorithm", "grpo")
    code, out, _ = wellworn(*asked, "--seeds", "1")
    assert code == 0
    assert "countdown (short), grpo, 4 steps, 2 models" in out
    one, other = (open_experiment(folder / f"small-grpo-0{half}") for half in "AB")
    assert one.injection.members == other.injection.held_out
    assert one.base == other.base
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("results.json")}
    code, out, _ = wellworn(*asked, "--seeds", "1", "--json")
    assert {path: path.stat().st_mtime_ns for path in before} == before
    told = json.loads(out)
    assert [group["experiments"] for group in told["groups"]] == [2, 2, 2]
    assert {row["detector"] for row in told["rows"]} >= {"min-knn", "pass rate"}


def test_run_uses_a_base_that_is_there_and_shows_the_results(wellworn, folder, recipe):
    base = str(folder / "bases" / "small")
    asked = ("lab", "run", recipe, "-o", str(folder / "mine"), "--base", base)
    code, out, err = wellworn(*asked, "--algorithm", "ppo", "--seed", "3", "--half", "B")
    assert code == 0
    assert "countdown, ppo, 4 steps: each member was drawn" in out
    assert "easier prompts that nobody trained on: " in out
    assert "countdown, ppo." in err
    assert open_experiment(folder / "mine").config.seed == 3
    code, again, _ = wellworn("lab", "audit", str(folder / "mine"))
    assert (code, again) == (0, out)


def test_another_experiment_in_the_same_folder_is_refused(wellworn, folder, recipe):
    base = str(folder / "bases" / "small")
    code, _, err = wellworn("lab", "run", recipe, "-o", str(folder / "mine"), "--base", base)
    assert code == 2
    assert "holds another experiment" in err


@pytest.mark.parametrize("to", ["verl", "trl"])
def test_an_experiment_is_exported(wellworn, folder, tmp_path, to):
    code, out, _ = wellworn("lab", "export", str(folder / "mine"), "--to", to, "-o", "out")
    assert code == 0
    assert "out/train.parquet" in out
    assert all((tmp_path / line).exists() for line in out.splitlines())
    members = open_experiment(folder / "mine").injection.members
    assert members[0].prompt in (tmp_path / "out/members.jsonl").read_text()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("run", "countdwn"), "'countdown'"),
        (("audit", "nowhere"), "there is no experiment"),
        (("table", "nowhere"), "there are no results"),
        (("export", "countdown", "--to", "verll", "-o", "x"), "'verl'"),
    ],
)
def test_mistakes_are_explained(wellworn, command, said):
    code, _, err = wellworn("lab", *command)
    assert code == 2
    assert said in err
