"""Whole audits: of a model, or of runs that are stored already."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from wellworn.detectors import Options
from wellworn.judging import Scoring, sampled, samples_of, score_run, setting_for
from wellworn.judging.summaries import summarize_run
from wellworn.pipeline import Plan, Progress, askable, sample_run, silent
from wellworn.report.summary import Summary
from wellworn.store import Store


def audit_model(
    plan: Plan,
    scoring: Scoring,
    options: Options,
    on_progress: Progress = silent,
) -> Summary:
    """Sample, score and judge, and write report.json; the run keeps everything.

    Raises:
        BadInput: A file, an option or the run is not as it should be.
        BackendError: The model cannot be reached, or refuses everything.
    """
    with Store(plan.run, create=True) as store:
        names = scoring.detectors(askable(plan), options)
        sample_run(store, plan, names, options, on_progress)
        score_run(store, scoring, options, on_progress)
        return summarize_run(store)


def audit_runs(
    run: str | Path,
    reference_run: str | Path | None,
    scoring: Scoring,
    options: Options,
    on_progress: Progress = silent,
) -> Summary:
    """Score and judge completions that are stored, and write report.json.

    Raises:
        BadInput: A run is missing or empty, or the two do not compare.
    """
    with ExitStack() as stack:
        stores = [stack.enter_context(Store(path)) for path in (run, reference_run) if path]
        m = scoring.m
        if m is None and sampled([scoring.detector], options):
            m = min(samples_of(s, setting_for(s, scoring.setting)) for s in stores)
        score_run(stores[0], replace(scoring, m=m), options, on_progress)
        summary = summarize_run(*stores)
        other = str(Path(reference_run).resolve()) if reference_run else None
        stores[0].set_meta("reference_run", other)
        return summary


def report_run(run: str | Path, reference_run: str | Path | None = None) -> Summary:
    """Judge a scored run again, and write report.json.

    Args:
        run: The run.
        reference_run: The run of its references; by default the one that it was audited
            against last, or its own references.

    Raises:
        BadInput: A run is missing or not scored, or the two do not compare.
    """
    with Store(run) as store:
        other = reference_run or store.meta("reference_run")
        if other is None:
            return summarize_run(store)
        with Store(other) as reference:
            return summarize_run(store, reference)
