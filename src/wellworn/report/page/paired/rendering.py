"""The markup of two runs' page."""

from typing import NamedTuple

from wellworn.report.page.layout import laid_out
from wellworn.report.page.paired.figures import figures_of
from wellworn.report.page.paired.words import CAUTION, claim, difference, missing, signed, told
from wellworn.report.page.table import Column, Listing, table_of_items
from wellworn.report.paired import Paired, PairedItem
from wellworn.report.sides import SETS, SetName
from wellworn.statistics.change import Change

_SCRIPTS = ("elements.js", "words.js", "completions.js", "both.js", "table.js", "main.js")
_COLUMNS: tuple[Column[PairedItem], ...] = (
    Column("first", "score in the first run", "score", lambda i: i.first),
    Column("second", "score in the second run", "score", lambda i: i.second),
    Column("change", "the second less the first", "change", lambda i: i.change, minor=False),
)
_STATES = {"0": "rose", "1": "fell", "2": "unchanged", "3": "without a change"}


class Scale(NamedTuple):
    """What the intervals of the means are drawn on: equally far to both sides of 0."""

    reach: float

    def at(self, change: float) -> str:
        """Return where a change is drawn, in per cent of the width.

        >>> Scale(0.2).at(-0.2), Scale(0.2).at(0.1)
        ('0.0%', '75.0%')
        """
        return f"{50 + 50 * change / self.reach:.1f}%"


class Side(NamedTuple):
    """A set in both runs, and where its interval is drawn."""

    name: SetName
    change: Change
    words: str
    low: str
    mean: str
    high: str


def rendered(paired: Paired, command: str, details: dict[str, str]) -> str:
    """Return the page as HTML.

    Args:
        paired: What it shows.
        command: The command that makes it again.
        details: The packed details of prompts, by place in the table and by run.
    """
    both = ((name, getattr(paired, name)) for name in SETS)
    held = [(name, change) for name, change in both if change is not None]
    reach = max((abs(end) for _, change in held for end in (change.low, change.high)), default=0)
    scale = Scale(reach or 1.0)
    return laid_out(
        "compare.html",
        _SCRIPTS,
        list(figures_of(paired)),
        paired=paired,
        about=paired,
        command=command,
        signed=signed,
        sides=[_side(name, change, scale) for name, change in held],
        scale={"low": signed(-scale.reach), "high": signed(scale.reach), "zero": scale.at(0)},
        words={
            "claim": claim(paired),
            "caution": CAUTION,
            "difference": difference(paired),
            "missing": missing(paired),
        },
        listing=_listing(paired, len(details) // 2),
        details=details,
    )


def _side(name: SetName, change: Change, scale: Scale) -> Side:
    drawn = (scale.at(number) for number in (change.low, change.mean, change.high))
    return Side(name, change, told(name, change), *drawn)


def _listing(paired: Paired, detailed: int) -> Listing:
    table = table_of_items(paired.items, _COLUMNS) | {
        "runs": [paired.first_run, paired.second_run],
        "models": [paired.first_model, paired.second_model],
        "states": [_state(item) for item in paired.items],
        "sort": str([column.name for column in _COLUMNS].index("change")),
    }
    return Listing(
        table=table,
        columns=_COLUMNS,
        detailed=detailed,
        most="those whose scores rose most of each set",
        states=_STATES,
        file="compare.json",
    )


def _state(item: PairedItem) -> int:
    """Return the place in `_STATES` of what became of a prompt."""
    if item.change is None:
        return 3
    return 0 if item.change > 0 else 1 if item.change < 0 else 2
