"""The prompts of an audit as numbers: what is compared, and what it is adjusted for.

Covariates are fixed before the RL that is in question: what the control model (the base, or
an earlier checkpoint) does on a prompt, and the prompt's length. What the tuned model does is
no covariate but an outcome, since training moves it.

RL moves prompts of middling difficulty most, trained on or not. So sets that are equally hard
on the whole, but unequally spread, differ in what RL does to them, and the measures of
difficulty enter an adjustment squared too (`Design.with_squares`).

A covariate that is missing here and there costs those prompts. One that is missing widely,
does not vary, or follows from others is left out, and the design says so.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from math import log1p
from typing import NamedTuple

import msgspec
import numpy as np

GIVEN = 0.9
"""The least share of each set that must have a number for it to be used."""
FOLLOWS = 0.999
"""The share of a covariate's variance that others explain, from which it is left out."""
MOST_UNITS = 400
"""Independent units that are left out one by one; of more, several at once."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One compared prompt, without its text; what is not known is None."""

    prompt_id: str
    suspect: bool
    score: float | None = None
    """The detector on the tuned model; higher means more likely trained on."""
    base_score: float | None = None
    """The same detector on the control model: the base, or an earlier checkpoint."""
    pass_rate: float | None = None
    """Share of the tuned model's samples that are correct."""
    base_pass_rate: float | None = None
    """Share of the control model's samples that are correct."""
    base_samples: int | None = None
    """How many samples the control model's pass rate is of."""
    prompt_length: int
    """In characters."""
    length: float | None = None
    """Mean length of the tuned model's completions."""
    base_length: float | None = None
    """Mean length of the control model's completions."""
    truncated: float | None = None
    """Share of the tuned model's completions that were cut short."""
    base_truncated: float | None = None
    """Share of the control model's completions that were cut short."""
    cluster: str | None = None
    """What it shares with others, such as a template: they do not count as independent."""


Reading = Callable[[Item], float | None]


def _log(value: float | None) -> float | None:
    return None if value is None else log1p(value)


BASE_SCORE, BASE_PASS_RATE = "base score", "base pass rate"

COVARIATES: dict[str, Reading] = {
    BASE_SCORE: lambda item: item.base_score,
    BASE_PASS_RATE: lambda item: item.base_pass_rate,
    "log base length": lambda item: _log(item.base_length),
    "log prompt length": lambda item: _log(item.prompt_length),
}
"""What was fixed before the RL in question."""

SQUARED = (BASE_SCORE, BASE_PASS_RATE)
"""Measures of difficulty, which are adjusted for with their squares."""
OF_SQUARE = ", squared"
"""What is added to the name of a covariate for that of its square."""

TUNED: dict[str, Reading] = {"tuned pass rate": lambda item: item.pass_rate}
"""What training moves too: adjusting for it takes a part of the effect itself away."""


class Design(NamedTuple):
    """The prompts that have all covariates in use, as arrays."""

    items: tuple[Item, ...]
    suspect: np.ndarray
    """bool[n]"""
    covariates: np.ndarray
    """float[n, p], each with mean 0 and standard deviation 1."""
    names: tuple[str, ...]
    """Of the covariates, p of them."""
    means: np.ndarray
    """float[p], what was taken from each covariate."""
    scales: np.ndarray
    """float[p], what it was divided by then."""
    units: np.ndarray
    """int[n], which independent unit a prompt belongs to: its cluster, or itself alone."""
    notes: tuple[str, ...]
    """What was left out, and why."""

    @property
    def sizes(self) -> tuple[int, int]:
        """How many suspects and references there are."""
        return int(self.suspect.sum()), int((~self.suspect).sum())

    @property
    def independent(self) -> tuple[int, int]:
        """How many independent units suspects and references have."""
        suspects, references = (np.unique(self.units[s]) for s in (self.suspect, ~self.suspect))
        return len(suspects), len(references)

    @property
    def without_covariates(self) -> "Design":
        """The same prompts, adjusted for nothing."""
        return self._replace(covariates=self.covariates[:, :0], names=())

    @property
    def with_squares(self) -> "Design":
        """The same, with the squares of what measures difficulty, centred at its mean.

        One that follows from the covariates, as that of a rate with two values does, is none.
        """
        raw = (self.covariates * self.scales).T
        columns = dict(zip(self.names, raw, strict=True))
        squares = {name + OF_SQUARE: columns[name] ** 2 for name in SQUARED if name in columns}
        kept, notes = _varying(columns | squares)
        matrix = np.column_stack([np.zeros((len(self.items), 0)), *kept.values()])
        means, scales = matrix.mean(axis=0), matrix.std(axis=0)
        return self._replace(
            covariates=(matrix - means) / scales,
            names=tuple(kept),
            means=means + np.pad(self.means, (0, len(kept) - len(self.names))),
            scales=scales,
            notes=(*self.notes, *notes),
        )


def design_of(items: Sequence[Item], covariates: Mapping[str, Reading]) -> Design:
    """Return the prompts and the covariates that can be used; perhaps none of these."""
    suspect = suspects_of(items)
    known, widely_missing = _known(items, covariates, suspect)
    whole = np.logical_and.reduce([suspect | True, *map(np.isfinite, known.values())])
    lacking = [f"{(~whole).sum()} prompts lack a covariate and are left out"] * (not whole.all())
    kept = list(compress(items, whole))
    columns, redundant = _varying({name: column[whole] for name, column in known.items()})
    matrix = np.column_stack([np.zeros((len(kept), 0)), *columns.values()])
    means, scales = matrix.mean(axis=0), matrix.std(axis=0)
    return Design(
        items=tuple(kept),
        suspect=suspect[whole],
        covariates=(matrix - means) / scales,
        names=tuple(columns),
        means=means,
        scales=scales,
        units=_units(kept),
        notes=(*widely_missing, *lacking, *redundant),
    )


def suspects_of(items: Sequence[Item]) -> np.ndarray:
    """Return bool[n], true for suspects."""
    return np.array([item.suspect for item in items], dtype=bool)


def column_of(items: Sequence[Item], read: Reading) -> np.ndarray:
    """Return a number of each item, float[n]; NaN where it has none."""
    values = [read(item) for item in items]
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def sums_by_unit(values: np.ndarray, units: np.ndarray) -> np.ndarray:
    """Return the sums of values, [n, ...], over each unit: [units, ...].

    >>> sums_by_unit(np.array([1, 2, 4]), np.array([0, 1, 0])).tolist()
    [5.0, 2.0]
    """
    sums = np.zeros((units.max() + 1, *values.shape[1:]))
    np.add.at(sums, units, values)
    return sums


def _known(
    items: Sequence[Item], covariates: Mapping[str, Reading], suspect: np.ndarray
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the covariates that most prompts of each set have, and what is said of others."""
    columns, notes = {}, []
    for name, read in covariates.items():
        column = column_of(items, read)
        given = min(np.isfinite(column[side]).mean() for side in (suspect, ~suspect))
        if given >= GIVEN:
            columns[name] = column
        else:
            notes.append(f"{name}: known of {given:.0%} of a set, so it is not adjusted for")
    return columns, notes


def _varying(columns: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the covariates that vary and do not follow from those before them."""
    kept: dict[str, np.ndarray] = {}
    notes = []
    for name, column in columns.items():
        basis = np.column_stack([np.ones(len(column)), *kept.values()])
        rest = column - basis @ np.linalg.lstsq(basis, column)[0]
        if np.ptp(column) < 1e-12:
            notes.append(f"{name}: the same for all prompts, so there is nothing to adjust for")
        elif rest.var() <= (1 - FOLLOWS) * column.var():
            notes.append(f"{name}: follows from the other covariates and is left out")
        else:
            kept[name] = column
    return kept, notes


def _units(items: Sequence[Item]) -> np.ndarray:
    """Return the number of each item's cluster; one without is a unit of its own."""
    names = [
        ("item", str(place)) if item.cluster is None else ("cluster", item.cluster)
        for place, item in enumerate(items)
    ]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] % MOST_UNITS for name in names], dtype=int)
