"""The reports of a run, as files in its folder: all are views of one summary."""

from collections.abc import Iterator

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
    command = ["wellworn", "audit", "--run", summary.run]
    if runs.reference:
        command += ["--reference-run", str(runs.reference.folder)]
    if runs.control:
        command += ["--control-run", str(runs.control.folder)]
    contents = contents_of(summary, command)
    (folder / REPORT).write_text(to_json(summary), encoding="utf-8")
    (folder / MARKDOWN).write_text(to_markdown(contents), encoding="utf-8")
    (folder / PAGE).write_text(page(contents, _records(runs)), encoding="utf-8")
    return summary


def _records(runs: Runs) -> Iterator[Record]:
    """Yield the records of both sets, one at a time."""
    how = runs.run.meta("scored")
    for store in (runs.run, runs.reference):
        if store is not None:
            yield from store.records(setting_for(store, how["setting"]))
