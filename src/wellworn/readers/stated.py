"""What rows of a plain table state of their generation, row by row and taken together."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from wellworn.readers import own
from wellworn.readers.agreement import agreed, as_told, check_same
from wellworn.readers.base import Layout
from wellworn.readers.columns import Columns
from wellworn.readers.parameters import parameters_of_parts, parameters_of_row, telling
from wellworn.tables import SEEN
from wellworn.tables.formats import BadRows, Row, Unwanted
from wellworn.tables.values import value_at


class Stated:
    """The parameters of a row: its own, those around it, or what its completions state.

    Rows of a log mostly state what the row before did, and then they are not looked for again.
    """

    def __init__(self, columns: Columns, around: dict[str, Any], layout: Layout) -> None:
        self._columns, self._around, self._layout = columns, around, layout
        self._names: set[str] = set()
        self._telling: list[str] = []
        self._seen: list[Any] = []
        self._last: dict[str, Any] = {}

    def __call__(self, row: Row) -> dict[str, Any]:
        """Return what a row states.

        Raises:
            BadInput: It contradicts itself, what is around it, or the user.
        """
        fields, value = row.fields, value_at(row.fields, self._columns.completion)
        if self._columns.own or not isinstance(value, str):
            return self._found(row, value)
        if fields.keys() != self._names:
            self._names, self._seen = set(fields), [self]
            self._telling = telling(fields)
        seen = [fields[name] for name in self._telling]
        if seen != self._seen:
            self._last = self._found(row, value)
            self._seen = seen
        return self._last

    def _found(self, row: Row, value: Any) -> dict[str, Any]:
        if self._columns.own:
            return as_told(own.own_parameters(row), self._layout, row.place)
        stated = agreed(self._around, parameters_of_row(row.fields), row.place)
        stated = {**parameters_of_parts(value, row.place), **stated}
        return as_told(stated, self._layout, row.place)


def parameters_of(
    rows: Iterable[Row], states: Callable[[Row], dict[str, Any]], passed: BadRows
) -> dict[str, Any] | None:
    """Return what the first rows state, all alike; None where none of the rows is wanted.

    Args:
        rows: The rows.
        states: Returns what one states.
        passed: Counts those of other models, which are passed over.

    Raises:
        BadInput: Two rows state different things.
    """
    known: dict[str, Any] | None = None
    for place, here in islice(_wanted(rows, states, passed), SEEN):
        known = here if known is None else known
        check_same(known, here, place)
    return known


def _wanted(
    rows: Iterable[Row], states: Callable[[Row], dict[str, Any]], passed: BadRows
) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in rows:
        try:
            stated = states(row)
        except Unwanted as error:
            passed(error)
        else:
            yield row.place, stated
