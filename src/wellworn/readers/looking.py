"""A file as readers look at it: its first bytes, its first row, or its JSON document.

Each is read once, however many readers look, and a damaged one is seen as nothing: what is
amiss is said by the reader that reads the file.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from wellworn.errors import BadInput
from wellworn.tables import read_document, read_rows
from wellworn.tables.files import read_head, suffix
from wellworn.tables.formats import FORMATS, Row


class LogFile:
    """A file that may hold completions."""

    def __init__(self, path: Path, beside: Sequence[Path] = ()) -> None:
        """Look at a file.

        Args:
            path: The file.
            beside: The files that the user gives with it.
        """
        self.path = path
        self.beside = beside

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, unpacked.

        Raises:
            BadInput: The file cannot be read.
        """
        return read_head(self.path)

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The object that a JSON document is; None where it is another value, or rows."""
        try:
            value = read_document(self.path)
        except BadInput:
            return None
        return value if isinstance(value, dict) else None

    @cached_property
    def first(self) -> Row | None:
        """The first row; None where there is none, as in a JSON document."""
        if suffix(self.path) not in FORMATS or self.document is not None:
            return None
        try:
            return next(read_rows(self.path), None)
        except BadInput:
            return None

    def row_lacks(self, *names: str, one_of: Collection[str] = ()) -> str | None:
        """Say which of the fields `names` the first row lacks, or that it has none of `one_of`."""
        if self.first is None:
            return "it has no rows that can be read"
        where = self.first.place.removeprefix(str(self.path)).replace(":", " ").strip()
        place = f"line {where}" if where.isdecimal() else where
        return _missing(place or "its first row", self.first.fields, names, one_of)

    def document_lacks(self, *names: str) -> str | None:
        """Say which of the fields `names` the JSON document lacks."""
        if self.document is None:
            return "it is no JSON document"
        return _missing("the document", self.document, names, ())


def _missing(
    place: str, fields: dict[str, Any], names: Sequence[str], one_of: Collection[str]
) -> str | None:
    missing = [f"'{name}'" for name in names if name not in fields]
    if missing:
        return f"{place} has no {', '.join(missing)}"
    if one_of and not any(name in fields for name in one_of):
        return f"{place} has none of {', '.join(one_of)}"
    return None
