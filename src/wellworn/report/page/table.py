"""The table of prompts, as data for the browser: columns of equal length."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from wellworn.report.page.blocks import packed
from wellworn.report.page.contents import Contents
from wellworn.report.sides import SHOWN, Item, SetName, common_start

Kind = Literal["score", "change", "p", "share", "count"]
"""How a number is written: with three decimals, likewise with a sign, with two digits, in per
cent, or whole."""

_SHARED = 24
"""Characters that all prompts begin with from which they are left out."""


class Listed(Protocol):
    """What every prompt of a table has."""

    @property
    def prompt_id(self) -> str: ...  # noqa: D102
    @property
    def set(self) -> SetName: ...  # noqa: D102
    @property
    def prompt(self) -> str: ...  # noqa: D102
    @property
    def source(self) -> str: ...  # noqa: D102
    @property
    def reason(self) -> str | None: ...  # noqa: D102


Each = TypeVar("Each", bound=Listed)


class Column(NamedTuple, Generic[Each]):
    """A column of numbers."""

    name: str
    meaning: str
    kind: Kind
    read: Callable[[Each], float | None]
    minor: bool = True
    """Whether a narrow screen does without it."""


class Listing(NamedTuple):
    """The table of prompts, and what is said about it."""

    table: dict[str, Any]
    columns: Sequence[Column[Any]]
    detailed: int
    """Prompts whose completions are in the page."""
    most: str
    """Which these are, where they are not all."""
    states: Mapping[str, str]
    """The choices of what is shown, by the value that the script reads."""
    file: str
    """The file that holds all of it for programs."""

    @property
    def prompts(self) -> int:
        """How many the table has."""
        return len(self.table["ids"])

    @property
    def data(self) -> str:
        """The table for the browser."""
        return packed(self.table)


def _change(row: Item) -> float | None:
    return None if row.score is None or row.base_score is None else row.score - row.base_score


def _cut(row: Item) -> int | None:
    counts = row.counts
    return None if counts.finish_unknown == counts.completions else counts.truncated


_COLUMNS: tuple[Column[Item], ...] = (
    Column("score", "higher looks more trained on", "score", lambda r: r.score, minor=False),
    Column("value", "what the detector's paper defines", "score", lambda r: r.value),
    Column("error", "standard error of the score over completions", "score", lambda r: r.error),
    Column("p", "conformal p-value against the references", "p", lambda r: r.p),
    Column("q", "p after Benjamini and Hochberg", "p", lambda r: r.q, minor=False),
    Column("base", "score by the control model", "score", lambda r: r.base_score),
    Column("change", "score less that by the control model", "score", _change),
    Column("solved", "completions that the verifier takes", "share", lambda r: r.pass_rate),
    Column("base solved", "likewise of the control model", "share", lambda r: r.base_pass_rate),
    Column("m", "completions", "count", lambda r: r.counts.completions),
    Column("distinct", "different texts among them", "count", lambda r: r.counts.distinct),
    Column("cut", "completions that reached the most tokens", "count", _cut),
)


def columns_of(contents: Contents) -> list[Column[Item]]:
    """Return the columns in which prompts differ; the score always."""
    further = sorted({name for item in contents.items for name in item.others})
    more = [*_COLUMNS[1:], *map(_other, further)]
    return [_COLUMNS[0], *(c for c in more if len(set(map(c.read, contents.items))) > 1)]


def _other(name: str) -> Column[Item]:
    return Column(name, "score by this detector", "score", lambda row: row.others.get(name))


def table_of(contents: Contents, columns: Sequence[Column[Item]]) -> dict[str, Any]:
    """Return what the browser needs to show the table of an audit, as plain values."""
    return table_of_items(contents.items, columns) | {
        "runs": [contents.run, contents.reference_run or contents.run],
        "states": [_state(item) for item in contents.items],
        "sort": "0",
    }


def table_of_items(items: Sequence[Each], columns: Sequence[Column[Each]]) -> dict[str, Any]:
    """Return what any table of prompts shows of them."""
    start = common_start([item.prompt for item in items], _SHARED)
    return {
        "ids": [item.prompt_id for item in items],
        "references": [int(item.set == "references") for item in items],
        "prompts": [_line(item.prompt, start) for item in items],
        "sources": [item.source for item in items],
        "reasons": {str(i): item.reason for i, item in enumerate(items) if item.reason},
        "columns": [
            {"name": column.name, "kind": column.kind, "minor": column.minor}
            | {"values": list(_rounded(map(column.read, items)))}
            for column in columns
        ],
    }


def _line(prompt: str, start: int) -> str:
    """Return a prompt without its first characters, and with a sign where it goes on."""
    return prompt[start:] + ("…" if len(prompt) == SHOWN else "")


def _state(item: Item) -> int:
    """Return 0 for a prompt that is compared, 1 for one left out, 2 for one without a score."""
    return 2 if item.score is None else int(not item.compared)


def _rounded(values: Iterator[float | None]) -> Iterator[float | None]:
    for value in values:
        yield None if value is None else float(f"{value:.5g}")
