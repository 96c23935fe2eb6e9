"""The page: one HTML file that shows an audit, and asks the network for nothing.

Its policy forbids every request, and every script and style but its own two, by their digests.
Prompts and completions are strangers' text: jinja2 escapes what stands in the markup, the rest
is compressed data that the browser unpacks into text nodes (`blocks`), so a `<script>` in a
completion is shown and never run.

The page is bounded: details of prompts take `BUDGET` characters at most, charts draw at most 400
points a set, and the table takes some 100 characters a prompt.
"""

from collections.abc import Iterable

from wellworn.records import Record
from wellworn.report.page.contents import Balance, Contents, Finding
from wellworn.report.page.details import BUDGET, details_of
from wellworn.report.page.rendering import rendered
from wellworn.report.page.taking import contents_of

__all__ = ["BUDGET", "Balance", "Contents", "Finding", "contents_of", "page"]


def page(contents: Contents, records: Iterable[Record] = (), budget: int = BUDGET) -> str:
    """Return the page of an audit as HTML, free of lone surrogates.

    Args:
        contents: What `contents_of` makes of a summary, with what else there is to show.
        records: The audited records of both sets, in any order; read one at a time. Without
            them the page has no completions.
        budget: Characters that the details of prompts may take in all.
    """
    return rendered(contents, details_of(contents, records, budget))
