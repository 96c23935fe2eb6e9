"""The markup of an audit's page."""

from typing import Any

from wellworn.report.page.contents import Contents
from wellworn.report.page.figures import figures_of
from wellworn.report.page.layout import laid_out
from wellworn.report.page.sets import facts_of, losses_of
from wellworn.report.page.table import Listing, columns_of, table_of
from wellworn.report.page.words import PLAIN, by_chance, grouped, in_pairs, what_it_sees
from wellworn.statistics.evidence import ALLOWED
from wellworn.statistics.verdict import LEVELS

_SCRIPTS = ("elements.js", "words.js", "completions.js", "item.js", "table.js", "main.js")


def rendered(contents: Contents, details: dict[int, str]) -> str:
    """Return the page as HTML.

    Args:
        contents: What it shows.
        details: The packed details of prompts, by their place in the table.
    """
    return laid_out(
        "audit.html",
        _SCRIPTS,
        list(figures_of(contents)),
        audit=contents,
        about=contents,
        command=contents.command,
        listing=_listing(contents, len(details)),
        details=details,
        facts=facts_of(contents),
        losses=losses_of(contents),
        words=_words(contents),
    )


def _listing(contents: Contents, detailed: int) -> Listing:
    columns = columns_of(contents)
    states = {"0": "compared", "1": "left out", "2": "without a score"}
    if any(column.name == "q" for column in columns):
        states["q"] = "q at most 0.1"
    return Listing(
        table=table_of(contents, columns),
        columns=columns,
        detailed=detailed,
        most="those with the highest scores of each set",
        states=states,
        file="report.json",
    )


def _words(contents: Contents) -> dict[str, Any]:
    """Return the sentences of the page that depend on the numbers."""
    comparison = contents.comparison
    compared = (
        {
            "in_pairs": in_pairs(comparison),
            "by_chance": by_chance(comparison),
            "sees": what_it_sees(contents),
        }
        if comparison
        else None
    )
    return {
        "levels": LEVELS,
        "plain": PLAIN[contents.verdict.level],
        "compared": compared,
        "kinds": grouped(contents.estimates),
        "allowance": any(each.name.endswith(ALLOWED) for each in contents.estimates),
    }
