"""`wellworn lab run`: an experiment from its configuration to its results."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.lab.config import load_config
from wellworn.lab.display import show
from wellworn.lab.experiment import open_experiment
from wellworn.lab.results import audited
from wellworn.lab.stages import check_ready, pretrained, trained

Threads = Annotated[int | None, Parameter(help="Threads that compute; by default all cores.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Changes:
    """What takes the place of the configuration's values."""

    algorithm: str | None = None
    """grpo, grpo-unscaled, grpo-kl, dapo, ppo, dpo or distill."""
    steps: int | None = None
    """Steps of RL."""
    seed: int | None = None
    """Of the split into halves and of all training after it."""
    half: Literal["A", "B"] | None = None
    """The half that is trained on."""
    trainer: Literal["lab", "trl"] | None = None
    """Our loop, or TRL's GRPOTrainer as a cross-check."""
    base: Path | None = None
    """Folder of a base model that was made for such experiments; made anew, else."""
    teacher: Path | None = None
    """A finished experiment whose model is distilled."""

    @property
    def nested(self) -> dict[str, Any]:
        """The same as the configuration holds it, without what is not given."""
        rl = {"algorithm": self.algorithm, "steps": self.steps}
        top: dict[str, Any] = {"seed": self.seed, "half": self.half, "trainer": self.trainer}
        for name, path in {"base": self.base, "teacher": self.teacher}.items():
            top[name] = str(path.resolve()) if path else None
        return _given(top) | {"rl": _given(rl)}


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


_CHANGES = Changes()


def run(
    experiment: str,
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="Folder of the experiment; by default lab/NAME."),
    ] = None,
    changes: Changes = _CHANGES,
    threads: Threads = None,
    json: Json = False,
) -> int:
    """Pretrain a model, train it on known prompts, and audit its checkpoints.

    Stop it whenever you like: the same command goes on.

    Args:
        experiment: A TOML file, or the name of a recipe, such as countdown.
        output: Where it is kept.
        changes: What takes the place of the configuration's values.
        threads: How many compute.
        json: Write the results to stdout as JSON.
    """
    config = load_config(experiment, changes.nested)
    check_ready(config)
    found = open_experiment(output or Path("lab") / Path(experiment).stem, config)
    limit_threads(threads)
    stderr.print(f"{found.folder}: {config.task}, {config.rl.algorithm}.", highlight=False)
    with progress() as stages:
        pretrained(found, stages)
        trained(found, stages)
        results = audited(found, stages)
    if json:
        write_json(results)
    else:
        show(results, stdout)
    stderr.print(f"Reports: {found.folder}/audits/*/report.html", markup=False, highlight=False)
    return 0


def limit_threads(threads: int | None) -> None:
    """Let torch compute on so many threads."""
    import torch

    if threads:
        torch.set_num_threads(threads)
