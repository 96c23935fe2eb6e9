"""`wellworn report`: from scores to a verdict."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.audits import Stored, report_run
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
    control_run: Annotated[
        Path | None,
        Parameter(help="Run of the control model; by default that of the last audit, if any."),
    ] = None,
    json: Json = False,
    fail_on: FailOn = None,
) -> int:
    """Show the verdict on a scored run, and write its reports."""
    stored = Stored(run, reference_run, control_run)
    return finish(report_run(stored), as_json=json, fail_on=fail_on)
