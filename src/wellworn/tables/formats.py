"""Rows out of one format each. A new format is a function and a line in `FORMATS`."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.tables.files import (
    PACKED,
    as_text,
    check_file,
    parse_json,
    read_bytes,
    read_lines,
)
from wellworn.tables.values import describe, json_safe

_SKIP = "Mend the row, or leave it out with `--skip-bad-rows` (the report will list it)."
_CELL = 2**31 - 1
_BATCH = 64


class Row(NamedTuple):
    """One row of a file."""

    place: str
    fields: dict[str, Any]


class Unwanted(BadInput):
    """A sound row that the user did not ask for: it is passed over, and counted."""

    def __init__(self, kind: str) -> None:
        """Pass over a row; `kind` says what it is, as it is counted by."""
        super().__init__(kind)
        self.kind = kind


class BadRows:
    """What becomes of a row that cannot be read: an error, or a sentence in the report."""

    def __init__(self, *, skip: bool = False) -> None:
        self._skip = skip
        self.reasons: list[str] = []
        """The place of each row that was left out, and why."""
        self.unwanted: Counter[str] = Counter()
        """How many rows of each kind were not asked for."""

    def __call__(self, error: BadInput) -> None:
        """Count an unwanted row; raise any other `error`, or keep its first line if so told."""
        if isinstance(error, Unwanted):
            self.unwanted[error.kind] += 1
            return
        if not self._skip:
            raise error
        self.reasons.append(str(error).partition("\n")[0].removesuffix("."))

    def notes(self, shown: int = 5) -> list[str]:
        """Return the sentence that tells which rows were left out; none if none was."""
        if not self.reasons:
            return []
        more = len(self.reasons) - shown
        listed = "; ".join(self.reasons[:shown]) + (f"; and {more:,} more" if more > 0 else "")
        were = "row was" if len(self.reasons) == 1 else "rows were"
        return [f"{len(self.reasons):,} bad {were} left out: {listed}."]


def bad_row(place: str, fact: str) -> BadInput:
    """Return the error that says what is amiss with a row, and how to go on without it."""
    return BadInput(f"{place}: {fact}.\n{_SKIP}")


def object_row(place: str, value: Any) -> Row:
    """Return a JSON value as a row.

    Raises:
        BadInput: It is no object.
    """
    if not isinstance(value, dict):
        raise bad_row(place, f"a row is an object; this one is {describe(value)}")
    return Row(place, value)


def _json_lines(path: Path, bad: BadRows) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), start=1):
        if line.isspace():
            continue
        try:
            value = parse_json(line, path, number, mend=_SKIP)
            row = object_row(f"{path}:{number}", value)
        except BadInput as error:
            bad(error)
        else:
            yield row


def _text(path: Path, bad: BadRows) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), start=1):
        try:
            text = as_text(line, path, number).rstrip("\r\n")
        except BadInput as error:
            bad(error)
        else:
            if text.strip():
                yield Row(f"{path}:{number}", {"prompt": text})


def _csv(path: Path, bad: BadRows, delimiter: str) -> Iterator[Row]:
    csv.field_size_limit(_CELL)  # the limit is the module's own: 128 KiB cut reasonings off
    lines = (as_text(line, path, number) for number, line in enumerate(read_lines(path), 1))
    table = csv.reader(lines, delimiter=delimiter, strict=True)
    header = _header(path, table)
    while True:
        place = f"{path}:{table.line_num + 1}"
        try:
            cells = next(table, None)
        except csv.Error as error:
            bad(bad_row(place, f"the row that begins here is no CSV: {error}"))
            continue
        if cells is None:
            return
        if cells and len(cells) != len(header):
            fact = f"the header names {len(header)} columns, but this row has {len(cells)}"
            bad(bad_row(place, fact))
        elif cells:
            yield Row(place, dict(zip(header, cells, strict=True)))


def _header(path: Path, table: Iterator[list[str]]) -> list[str]:
    try:
        header = next(filter(None, table), [])
    except csv.Error as error:
        raise BadInput(f"{path}: the header is no CSV: {error}.\nMend the first line.") from None
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"{path}: two columns are called '{twice}'.\nRename one of them.")
    return header


def _parquet(path: Path, bad: BadRows) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_file(path)
    packed = path.suffix.lower() in PACKED
    number = 0
    try:
        with pq.ParquetFile(io.BytesIO(read_bytes(path)) if packed else path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for fields in batch.to_pylist():
                    number += 1
                    yield Row(f"{path}: row {number}", json_safe(fields))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        fact = str(error).partition("\n")[0].removesuffix(".")
        raise BadInput(
            f"{path}: this is no Parquet file that can be read, after row {number}: {fact}.\n"
            f"Write it again, or copy it again."
        ) from None


FORMATS: dict[str, Callable[[Path, BadRows], Iterator[Row]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".json": _json_lines,
    ".csv": partial(_csv, delimiter=","),
    ".tsv": partial(_csv, delimiter="\t"),
    ".parquet": _parquet,
    ".txt": _text,
}
"""Ending of the file name, without `.gz`: how its rows are read.

A `.json` file comes here only if it holds a row a line; see `wellworn.tables`.
"""
