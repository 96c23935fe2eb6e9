"""The two sets as a whole: what they hold, and what they are short of."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from wellworn.records import Counts
from wellworn.report.page.contents import Contents
from wellworn.report.page.words import share
from wellworn.report.sides import SETS, Item, SetName, SetSummary


class Facts(NamedTuple):
    """A table with a column for each set that there is."""

    sets: list[SetName]
    rows: list[tuple[str, list[str]]]
    """What is told, and a cell for each set."""


class Losses(NamedTuple):
    """What one set is short of, in counts."""

    name: SetName
    prompts: int
    scored: int
    compared: int
    completions: int
    kinds: dict[str, int]
    """Completions of each doubtful kind that occurs."""
    reasons: list[tuple[str, int]]
    """Why prompts have no score, and how many, the commonest first."""


_ROWS: dict[str, Callable[[SetSummary], str]] = {
    "prompts": lambda group: f"{group.prompts:,}",
    "compared": lambda group: f"{group.compared:,}",
    "median value": lambda group: _value(group, 1),
    "middle half": lambda group: f"{_value(group, 0)} to {_value(group, 2)}",
    "completions": lambda group: f"{group.completions:,}",
    "cut at the most tokens": lambda group: (
        "unknown" if group.truncated is None else share(group.truncated)
    ),
    "empty": lambda group: share(group.empty),
    "the same text again": lambda group: share(group.repeated),
}

_KINDS = {
    "truncated": "cut at the most tokens",
    "finish_unknown": "that do not say why they ended",
    "empty": "empty",
    "filtered": "ended or replaced by a content filter",
    "hidden": "with hidden reasoning",
    "replayed": "given twice by the server",
    "cut": "asked with a part of an earlier answer left out",
}


def facts_of(contents: Contents) -> Facts:
    """Return what each set holds."""
    both = zip(SETS, (contents.suspects, contents.references), strict=True)
    groups = {name: group for name, group in both if group}
    rows = [(told, [read(group) for group in groups.values()]) for told, read in _ROWS.items()]
    return Facts(list(groups), rows)


def _value(group: SetSummary, place: int) -> str:
    return f"{group.quartiles[place]:.3f}" if group.quartiles else "none"


def losses_of(contents: Contents) -> list[Losses]:
    """Return what each set is short of."""
    sets = [(name, [i for i in contents.items if i.set == name]) for name in SETS]
    return [_losses(name, items) for name, items in sets if items]


def _losses(name: SetName, items: Sequence[Item]) -> Losses:
    counts = [item.counts for item in items]
    kinds = {words: _total(counts, field) for field, words in _KINDS.items()}
    return Losses(
        name=name,
        prompts=len(items),
        scored=sum(item.score is not None for item in items),
        compared=sum(item.compared for item in items),
        completions=_total(counts, "completions"),
        kinds={words: number for words, number in kinds.items() if number},
        reasons=Counter(item.reason for item in items if item.reason).most_common(),
    )


def _total(counts: Sequence[Counts], field: str) -> int:
    return sum(getattr(count, field) for count in counts)
