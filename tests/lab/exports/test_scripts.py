"""The scripts carry the published numbers, and are scripts.

The numbers stand here once more, as RL-MIA's scripts and verl's DAPO recipe have them.
"""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from wellworn.errors import BadInput
from wellworn.lab.exports import Settings, export
from wellworn.lab.exports.published import dose
from wellworn.lab.injection import Pools, inject
from wellworn.lab.tasks import load_task

ALGORITHMS = "grpo", "dapo", "ppo"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Return exports with a whole published batch: 12 of 140 rows are members."""
    folders = {}
    for name in ("sat", "arithmetic", "countdown"):
        task = load_task(name)
        injection = inject(task, "standard", Pools(half=12, easy=1), 0)
        for to in ("verl", "trl"):
            folders[to, name] = tmp_path_factory.mktemp(f"{to}-{name}")
            export(to, task, injection, folders[to, name], Settings(filler=128))
    return folders


@pytest.fixture
def options(tmp_path):
    """Return a function that runs a script with another python3: one that lists its arguments."""
    stub = tmp_path / "bin" / "python3"
    stub.parent.mkdir()
    stub.write_text('#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n')
    stub.chmod(0o755)
    path = f"{stub.parent}:{os.environ['PATH']}"

    def run(script, *further, **variables):
        told = subprocess.run(
            [str(script), *further],
            env={"PATH": path, **variables},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        assert told[:2] == ["-m", "verl.trainer.main_ppo"]
        return dict(word.split("=", 1) for word in told[2:])

    return run


SHARED = {
    "data.train_batch_size": "128",
    "data.val_batch_size": "512",
    "data.max_prompt_length": "1024",
    "data.max_response_length": "4096",
    "data.seed": "47",
    "actor_rollout_ref.rollout.n": "8",
    "actor_rollout_ref.rollout.temperature": "1.0",
    "actor_rollout_ref.rollout.val_kwargs.temperature": "0.6",
    "actor_rollout_ref.actor.optim.lr": "1e-6",
    "actor_rollout_ref.actor.optim.lr_scheduler_type": "constant",
    "actor_rollout_ref.actor.entropy_coeff": "0.001",
    "actor_rollout_ref.actor.clip_ratio_low": "0.2",
    "actor_rollout_ref.actor.use_kl_loss": "False",
    "algorithm.use_kl_in_reward": "False",
    "algorithm.kl_ctrl.kl_coef": "0.0",
}
"""By name in verl 0.9.1."""
OWN = {
    "grpo": {
        "algorithm.adv_estimator": "grpo",
        "algorithm.norm_adv_by_std_in_grpo": "False",
        "actor_rollout_ref.actor.loss_agg_mode": "seq-mean-token-sum-norm",
        "actor_rollout_ref.actor.loss_scale_factor": "4096",
        "actor_rollout_ref.actor.clip_ratio_high": "0.2",
    },
    "dapo": {
        "algorithm.adv_estimator": "grpo",
        "algorithm.norm_adv_by_std_in_grpo": "True",
        "actor_rollout_ref.actor.loss_agg_mode": "token-mean",
        "actor_rollout_ref.actor.clip_ratio_high": "0.28",
        "algorithm.filter_groups.enable": "True",
        "algorithm.filter_groups.metric": "acc",
        "reward.reward_manager.name": "dapo",
        "+reward.reward_kwargs.max_resp_len": "4096",
        "+reward.reward_kwargs.overlong_buffer_cfg.enable": "True",
        "+reward.reward_kwargs.overlong_buffer_cfg.len": "819",
        "+reward.reward_kwargs.overlong_buffer_cfg.penalty_factor": "1.0",
    },
    "ppo": {
        "algorithm.adv_estimator": "gae",
        "algorithm.gamma": "1.0",
        "algorithm.lam": "1.0",
        "critic.optim.lr": "1e-5",
        "actor_rollout_ref.actor.clip_ratio_high": "0.2",
    },
}
DOSES = {"countdown": (3, 2, 8), "sat": (4, 2, 8), "arithmetic": (5, 4, 4)}
"""Epochs, prompts a minibatch and GPUs of K&K, SAT and GSM8K."""


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", DOSES)
def test_scripts_of_verl_carry_the_published_numbers(large, options, name, algorithm):
    epochs, mini_batch, gpus = DOSES[name]
    told = options(large["verl", name] / f"{algorithm}.sh")
    expected = {
        **SHARED,
        **OWN[algorithm],
        "trainer.total_epochs": str(epochs),
        "actor_rollout_ref.actor.ppo_mini_batch_size": str(mini_batch),
        "trainer.n_gpus_per_node": str(gpus),
        "trainer.save_freq": "1",
    }
    assert {option: told.get(option) for option in expected} == expected
    foreign = (
        set().union(*OWN.values())
        - OWN[algorithm].keys()
        - {"actor_rollout_ref.actor.loss_agg_mode"}
    )
    assert not foreign & told.keys()


def test_scripts_of_verl_find_their_files_from_anywhere(exported, options):
    folder = exported["verl", "code"]
    told = options(folder / "grpo.sh")
    assert told["data.train_files"] == str(folder / "train.parquet")
    assert told["data.val_files"] == str(folder / "held_out.parquet")
    assert told["reward.custom_reward_function.path"] == str(folder / "reward.py")
    assert told["reward.custom_reward_function.name"] == "compute_score"
    assert told["actor_rollout_ref.model.path"] == "Qwen/Qwen2.5-7B-Instruct"


def test_variables_and_further_options_are_heard(exported, options):
    told = options(
        exported["verl", "code"] / "ppo.sh",
        "trainer.total_epochs=50",
        MODEL="some/model",
        GPUS="2",
        NODES="3",
    )
    assert told["actor_rollout_ref.model.path"] == "some/model"
    assert told["critic.model.path"] == "${actor_rollout_ref.model.path}"
    assert (told["trainer.n_gpus_per_node"], told["trainer.nnodes"]) == ("2", "3")
    assert told["trainer.total_epochs"] == "50"


def test_every_number_of_a_script_says_where_it_is_from(exported):
    for algorithm in ALGORITHMS:
        text = (exported["verl", "code"] / f"{algorithm}.sh").read_text()
        for line in text.split("options=(\n")[1].split("\n)\n")[0].split("\n"):
            assert (
                "  # " in line
                or "$HERE" in line
                or "$MODEL" in line
                or "NODES" in line
                or ("compute_score" in line)
            ), line


def test_a_small_set_has_one_batch_and_asked_epochs_stand_in_the_script(tmp_path, options):
    task = load_task("arithmetic")
    injection = inject(task, "standard", Pools(half=11, easy=1), 0)
    export("verl", task, injection, tmp_path / "a b", Settings(epochs=9, model="a 'b'"))
    told = options(tmp_path / "a b" / "grpo.sh")
    assert told["data.train_batch_size"] == "8"
    assert told["trainer.total_epochs"] == "9"
    assert told["actor_rollout_ref.model.path"] == "a 'b'"
    assert told["data.train_files"] == f"{tmp_path}/a b/train.parquet"


@pytest.mark.parametrize(
    ("task", "rows", "batch", "epoch"),
    [
        ("knights", 500, 128, 3),  # RL-MIA: 9 steps in 3 epochs
        ("sat", 500, 128, 3),  # 12 in 4
        ("arithmetic", 8132, 128, 63),  # 315 in 5
        ("arithmetic", 127, 124, 1),
        ("code", 3, 2, 1),
    ],
)
def test_the_steps_are_those_of_the_published_runs(task, rows, batch, epoch):
    found = dose(task, rows, None)
    assert (found.batch, found.epoch) == (batch, epoch)


def test_a_single_prompt_is_too_little():
    with pytest.raises(BadInput, match="1 prompts are trained on, but a minibatch of code takes 2"):
        dose("code", 1, None)


@pytest.fixture
def settings(module, monkeypatch):
    """Return a function that gives what a script of TRL sets, with the rewards it uses."""

    def overlong(longest, punished):
        return f"{punished} of {longest}"

    monkeypatch.setitem(sys.modules, "trl", SimpleNamespace(GRPOConfig=dict))
    rewards = SimpleNamespace(get_soft_overlong_punishment=overlong)
    monkeypatch.setitem(sys.modules, "trl.rewards", rewards)

    def read(folder, *words, processes=8):
        script = module(folder / "train_grpo.py")
        monkeypatch.setattr(sys, "argv", ["train_grpo.py", *words])
        monkeypatch.setenv("WORLD_SIZE", str(processes))
        chosen = script.arguments()
        return script.settings(chosen), script.rewards(chosen), chosen

    return read


@pytest.mark.parametrize("name", DOSES)
@pytest.mark.parametrize("algorithm", ["grpo", "dapo"])
def test_the_script_of_trl_carries_the_published_numbers(large, settings, name, algorithm):
    epochs, mini_batch, gpus = DOSES[name]
    told, _, chosen = settings(large["trl", name], "--algorithm", algorithm, processes=gpus)
    expected = {
        "num_train_epochs": epochs,
        "learning_rate": 1e-6,
        "lr_scheduler_type": "constant",
        "generation_batch_size": 1024,
        "num_generations": 8,
        "max_completion_length": 4096,
        "temperature": 1.0,
        "entropy_coef": 0.001,
        "beta": 0.0,
        "epsilon": 0.2,
        "epsilon_high": 0.28 if algorithm == "dapo" else 0.2,
        "scale_rewards": "group" if algorithm == "dapo" else "none",
        "loss_type": "dapo" if algorithm == "dapo" else "dr_grpo",
        "num_iterations": 1,
        "seed": 47,
    }
    assert {option: told[option] for option in expected} == expected
    completions = told["per_device_train_batch_size"] * told["gradient_accumulation_steps"] * gpus
    assert completions == 8 * mini_batch
    assert chosen.model == "Qwen/Qwen2.5-7B-Instruct"


def test_dapo_of_trl_punishes_overlong_answers_softly(exported, settings):
    folder = exported["trl", "code"]
    _, [reward], _ = settings(folder)
    assert reward.__name__ == "task_reward"
    _, rewards, _ = settings(folder, "--algorithm", "dapo")
    assert rewards[1] == "819 of 4096"
    _, rewards, _ = settings(folder, "--algorithm", "dapo", "--response", "1000")
    assert rewards[1] == "199 of 1000"


def test_processes_that_do_not_divide_a_step_are_refused(exported, settings):
    told, _, _ = settings(exported["trl", "code"], "--per-device", "4", processes=2)
    assert (told["per_device_train_batch_size"], told["gradient_accumulation_steps"]) == (4, 2)
    with pytest.raises(SystemExit, match="A step takes 16 completions, which 3 processes of 5"):
        settings(exported["trl", "code"], processes=3)


def test_all_scripts_are_scripts(exported):
    for (to, _), folder in exported.items():
        found = sorted(folder.glob("*.sh"))
        assert len(found) == (3 if to == "verl" else 0)
        for script in found:
            assert os.access(script, os.X_OK)
            subprocess.run(["bash", "-n", str(script)], check=True)
        for file in folder.glob("*.py"):
            compile(file.read_text(encoding="utf-8"), str(file), "exec")
