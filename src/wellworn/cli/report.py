"""`wellworn report`: from scores to a verdict."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.audits import report_run
from wellworn.cli.options import FailOn, Json, Run
from wellworn.cli.outcome import finish


def report(
    run: Run,
    /,
    *,
    reference_run: Annotated[
        Path | None,
        Parameter(help="Run of the references; by default that of the last audit, if any."),
    ] = None,
    json: Json = False,
    fail_on: FailOn = None,
) -> int:
    """Show the verdict on a scored run, and write its report.json."""
    return finish(report_run(run, reference_run), as_json=json, fail_on=fail_on)
