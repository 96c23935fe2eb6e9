"""Solving by assumption, as people write it down: suppose, conclude, contradict, go back.

Constraints stand as the rows of truth values that they allow. Where one of them leaves a
variable one value only, that follows; where it leaves no row at all, the last assumption
fails. The search begins with an assumption. Which variable is supposed, to be what, and which
constraint is looked at first are drawn, so that one problem is solved on many ways.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from wellworn.lab.tasks.draws import pick, shuffled

Known = dict[int, bool]
"""The value of each variable that has one."""


class Constraint(NamedTuple):
    """What some variables may be together."""

    label: str
    scope: tuple[int, ...]
    """The variables, from 0."""
    allowed: frozenset[tuple[bool, ...]]
    """Their values, in the order of `scope`."""


class Supposed(NamedTuple):
    """An assumption; it replaces the last one of the same variable, and what came after."""

    variable: int
    value: bool


class Follows(NamedTuple):
    """A constraint leaves a variable one value only."""

    label: str
    variable: int
    value: bool


class Fails(NamedTuple):
    """A constraint cannot hold any more."""

    label: str


Event = Supposed | Follows | Fails


def explore(
    constraints: Sequence[Constraint], variables: int, rng: Random
) -> tuple[list[Event], Known]:
    """Return the steps of a search and the solution that it ends with; empty if there is none.

    >>> differ = Constraint("differ", (0, 1), frozenset({(True, False), (False, True)}))
    >>> first = Constraint("first", (0,), frozenset({(True,)}))
    >>> explore([differ, first], 2, Random(0))[1] == {0: True, 1: False}
    True
    """
    events: list[Event] = []
    return events, _search(constraints, variables, {}, rng, events) or {}


def _search(
    constraints: Sequence[Constraint], variables: int, known: Known, rng: Random, log: list[Event]
) -> Known | None:
    while known and (event := _next(constraints, known, rng)) is not None:
        log.append(event)
        if isinstance(event, Fails):
            return None
        known = {**known, event.variable: event.value}
    unknown = [variable for variable in range(variables) if variable not in known]
    if not unknown:
        return known
    variable = pick(rng, unknown)
    for value in shuffled(rng, (True, False)):
        log.append(Supposed(variable, value))
        if found := _search(constraints, variables, {**known, variable: value}, rng, log):
            return found
    return None


def _next(constraints: Sequence[Constraint], known: Known, rng: Random) -> Follows | Fails | None:
    """Return what the first constraint that says something new, in a random order, says."""
    for label, scope, allowed in shuffled(rng, constraints):
        said = _says(allowed, tuple(map(known.get, scope)))
        if said is not None:
            return Follows(label, scope[said[0]], said[1]) if said else Fails(label)
    return None


@lru_cache(maxsize=1 << 16)
def _says(
    allowed: frozenset[tuple[bool, ...]], known: tuple[bool | None, ...]
) -> tuple[int, bool] | tuple[()] | None:
    """Return the first place with one value left, and that; nothing at all if no row fits."""
    fits = [row for row in allowed if all(k in (None, v) for k, v in zip(known, row, strict=True))]
    if not fits:
        return ()
    for place, value in enumerate(known):
        if value is None and len({row[place] for row in fits}) == 1:
            return place, fits[0][place]
    return None
