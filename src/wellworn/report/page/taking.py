"""From the summary of an audit to what the page shows of it."""

import shlex
from collections.abc import Sequence

import msgspec

from wellworn.report.page.contents import Contents
from wellworn.report.page.findings import findings_of
from wellworn.report.summary import Summary


def contents_of(summary: Summary, command: Sequence[str] = ()) -> Contents:
    """Return what the page shows of a summary.

    Args:
        summary: The audit.
        command: The command that makes the report again, word by word; by default the one
            that audits the stored runs.
    """
    usual = ["wellworn", "audit", "--run", summary.run]
    if summary.reference_run:
        usual += ["--reference-run", summary.reference_run]
    held = {name: getattr(summary, name) for name in summary.__struct_fields__}
    held |= {"command": shlex.join(command or usual), "findings": findings_of(summary)}
    if summary.attribution:
        held["estimates"] = summary.attribution.estimates
        held["balance"] = summary.attribution.balance
    return msgspec.convert(held, Contents, from_attributes=True)
