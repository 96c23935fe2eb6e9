"""Where the rows lie inside a JSON document.

Tools nest their rows: `{"metadata": [row, row]}`, or lists in lists, as
`{"categories": [{"datasets": [{"results": [row]}]}]}`. A list of rows is named by the
keys that lead to it, `categories.datasets.results`; lists on the way are all followed.
A place names the indices too, from 0: `categories[0].datasets[2].results[5]`.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

_DEPTH = 30
"""So many objects may lie around a list of rows."""

_SEARCHED = 20
"""So many elements of each list are looked at to find further lists in them."""

TOP = "."
"""The name of the list that is the whole document."""

Keys = tuple[str, ...]


class Document:
    """A JSON document that holds lists of objects.

    >>> document = Document({"model": "m", "runs": [{"rows": [{"n": 1}]}, {"rows": [{"n": 2}]}]})
    >>> list(document.lists)
    ['runs', 'runs.rows']
    >>> list(document.rows("runs.rows"))
    [('runs[0].rows[0]', {'n': 1}), ('runs[1].rows[0]', {'n': 2})]
    >>> list(document.around())
    [{'model': 'm'}]
    """

    def __init__(self, value: Any) -> None:
        self._value = value
        found = _row_lists(value)
        self._keys = {".".join(keys) or TOP: keys for keys in found}
        self.lists = {name: found[keys] for name, keys in self._keys.items()}
        """The first objects of every list of objects by its name, outermost lists first.

        The whole document, if it is one, is called `.`.
        """

    def rows(self, name: str) -> Iterator[tuple[str, Any]]:
        """Yield the place and the value of every row of the list `name`."""
        return _rows_at(self._value, self._keys[name], "")

    def around(self) -> Iterator[dict[str, Any]]:
        """Yield what each object outside all lists says by itself, outermost objects first."""
        level = [self._value] if isinstance(self._value, dict) else []
        while level:
            inner = []
            for node in level:
                inner += [value for value in node.values() if isinstance(value, dict)]
                yield {k: v for k, v in node.items() if not isinstance(v, (dict, list))}
            level = inner


def _row_lists(document: Any) -> dict[Keys, list[dict[str, Any]]]:
    found: dict[Keys, list[dict[str, Any]]] = {}
    level: dict[Keys, list[Any]] = {(): [document]}
    for _ in range(_DEPTH):
        deeper: dict[Keys, list[Any]] = {}
        for keys, nodes in level.items():
            listed = [item for node in nodes for item in _objects(node)]
            if listed:
                found[keys] = listed[:_SEARCHED]
            for holder in listed + [node for node in nodes if isinstance(node, dict)]:
                for key, value in holder.items():
                    if isinstance(value, (dict, list)):
                        deeper.setdefault((*keys, key), []).append(value)
        level = {keys: nodes[:_SEARCHED] for keys, nodes in deeper.items()}
    return found


def _objects(node: Any) -> list[dict[str, Any]]:
    if not isinstance(node, list):
        return []
    return [item for item in islice(node, _SEARCHED) if isinstance(item, dict)]


def _rows_at(node: Any, keys: Keys, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            if keys:
                yield from _rows_at(item, keys, f"{place}[{index}]")
            else:
                yield f"{place}[{index}]", item
    elif isinstance(node, dict) and keys and keys[0] in node:
        inner = f"{place}.{keys[0]}" if place else keys[0]
        yield from _rows_at(node[keys[0]], keys[1:], inner)
