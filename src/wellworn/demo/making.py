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
from wellworn.lab.experiment import Experiment, Tell, open_experiment
from wellworn.lab.export import export_gguf
from wellworn.lab.injection import Injection, inject, pool_of, write_prompts
from wellworn.lab.rl.loop import Loop, Subject
from wellworn.lab.stages import pretrained, trained
from wellworn.pipeline import silent
from wellworn.report.encoding import to_json

ALGORITHM, STEPS, SEED = "grpo", 25, 0
SUSPECTS, REFERENCES = 32, 48
"""Few prompts, many times: the effect is plain, and the demo is quick."""
TOKENS = 64
"""The most tokens of an answer in the demo: a few more than in training."""


def main(folder: Path, base: str | None = None, tell: Tell = silent) -> None:
    """Write the models, the prompts and the truth to a folder."""
    changes = {
        "seed": SEED,
        "members": SUSPECTS,
        "base": base,
        "rl": {"algorithm": ALGORITHM, "steps": STEPS},
    }
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
        write_prompts(folder / "references.jsonl", _asked(experiment).held_out)
        drawn = [each.drawn for each in experiment.exposures.values()]
        truth = Truth(
            task=experiment.config.task,
            algorithm=experiment.config.rl.algorithm,
            steps=STEPS,
            epochs=sum(drawn) / len(drawn),
            max_tokens=TOKENS,
        )
        (folder / TRUTH).write_text(to_json(truth), encoding="utf-8")


def _trained_elsewhere(experiment: Experiment, folder: Path) -> Path:
    """Return the base trained on the problems of the pool that are in neither half."""
    config, task = experiment.config, experiment.task
    used = experiment.injection.members, _asked(experiment).held_out
    asked = {item.prompt for items in used for item in items}
    pool, _ = pool_of(task, config.level, config.pools)
    rest = [item for item in pool if item.prompt not in asked]
    model, tokenizer = models.load(experiment.base / "model")
    elsewhere = rest[:SUSPECTS]
    subject = Subject(model, tokenizer, task, elsewhere)
    for _ in Loop(subject, config.rl, seed=config.seed).steps():
        pass
    models.save(folder, model, tokenizer)
    return folder


def _asked(experiment: Experiment) -> Injection:
    """Return the halves with as many prompts as there are references."""
    config = experiment.config
    return inject(experiment.task, config.level, config.pools, config.seed, config.half, REFERENCES)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
