"""What the page shows: the summary, and what further analyses add to it.

Everything that an audit need not have is absent by default, and what is absent is not shown.
The fields are named as in `Summary`, so a field that it gains is shown as soon as it stands here.
"""

from typing import Any

import msgspec

from wellworn.report.sides import Item, SetName, SetSummary
from wellworn.statistics.comparison import Comparison
from wellworn.statistics.estimates import Estimate
from wellworn.statistics.verdict import Verdict


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """A covariate in both sets."""

    name: str
    suspects: float
    """Its mean."""
    references: float
    """Its mean."""
    difference: float
    """The difference of the means in standard deviations."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What else was found, in words."""

    name: str
    """What it is about, in a word or two."""
    text: str
    """Whole sentences."""


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """An audit, as the page shows it."""

    wellworn: str
    """The version of the package."""
    created: str
    """When the summary was made, in UTC, ISO 8601."""
    run: str
    reference_run: str | None = None
    detector: str
    paper: str
    orientation: str
    parameters: dict[str, Any]
    verdict: Verdict
    comparison: Comparison | None = None
    estimates: tuple[Estimate, ...] = ()
    balance: tuple[Balance, ...] = ()
    """Of each covariate that estimates are adjusted for."""
    findings: tuple[Finding, ...] = ()
    """What stands beside the estimates, such as their overlap or what carries them."""
    suspects: SetSummary
    references: SetSummary | None = None
    notes: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    control: str | None = None
    """The model whose scores are the base scores."""
    command: str
    """The command that makes the report again."""

    def scores(self, name: SetName) -> list[float]:
        """Return the scores of a set that are compared."""
        return [
            item.score
            for item in self.items
            if item.set == name and item.compared and item.score is not None
        ]
