"""How a command ends: what it prints, and its exit code."""

import sys

from wellworn.cli.console import stderr, stdout
from wellworn.judging.reports import PAGE
from wellworn.report.encoding import to_json
from wellworn.report.summary import Summary
from wellworn.report.terminal import show
from wellworn.statistics.verdict import LEVELS


def write_json(value: object) -> None:
    """Write a value to stdout as JSON."""
    sys.stdout.write(to_json(value))


def finish(summary: Summary, *, as_json: bool, fail_on: str | None = None) -> int:
    """Print a summary and return the exit code that it deserves."""
    if as_json:
        write_json(summary)
    else:
        show(summary, stdout)
    stderr.print(f"Report: {summary.run}/{PAGE}", markup=False, highlight=False, soft_wrap=True)
    if fail_on and _at_least(summary.verdict.level, fail_on):
        return 3
    return int(any(item.score is None for item in summary.items))


def _at_least(level: str, fail_on: str) -> bool:
    slugs = [name.replace(",", "").replace(" ", "-").lower() for name in LEVELS]
    return list(LEVELS).index(level) >= slugs.index(fail_on)  # type: ignore[arg-type]
