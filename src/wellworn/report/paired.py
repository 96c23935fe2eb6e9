"""Two runs on the same prompts, as the terminal, JSON and the page show them."""

from typing import Any

import msgspec

from wellworn.report.sides import SetName
from wellworn.statistics.change import Change
from wellworn.statistics.comparison import Comparison

SCHEMA_VERSION = 1


class PairedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt in both runs."""

    prompt_id: str
    set: SetName
    prompt: str
    """The first 400 characters of its last turn."""
    source: str
    first: float | None
    """Score in the first run."""
    second: float | None
    change: float | None
    reason: str | None
    """Why there is no change."""


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """How two runs differ."""

    schema_version: int = SCHEMA_VERSION
    wellworn: str
    """The version of the package."""
    created: str
    first_run: str
    second_run: str
    first_model: str
    second_model: str
    detector: str
    paper: str
    orientation: str
    parameters: dict[str, Any]
    """All that the scores depend on, but the model."""
    suspects: Change | None
    references: Change | None
    difference: Comparison | None
    """Changes of the suspects against those of the references."""
    items: tuple[PairedItem, ...]
    notes: tuple[str, ...]

    def changed(self, name: SetName) -> list[PairedItem]:
        """Return the prompts of a set whose change is known."""
        return [item for item in self.items if item.set == name and item.change is not None]
