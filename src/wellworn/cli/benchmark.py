"""`wellworn benchmark`: a public benchmark, whose membership is known, on a model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wellworn.benchmark.display import show, show_stages
from wellworn.benchmark.running import (
    Benchmark,
    paraphrased,
    prompts_of,
    run_suite,
    stages_of,
)
from wellworn.benchmark.suites import load_suite
from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import (
    Control,
    ControlModel,
    Draw,
    Json,
    Measure,
    Model,
    Out,
    What,
)
from wellworn.cli.outcome import write_json
from wellworn.detectors import Options
from wellworn.judging import Scoring
from wellworn.pipeline import Plan
from wellworn.sampler import Sampling


@dataclass(frozen=True, kw_only=True)
class Data:
    """Which part of the benchmark, and from where."""

    subset: Literal["kk", "sat", "gsm8k", "aime24", "aime25"] = "kk"
    """Which suite."""
    data: Path = Path("rl-mia")
    """Folder with NAME.parquet of each suite, or a clone of the public repository."""
    fetch: bool = False
    """Fetch files that the folder lacks from the public repository."""
    repaired: bool = False
    """sat: compare its members with the held-out problems of their size, not with larger ones."""
    limit: int | None = None
    """Take a random subset of so many prompts, to try it out."""
    published: bool = False
    """Add the metrics of the published evaluation."""
    dual_stage: bool = False
    """Say what remains of each AUC on prompts that the model finds hard."""
    paraphrase_model: str | None = None
    """Run on prompts in other words, as this model (provider/name) puts them; both classes."""


_DATA, _DRAW, _WHAT, _MEASURE = Data(), Sampling(), Scoring(), Options()
_CONTROL = ControlModel()


def benchmark(
    name: Literal["rl-mia"],
    /,
    *,
    output: Out,
    target: Model,
    control: Control = _CONTROL,
    data: Annotated[Data, Parameter(name="*", group="Benchmark")] = _DATA,
    draw: Draw = _DRAW,
    what: What = _WHAT,
    measure: Measure = _MEASURE,
    json: Json = False,
) -> int:
    """Run a benchmark whose members were injected into RL, on any model.

    On a model that was not trained on them, every AUC should be near 0.5: a check of the
    pipeline, and of what the prompts give away by themselves.
    """
    suite = load_suite(data.subset, data.data, repaired=data.repaired, fetch=data.fetch)
    if data.paraphrase_model:
        suite, rejected = paraphrased(suite, control.other(target, data.paraphrase_model))
        stderr.print(f"{len(rejected)} prompts could not be put in other words.", highlight=False)
    plan = Plan(
        target=target,
        prompts=prompts_of(suite),
        run=output,
        sampling=draw,
        limit=data.limit,
        control=control.target(target),
    )
    with progress() as stages:
        found = run_suite(suite, plan, what, measure, published=data.published, on_progress=stages)
    _print(found, json)
    if data.dual_stage:
        names = [row.detector for row in found.evaluation.detectors if row.metrics]
        show_stages(stages_of(output, suite, names), stderr if json else stdout)
    return int(found.failed > 0)


def _print(found: Benchmark, json: bool) -> None:
    if json:
        write_json(found)
    else:
        show(found, stdout)
