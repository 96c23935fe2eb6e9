"""Whole audits: of a model, or of runs that are stored already."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from wellworn.detectors import Options
from wellworn.judging import Scoring, sampled, samples_of, score_run, setting_for
from wellworn.judging.reports import write_reports
from wellworn.judging.summaries import Runs
from wellworn.pipeline import Plan, Progress, askable, sample_run, silent
from wellworn.report.summary import Summary
from wellworn.store import Store


class Stored(NamedTuple):
    """Runs that are stored already, by their folders."""

    run: str | Path
    reference_run: str | Path | None = None
    """The run of the references; by default they are the run's own."""
    control_run: str | Path | None = None
    """The run of the base model or of an earlier checkpoint, on the same prompts."""
    positive_run: str | Path | None = None
    """The run of prompts that the model was trained on."""
    negative_run: str | Path | None = None
    """The run of further prompts that it cannot have been trained on."""


def audit_model(
    plan: Plan,
    scoring: Scoring,
    options: Options,
    on_progress: Progress = silent,
) -> Summary:
    """Sample, score and judge, and write the reports; the run keeps everything.

    Raises:
        BadInput: A file, an option or the run is not as it should be.
        BackendError: The model cannot be reached, or refuses everything.
    """
    with Store(plan.run, create=True) as store:
        names = scoring.detectors(askable(plan), options)
        sample_run(store, plan, names, options, on_progress)
        score_run(store, scoring, options, on_progress)
        return write_reports(Runs(store))


def audit_runs(
    runs: Stored,
    scoring: Scoring,
    options: Options,
    on_progress: Progress = silent,
) -> Summary:
    """Score and judge completions that are stored, and write the reports.

    Raises:
        BadInput: A run is missing or empty, or they do not compare.
    """
    with ExitStack() as stack:
        opened = _opened(runs, stack)
        m = scoring.m
        if m is None and sampled([scoring.detector], options):
            held = [store for store in opened if store]
            m = min(samples_of(store, setting_for(store, scoring.setting)) for store in held)
        score_run(opened.run, replace(scoring, m=m), options, on_progress)
        summary = write_reports(opened)
        _remember(opened, runs)
        return summary


def report_run(runs: Stored) -> Summary:
    """Judge a scored run again, and write the reports.

    Runs that are not given are those that it was audited against last.

    Raises:
        BadInput: A run is missing or not scored, or they do not compare.
    """
    with ExitStack() as stack:
        with Store(runs.run) as store:
            others = [path or store.meta(name) for name, path in runs._asdict().items()][1:]
            remembered = Stored(runs.run, *others)
        return write_reports(_opened(remembered, stack))


def _opened(runs: Stored, stack: ExitStack) -> Runs:
    return Runs(*(stack.enter_context(Store(path)) if path else None for path in runs))  # type: ignore[arg-type]


def _remember(opened: Runs, runs: Stored) -> None:
    for name, path in runs._asdict().items():
        if name != "run":
            opened.run.set_meta(name, str(Path(path).resolve()) if path else None)
