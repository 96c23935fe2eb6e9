"""The benchmark from one end to the other: ask, score, evaluate, and say what it cost.

A suite is a run like any other, whose labels are known: it can be killed and gone on with, and
scored, evaluated and ablated again with the usual commands.
"""

from collections.abc import Sequence
from math import exp, nan
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from wellworn.backends import Backend, Target, open_backend
from wellworn.benchmark.costs import Cost, Spent, costs
from wellworn.benchmark.dual_stage import DualStage, dual_stage
from wellworn.benchmark.paraphrase import asker, paraphrase
from wellworn.benchmark.suites import Suite
from wellworn.detectors import Options, load
from wellworn.errors import BadInput
from wellworn.evaluating import evaluate_run
from wellworn.judging import Scoring, current_setting, score_run
from wellworn.pipeline import Plan, Progress, askable, sample_run, silent
from wellworn.probes import PROBES
from wellworn.prompts import PromptSet
from wellworn.records import Generation, Record
from wellworn.report.encoding import to_json
from wellworn.sampler import Sampling
from wellworn.scoring import scores_of
from wellworn.statistics.evaluation import Evaluation
from wellworn.store import Store

BENCHMARK = "benchmark.json"
REWRITING = Sampling(temperature=0.7, max_tokens=1024)
"""How paraphrases are drawn."""


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """What a suite came to, as benchmark.json holds it."""

    suite: str
    warnings: tuple[str, ...]
    """What tells members from others without a model."""
    evaluation: Evaluation
    costs: tuple[Cost, ...]
    failed: int
    """Answers that could not be had."""


class Stages(msgspec.Struct, frozen=True, kw_only=True):
    """The dual stage of each detector, and the proxy that it rests on."""

    proxy: str
    detectors: dict[str, DualStage]


def run_suite(
    suite: Suite,
    plan: Plan,
    scoring: Scoring,
    options: Options,
    *,
    published: bool = False,
    on_progress: Progress = silent,
) -> Benchmark:
    """Ask, score and evaluate a suite, and write benchmark.json into the run.

    Args:
        suite: The prompts, and their labels, which only the evaluation reads.
        plan: Which model is asked and where the run is kept; `prompts_of` puts the suite there.
        scoring: The detectors.
        options: How they measure.
        published: Add the metrics of the published evaluation.
        on_progress: Told how far it is.

    Raises:
        BadInput: The run is of something else, or an option is not as it should be.
        BackendError: The model cannot be reached, or refuses everything.
    """
    with Store(plan.run, create=True) as store:
        names = scoring.detectors(askable(plan), options)
        outcome = sample_run(store, plan, names, options, on_progress)
        score_run(store, scoring, options, on_progress)
        found = Benchmark(
            suite=suite.name,
            warnings=suite.warnings,
            evaluation=evaluate_run(store, suite.labels, published),
            costs=tuple(costs_of(store, names, options)),
            failed=outcome.failed,
        )
        (store.folder / BENCHMARK).write_text(to_json(found), encoding="utf-8")
        return found


def prompts_of(suite: Suite) -> PromptSet:
    """Return the prompts of a suite, with its warnings for the report."""
    return PromptSet(suite.prompts, suite.warnings)


def costs_of(store: Store, names: Sequence[str], options: Options) -> list[Cost]:
    """Return what detectors cost an item, as far as the run was asked in this folder.

    The time to score is measured anew, on one thread.
    """
    setting = current_setting(store)
    records = list(store.records(setting))
    seconds: dict[str, float] = store.meta(f"seconds {setting.id}") or {}
    probes = {probe: _spent(records, probe, seconds.get(probe, 0.0)) for probe in PROBES}
    m = store.meta(f"samples {setting.id}") or 1
    needs = {name: [need.probe for need in load(name).needs(options, m)] for name in names}
    timed = {name: _timed(records, name, options, m) for name in names}
    return costs(len(records), probes, needs, timed)


def _spent(records: Sequence[Record], probe: str, seconds: float) -> Spent:
    held = [completion for record in records for completion in record.completions(probe)]
    written = 0 if PROBES[probe].reads else sum(len(each.token_ids or ()) for each in held)
    return Spent(calls=len(held), tokens=written, seconds=seconds)


def _timed(records: Sequence[Record], name: str, options: Options, m: int) -> float:
    start = perf_counter()
    for _ in scores_of(records, load(name), m, options):
        pass
    return perf_counter() - start


def stages_of(run: str | Path, suite: Suite, detectors: Sequence[str]) -> Stages:
    """Return the dual stage of a run that `run_suite` made.

    The proxy is the perplexity of the prompt under the control model where it was read, else
    the published one: the perplexity of the model's own greedy answer.

    Raises:
        BadInput: Neither is in the run.
    """
    with Store(run) as store:
        records = list(store.records(current_setting(store)))
        probe = "read-prompt-control"
        if not any(record.completions(probe) for record in records):
            probe = "greedy"
        proxies = {record.prompt.id: _perplexity(record, probe) for record in records}
        if all(value != value for value in proxies.values()):
            raise BadInput(
                f"{run}: no prompt has a perplexity, neither of its greedy answer nor of itself.\n"
                f"Sample for a detector that reads greedy answers, such as perplexity."
            )
        found = {}
        for name in detectors:
            scores = {score.prompt_id: score.score for score in store.scores(name)}
            values = [nan if (s := scores.get(i)) is None else s for i in proxies]
            labels = [suite.labels[prompt_id] for prompt_id in proxies]
            found[name] = dual_stage(list(proxies.values()), values, labels)
    return Stages(
        proxy="prompt, control model" if "control" in probe else "greedy answer, as published",
        detectors=found,
    )


def _perplexity(record: Record, probe: str) -> float:
    held = record.completions(probe)
    logprobs = held[0].signals.logprobs if held and held[0].signals else ()
    known = [value for value in logprobs if value == value]
    return exp(-sum(known) / len(known)) if known else nan


def paraphrased(suite: Suite, target: Target, seed: int = 0) -> tuple[Suite, dict[str, Any]]:
    """Return a suite in other words, as a model puts them, and why prompts were left out.

    Raises:
        BackendError: The model cannot be reached.
    """
    backend: Backend = open_backend(target)
    try:
        setting: Generation = REWRITING.generation(backend.identity)
        found = paraphrase(suite.prompts, asker(backend, setting), seed=seed)
    finally:
        backend.close()
    prompts = tuple(sorted(found.kept.values(), key=lambda prompt: prompt.id))
    labels = found.labels(suite.labels)
    kept = {prompt.id for prompt in prompts}
    return (
        suite._replace(prompts=prompts, labels={i: labels[i] for i in sorted(kept)}),
        dict(found.rejected),
    )
