"""`wellworn report`: from scores to a verdict."""

from wellworn.cli.options import FailOn, Json, Run
from wellworn.cli.outcome import finish
from wellworn.pipeline import summarize_run
from wellworn.store import Store


def report(
    run: Run,
    /,
    *,
    json: Json = False,
    fail_on: FailOn = None,
) -> int:
    """Show the verdict on a scored run, and write its report.json."""
    with Store(run) as store:
        summary = summarize_run(store)
    return finish(summary, as_json=json, fail_on=fail_on)
