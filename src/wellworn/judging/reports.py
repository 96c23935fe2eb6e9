"""The reports of a run, as files in its folder: all are views of one summary."""

from collections.abc import Iterator
from dataclasses import asdict

from wellworn.detectors import Options
from wellworn.judging import setting_for
from wellworn.judging.summaries import Runs, summarized
from wellworn.pipeline import REPORT
from wellworn.records import Record
from wellworn.report.encoding import to_json
from wellworn.report.markdown import to_markdown
from wellworn.report.page import contents_of, page
from wellworn.report.summary import Summary

PAGE, MARKDOWN = "report.html", "report.md"


def write_reports(runs: Runs) -> Summary:
    """Return the summary of a scored run, and write report.json, report.html and report.md.

    Raises:
        BadInput: The run is not scored yet, or the scores do not compare.
    """
    summary = summarized(runs)
    folder = runs.run.folder
    contents = contents_of(summary, _command(runs))
    (folder / REPORT).write_text(to_json(summary), encoding="utf-8")
    (folder / MARKDOWN).write_text(to_markdown(contents), encoding="utf-8")
    (folder / PAGE).write_text(page(contents, _records(runs)), encoding="utf-8")
    return summary


def _command(runs: Runs) -> list[str]:
    """Return the command that judges the stored runs in the same way."""
    how = runs.run.meta("scored")
    words = ["wellworn", "audit"]
    for name, store in runs._asdict().items():
        if store is not None:
            words += ["--run" if name == "run" else f"--{name}-run", str(store.folder)]
    given = {name: how[name] for name in ("detector", "m", "match", "cluster_field")}
    plain = asdict(Options()) | {"detector": "min-knn", "match": None, "cluster_field": None}
    for name, value in {**given, **how["options"]}.items():
        if value != plain.get(name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    for name in how["also"]:
        words += ["--also", name]
    return words


def _records(runs: Runs) -> Iterator[Record]:
    """Yield the records of both sets, one at a time."""
    how = runs.run.meta("scored")
    for store in (runs.run, runs.reference):
        if store is not None:
            yield from store.records(setting_for(store, how["setting"]))
