"""`wellworn demo`: audits of small models of our own, and then the truth."""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from wellworn.audits import Stored, audit_runs
from wellworn.backends import Target
from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.demo import TRUTH, Truth
from wellworn.detectors import Options
from wellworn.judging import Scoring
from wellworn.judging.reports import PAGE
from wellworn.pipeline import Plan, Progress, sample_run
from wellworn.report.summary import Summary
from wellworn.report.terminal import show
from wellworn.sampler import Sampling
from wellworn.store import Store

_MODELS = ("tuned", "other")


def demo(
    *,
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], help="Folder of the runs; made if needed.")
    ] = Path("runs/demo"),
    samples: Annotated[int, Parameter(help="Completions of each prompt.")] = 32,
    json: Json = False,
) -> int:
    """Audit two small models of which the truth is known, in about a minute.

    One was trained on the suspects and one was not. No torch and no network is needed.

    Args:
        output: Where the runs and the reports are kept.
        samples: More of them find more, and take longer.
        json: Write both summaries to stdout as JSON.
    """
    with as_file(files("wellworn.demo")) as folder:
        truth = msgspec.json.decode((folder / TRUTH).read_bytes(), type=Truth)
        with progress() as stages:
            for name in ("base", *_MODELS):
                _sample(folder, output / name, truth, samples, stages)
    summaries = {name: _judged(output, name, truth) for name in _MODELS}
    if json:
        write_json(summaries)
        return 0
    for name, summary in summaries.items():
        stdout.rule(f"{name}.gguf: was it trained on the suspects?")
        show(summary, stdout)
    stdout.rule("the truth")
    stdout.print(
        f"tuned.gguf was trained on the suspects: {truth.steps} steps of {truth.algorithm} drew "
        f"each {truth.epochs:.0f} times. other.gguf was trained as long on other problems, and "
        f"never saw them. Both began as base.gguf.",
        highlight=False,
    )
    for name in _MODELS:
        stderr.print(f"Report: {output / name / PAGE}", markup=False, highlight=False)
    return 0


def _sample(folder: Path, run: Path, truth: Truth, samples: int, stages: Progress) -> None:
    """Ask a model for what its run lacks."""
    plan = Plan(
        target=Target(model=f"gguf/{folder / run.name}.gguf", context=256),
        prompts=str(folder / "suspects.jsonl"),
        reference=str(folder / "references.jsonl"),
        run=run,
        sampling=Sampling(samples=samples, temperature=1.0, top_p=1.0, max_tokens=truth.max_tokens),
    )
    with Store(run, create=True) as store:
        sample_run(store, plan, on_progress=lambda _, *done: stages(f"asking {run.name}", *done))


def _judged(output: Path, name: str, truth: Truth) -> Summary:
    runs = Stored(output / name, control_run=output / "base")
    options = Options(verifier=f"wellworn.lab.verifiers:{truth.task}")
    return audit_runs(runs, Scoring(quick=True), options)
