"""A recipe of ours as the configuration of TRL's GRPOTrainer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wellworn.errors import BadInput
from wellworn.lab.rl.algorithms import ALGORITHMS, Algorithm
from wellworn.lab.rl.loop import Recipe
from wellworn.lab.rl.objectives import Mean

LOSSES: dict[Mean, str] = {"sequence": "grpo", "token": "dapo", "length": "dr_grpo"}
"""What TRL calls our ways to average a loss."""


def check(recipe: Recipe) -> None:
    """Raise BadInput where TRL cannot follow a recipe."""
    algorithm, drawn = ALGORITHMS[recipe.algorithm], recipe.prompts * recipe.completions
    if _strange(algorithm):
        known = [name for name, row in ALGORITHMS.items() if not _strange(row)]
        raise BadInput(
            f"rl: TRL's GRPOTrainer has no {recipe.algorithm}; it has {', '.join(known)}.\n"
            f"Name one of them, or train with the lab's own loop."
        )
    if recipe.completions < 2 or drawn % recipe.updates:
        raise BadInput(
            f"rl: TRL cuts {recipe.prompts} prompts x {recipe.completions} completions into "
            f"{recipe.updates} equal parts, and needs two completions of each prompt.\n"
            f"Change updates or completions, or train with the lab's own loop."
        )
    try:
        import trl  # noqa: F401
    except ImportError:
        raise BadInput(
            "TRL is not installed.\nInstall it with `pip install '.[trl]'`, or train with "
            "the lab's own loop."
        ) from None


def _strange(algorithm: Algorithm) -> bool:
    """Return whether an algorithm is none of groups of completions."""
    return algorithm.critic or algorithm.pairs or algorithm.imitates


def settings(recipe: Recipe, folder: Path, every: int, seed: int) -> Any:
    """Return the recipe as TRL's configuration."""
    from trl import GRPOConfig

    algorithm, drawn = ALGORITHMS[recipe.algorithm], recipe.prompts * recipe.completions
    return GRPOConfig(
        output_dir=str(folder),
        max_steps=recipe.steps * recipe.updates,
        save_steps=every * recipe.updates,
        save_total_limit=2,
        per_device_train_batch_size=drawn // recipe.updates,
        generation_batch_size=drawn,
        num_generations=recipe.completions,
        max_completion_length=recipe.max_tokens,
        temperature=recipe.temperature,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="constant",
        adam_beta2=0.99,
        beta=algorithm.kl,
        epsilon=algorithm.low,
        epsilon_high=algorithm.high,
        scale_rewards="group" if algorithm.scaled else "none",
        loss_type=LOSSES[algorithm.mean],
        shuffle_dataset=False,
        bf16=False,
        gradient_checkpointing=False,
        logging_steps=1,
        disable_tqdm=True,
        report_to="none",
        seed=seed,
    )
