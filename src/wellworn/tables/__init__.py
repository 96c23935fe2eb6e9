"""Rows out of files: JSON Lines, JSON, CSV, TSV, Parquet and plain text, packed or not.

Every row knows its place, so that whoever reads it can say where something is amiss:
`a.jsonl:17`, `a.csv:4` (lines, from 1), `a.parquet: row 3` (from 1) or
`a.json: metadata[4]` (as the document's own index, from 0). Values are JSON values.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from wellworn.errors import BadInput, NoRows, unknown
from wellworn.tables.documents import Document
from wellworn.tables.files import check_file, parse_json, read_bytes, suffix
from wellworn.tables.formats import FORMATS, BadRows, Row, object_row
from wellworn.tables.values import describe, enumerate_names

SEEN = 20
"""So many rows are looked at to tell which field is which."""


class Glimpse(NamedTuple):
    """What the first rows of a file show, and, in a JSON document, where they lie."""

    sample: list[Row]
    at: str | None = None
    """Dotted name of the list that holds the rows; None where the file is no document."""
    lists: Sequence[str] = ()
    """Every list of objects in the document."""
    size: int = 0
    """How many rows the document has."""
    around: Sequence[dict[str, Any]] = ()
    """What each object of the document says outside all lists, outermost first."""


def read_rows(
    path: str | Path, *, at: str | None = None, bad: BadRows | None = None
) -> Iterator[Row]:
    """Yield the rows of a file, as they are read.

    Args:
        path: The file. Its ending names the format; `.gz` may follow.
        at: Dotted name of the list that holds the rows inside a JSON document; without
            it, the outermost list of objects is read.
        bad: What becomes of a bad row; without it, the first one is an error.

    Raises:
        BadInput: The file is missing, of an unknown format, damaged or not UTF-8, or a row is
            bad; NoRows if there is none.
    """
    path, bad = Path(path), bad or BadRows()
    document = _document(path)
    if document is not None:
        rows = _document_rows(path, document, at, bad)
    else:
        rows = _file_rows(path, at, bad)
    empty = True
    for row in rows:
        empty = False
        yield row
    if empty and not bad.reasons:
        raise NoRows(f"{path}: the file holds no rows.\nGive a file with at least one.")


def glimpse(
    path: str | Path,
    fits: Callable[[Sequence[Row]], bool],
    *,
    at: str | None = None,
    skip: bool = False,
) -> Glimpse:
    """Return the first rows of a file.

    In a JSON document, they are those of the list `at`; without it, of the outermost
    list whose rows satisfy `fits`; if none does, of the outermost list. With `skip`, bad
    rows are passed over.

    Raises:
        BadInput: As `read_rows`.
    """
    path, bad = Path(path), BadRows(skip=skip)
    document = _document(path)
    if document is None:
        return Glimpse(_first_rows(path, read_rows(path, at=at, bad=bad), bad))
    if at is None:
        samples = {name: [Row("", row) for row in rows] for name, rows in document.lists.items()}
        fit = (name for name, sample in samples.items() if fits(sample))
        at = next(fit, next(iter(samples)))
    return Glimpse(
        sample=_first_rows(path, _document_rows(path, document, at, bad), bad),
        at=at,
        lists=list(document.lists),
        size=sum(1 for _ in document.rows(at)),
        around=list(document.around()),
    )


def _first_rows(path: Path, rows: Iterator[Row], bad: BadRows) -> list[Row]:
    sample = list(islice(rows, SEEN))
    if not sample:
        raise BadInput(f"{path}: none of the rows can be read.\n{' '.join(bad.notes())}")
    return sample


def fitting(
    sample: Sequence[Row],
    names: Iterable[str],
    fits: Callable[[str, Any], bool],
    *,
    mostly: bool = False,
) -> list[str]:
    """Return the fields that bear one of `names`, in any case, and hold what fits it.

    They come in the order of `names`. Nulls neither fit nor hinder. `mostly` takes a field of
    which more than half of the values fit.
    """
    fields = dict.fromkeys(field for row in sample for field in row.fields)
    found = []
    for name in names:
        for field in (field for field in fields if field.lower() == name):
            values = [row.fields[field] for row in sample if row.fields.get(field) is not None]
            held = sum(fits(name, value) for value in values)
            if values and (held == len(values) or (mostly and 2 * held > len(values))):
                found.append(field)
    return found


def describe_fields(sample: Sequence[Row]) -> str:
    """Return the fields of the first row and what they are, in words."""
    fields = sample[0].fields if sample else {}
    listed = [f"{name} ({describe(value)})" for name, value in fields.items()]
    return f"Fields of the first row: {enumerate_names(listed, 20) or 'none'}."


def read_document(path: Path) -> Any:
    """Return the value of a JSON document; None where the file has rows of its own.

    It is held in memory as a whole.

    Raises:
        BadInput: The file is missing or damaged.
    """
    data = read_bytes(path) if suffix(path) == ".json" else b""
    return None if not data.strip() or _holds_lines(data) else parse_json(data, path)


def _document(path: Path) -> Document | None:
    """Return the rows of a JSON document; None where the format has rows of its own."""
    ending = suffix(path)
    if ending not in FORMATS:
        check_file(path)
        kind = f"files that end in '{ending}'" if ending else "files without an ending"
        raise BadInput(
            f"{path}: {kind} are not read here.\n"
            f"Known endings: {', '.join(FORMATS)}, each also with .gz or .zst."
        )
    value = read_document(path)
    if value is None:
        return None
    document = Document(value)
    if not document.lists:
        raise NoRows(
            f"{path}: this JSON holds no list of objects, so it has no rows.\n"
            f"Rows are the objects of a list, at the top or anywhere inside."
        )
    return document


def _holds_lines(data: bytes) -> bool:
    """Tell JSON Lines from a document: the first line is an object, and more follows."""
    end = data.find(b"\n")
    if end < 0 or data[end:].isspace():
        return False
    try:
        return isinstance(msgspec.json.decode(data[:end]), dict)
    except (msgspec.MsgspecError, RecursionError):
        return False


def _document_rows(path: Path, document: Document, at: str | None, bad: BadRows) -> Iterator[Row]:
    name = next(iter(document.lists)) if at is None else at
    if name not in document.lists:
        raise BadInput(
            f"{path}: {unknown('list of rows', name, document.lists)}\n"
            f"Choose one with `--rows NAME`, or leave it out."
        )
    for place, value in document.rows(name):
        try:
            row = object_row(f"{path}: {place}", value)
        except BadInput as error:
            bad(error)
        else:
            yield row


def _file_rows(path: Path, at: str | None, bad: BadRows) -> Iterator[Row]:
    if at is not None:
        raise BadInput(
            f"{path}: rows at '{at}' are asked for, but only the lists of a JSON document "
            f"have names.\nLeave out `--rows`."
        )
    return FORMATS[suffix(path)](path, bad)
