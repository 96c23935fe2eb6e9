"""For verl: its Parquet columns, and a script for each algorithm.

The names are those of verl 0.9.1 (`verl/trainer/config/ppo_trainer.yaml`). GRPO there is
RL-MIA's: the advantage is the reward less its group's mean, not divided by their deviation, and
token losses are summed and divided by the longest response. Nothing is published of PPO's
average, which is verl's own.
"""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from wellworn.lab.exports import published
from wellworn.lab.exports.contamination import (
    HELD_OUT,
    TRAINED,
    Contamination,
    Row,
    source,
    turns,
    write_rows,
)
from wellworn.lab.exports.published import Dose
from wellworn.lab.injection import prompt_id
from wellworn.lab.tasks import Item
from wellworn.lab.verifiers import gold


class Option(NamedTuple):
    """A setting of the trainer, and why it has its value."""

    name: str
    value: object
    why: str = "RL-MIA"


def write(folder: Path, exported: Contamination) -> list[Path]:
    """Write rows and scripts; return their paths."""
    rows = {TRAINED: exported.trained, HELD_OUT: exported.injection.held_out}
    paths = [
        write_rows(
            folder / name, [_row(exported.task, name, i, item) for i, item in enumerate(items)]
        )
        for name, items in rows.items()
    ]
    for algorithm, options in ALGORITHMS.items():
        said = [*_shared(exported.dose), *options]
        path = folder / f"{algorithm}.sh"
        path.write_text(_script(algorithm, exported, said), encoding="utf-8")
        path.chmod(0o755)
        paths.append(path)
    return paths


def _row(task: str, name: str, index: int, item: Item) -> Row:
    return {
        "data_source": source(task),
        "prompt": turns(item),
        "ability": task,
        "reward_model": {"style": "rule", "ground_truth": gold(item)},
        "extra_info": {
            "split": "train" if name == TRAINED else "test",
            "index": index,
            "prompt_id": prompt_id(item),
        },
    }


def _script(algorithm: str, exported: Contamination, options: Sequence[Option]) -> str:
    lines = "\n".join(f"    {quote(f'{o.name}={o.value}')}  # {o.why}" for o in options)
    return f"""\
#!/usr/bin/env bash
# {algorithm.upper()} on the members of {exported.task}. MODEL, GPUS and NODES can be set, and
# further options of verl: MODEL=Qwen/Qwen2.5-3B-Instruct ./{algorithm}.sh trainer.total_epochs=10
set -euo pipefail
HERE=$(cd "$(dirname "${{BASH_SOURCE[0]}}")" && pwd)
MODEL=${{MODEL:-{quote(exported.model)}}}

options=(
    data.train_files="$HERE/{TRAINED}"
    data.val_files="$HERE/{HELD_OUT}"
    reward.custom_reward_function.path="$HERE/reward.py"
    reward.custom_reward_function.name=compute_score
    actor_rollout_ref.model.path="$MODEL"
    trainer.default_local_dir="$HERE/checkpoints/{algorithm}"
    trainer.n_gpus_per_node="${{GPUS:-{exported.dose.like.gpus}}}"  # {exported.dose.like.name}
    trainer.nnodes="${{NODES:-1}}"
{lines}
)
python3 -m verl.trainer.main_ppo "${{options[@]}}" "$@"
# the last checkpoint is checkpoints/{algorithm}/global_step_N/actor/huggingface
"""


def _shared(dose: Dose) -> list[Option]:
    p = published
    return [
        Option("trainer.total_epochs", dose.epochs, dose.epochs_source),
        Option("data.train_batch_size", dose.batch, dose.batch_source),
        Option("actor_rollout_ref.actor.ppo_mini_batch_size", dose.like.mini_batch, dose.like.name),
        Option("data.val_batch_size", p.VALIDATION),
        Option("data.max_prompt_length", p.PROMPT),
        Option("data.max_response_length", p.RESPONSE),
        Option("data.seed", p.SEED),
        Option("actor_rollout_ref.rollout.n", p.ROLLOUTS),
        Option("actor_rollout_ref.rollout.temperature", p.TEMPERATURE),
        Option("actor_rollout_ref.rollout.val_kwargs.temperature", p.VALIDATION_TEMPERATURE),
        Option("actor_rollout_ref.rollout.val_kwargs.do_sample", True),
        Option("actor_rollout_ref.actor.optim.lr", p.ACTOR_RATE),
        Option("actor_rollout_ref.actor.optim.lr_scheduler_type", "constant"),
        Option("actor_rollout_ref.actor.entropy_coeff", p.ENTROPY),
        Option("actor_rollout_ref.actor.clip_ratio_low", p.CLIP),
        Option("actor_rollout_ref.actor.use_kl_loss", False),
        Option("algorithm.use_kl_in_reward", False),
        Option("algorithm.kl_ctrl.kl_coef", 0.0),
        Option("actor_rollout_ref.rollout.name", "vllm"),
        Option("actor_rollout_ref.rollout.tensor_model_parallel_size", 1, "ours: 7B fits one GPU"),
        Option("actor_rollout_ref.actor.use_dynamic_bsz", True, "ours: speed alone"),
        Option(
            "actor_rollout_ref.actor.checkpoint.save_contents",
            "[model,optimizer,extra,hf_model]",
            "ours: audits read hf_model",
        ),
        Option("trainer.save_freq", dose.epoch, "RL-MIA: once an epoch"),
        Option("trainer.test_freq", dose.epoch, "ours: once an epoch"),
        Option("trainer.logger", "[console]", "ours"),
    ]


_GROUPS = Option("algorithm.adv_estimator", "grpo")

ALGORITHMS = {
    "grpo": [
        _GROUPS,
        Option("algorithm.norm_adv_by_std_in_grpo", False, "RL-MIA: the mean alone"),
        Option("actor_rollout_ref.actor.loss_agg_mode", "seq-mean-token-sum-norm"),
        Option(
            "actor_rollout_ref.actor.loss_scale_factor",
            published.RESPONSE,
            "RL-MIA: the padded length",
        ),
        Option("actor_rollout_ref.actor.clip_ratio_high", published.CLIP),
    ],
    "dapo": [
        _GROUPS,
        Option("algorithm.norm_adv_by_std_in_grpo", True, "DAPO"),
        Option("actor_rollout_ref.actor.loss_agg_mode", "token-mean", "DAPO"),
        Option("actor_rollout_ref.actor.clip_ratio_high", published.CLIP_HIGH, "DAPO"),
        Option("algorithm.filter_groups.enable", True, "DAPO: dynamic sampling"),
        Option("algorithm.filter_groups.metric", "acc", "DAPO"),
        Option("reward.reward_manager.name", "dapo", "DAPO: soft overlong penalty"),
        Option("+reward.reward_kwargs.max_resp_len", published.RESPONSE),
        Option("+reward.reward_kwargs.overlong_buffer_cfg.enable", True, "DAPO"),
        Option(
            "+reward.reward_kwargs.overlong_buffer_cfg.len",
            published.OVERLONG,
            "DAPO: a fifth of the longest response",
        ),
        Option(
            "+reward.reward_kwargs.overlong_buffer_cfg.penalty_factor",
            published.OVERLONG_FACTOR,
            "DAPO",
        ),
        Option("+reward.reward_kwargs.overlong_buffer_cfg.log", False, "DAPO"),
    ],
    "ppo": [
        Option("algorithm.adv_estimator", "gae", "RL-MIA, GSM8K"),
        Option("algorithm.gamma", published.DISCOUNT, "RL-MIA, GSM8K"),
        Option("algorithm.lam", published.TRACE, "RL-MIA, GSM8K"),
        Option("critic.model.path", "${actor_rollout_ref.model.path}", "the model that is trained"),
        Option("critic.optim.lr", published.CRITIC_RATE, "RL-MIA, GSM8K"),
        Option("actor_rollout_ref.actor.loss_agg_mode", "token-mean", "verl's own"),
        Option("actor_rollout_ref.actor.clip_ratio_high", published.CLIP),
    ],
}
"""What each algorithm adds."""
