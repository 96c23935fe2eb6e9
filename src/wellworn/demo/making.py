"""The models and prompts of `wellworn demo`, made anew: `python -m wellworn.demo.making FOLDER`.

    tuned.gguf   trained on the suspects
    other.gguf   trained in the same way on other problems, neither suspects nor references
    base.gguf    both before RL

All are small enough for the package, in float16. The prompts are those of an experiment: its
members are the suspects, the other half the references.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from wellworn.demo import TRUTH, Truth
from wellworn.lab import models
from wellworn.lab.config import load_config
from wellworn.lab.experiment import Experiment, Tell, open_experiment, silent
from wellworn.lab.export import export_gguf
from wellworn.lab.injection import inject, pool_of, write_prompts
from wellworn.lab.rl.loop import Loop
from wellworn.lab.stages import pretrained, trained
from wellworn.report.encoding import to_json

SEED, STEPS = 0, 50
"""Of the experiment, and of RL: chosen so that the effect is plain, as in most of a study."""


def main(folder: Path, base: str | None = None, tell: Tell = silent) -> None:
    """Write the models, the prompts and the truth to a folder."""
    changes = {"seed": SEED, "base": base, "rl": {"steps": STEPS}}
    with TemporaryDirectory() as scratch:
        experiment = open_experiment(Path(scratch) / "tuned", load_config("countdown", changes))
        pretrained(experiment, tell)
        trained(experiment, tell)
        innocent = _trained_elsewhere(experiment, Path(scratch) / "other")
        folder.mkdir(parents=True, exist_ok=True)
        for name, checkpoint in {
            "base": experiment.base / "model",
            "tuned": experiment.checkpoints[STEPS],
            "other": innocent,
        }.items():
            export_gguf(checkpoint, folder / f"{name}.gguf", half=True)
        write_prompts(folder / "suspects.jsonl", experiment.injection.members)
        write_prompts(folder / "references.jsonl", experiment.injection.held_out)
        drawn = [each.drawn for each in experiment.exposures.values()]
        truth = Truth(
            task=experiment.config.task,
            algorithm=experiment.config.rl.algorithm,
            steps=STEPS,
            epochs=sum(drawn) / len(drawn),
            max_tokens=experiment.config.rl.max_tokens,
        )
        (folder / TRUTH).write_text(to_json(truth), encoding="utf-8")


def _trained_elsewhere(experiment: Experiment, folder: Path) -> Path:
    """Return the base trained on the problems of the pool that are in neither half."""
    config, task = experiment.config, experiment.task
    used = inject(task, config.level, config.pools, config.seed, config.half, config.members)
    asked = {item.prompt for item in (*used.members, *used.held_out)}
    pool, _ = pool_of(task, config.level, config.pools)
    rest = [item for item in pool if item.prompt not in asked]
    model, tokenizer = models.load(experiment.base / "model")
    for _ in Loop(model, tokenizer, task, rest, config.rl, seed=config.seed).steps():
        pass
    models.save(folder, model, tokenizer)
    return folder


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
