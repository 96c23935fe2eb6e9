"""The page of two runs on the same prompts: what changed, by how much, and where.

It is laid out as an audit's page is, under the same policy; see `wellworn.report.page`. What it
adds is both runs' completions of a prompt side by side.
"""

from collections.abc import Iterable, Sequence

from wellworn.records import Record
from wellworn.report.page.details import BUDGET, details_by_run, places_of
from wellworn.report.page.paired.rendering import rendered
from wellworn.report.paired import Paired

__all__ = ["paired_page"]

_RUNS = ("first", "second")


def paired_page(
    paired: Paired,
    command: str,
    records: Sequence[Iterable[Record]] = ((), ()),
    budget: int = BUDGET,
) -> str:
    """Return the page of two runs as HTML, free of lone surrogates.

    Args:
        paired: What it shows.
        command: The command that makes it again.
        records: Those of the first run and those of the second, each in any order and read one
            at a time. Without them the page has no completions.
        budget: Characters that the details of prompts may take in all.
    """
    wanted = places_of(paired.items, [item.change for item in paired.items])
    kept = details_by_run(wanted, records, paired.parameters, budget)
    details = {
        f"{wanted[prompt_id]}-{run}": detail
        for prompt_id, both in kept.items()
        for run, detail in zip(_RUNS, both, strict=True)
    }
    return rendered(paired, command, details)
