"""Completions that the user already has: one module a format, found by looking at the file.

A reader looks at a file and says what it found there; nothing is held in memory, so that
a log of gigabytes can be read. A new one is a module and a line in `READERS`; the first
that claims a file and finds prompts and completions in it reads it.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path

from wellworn.errors import BadInput, unknown
from wellworn.readers.base import Found, Item, Layout, Missed, Reader
from wellworn.readers.reading import FileReading, Reading
from wellworn.tables.files import read_head

__all__ = [
    "READERS",
    "FileReading",
    "Found",
    "Item",
    "Layout",
    "Missed",
    "Reader",
    "Reading",
    "read_completions",
]

READERS: dict[str, tuple[str, str]] = {
    "plain": (
        "wellworn.readers.plain:PLAIN",
        "JSONL, JSON, CSV or Parquet with a prompt and a completion, or a list of them, in a row",
    ),
}
"""Name: where the reader lies, and what it reads. They are tried in this order."""


def read_completions(
    paths: Iterable[str | Path], layout: Layout | None = None, *, reader: str = "auto"
) -> Reading:
    """Look at files and return how to read the completions in them.

    Args:
        paths: The files.
        layout: What the user says of them; the rest is found.
        reader: A name in `READERS`, or "auto" to try them in turn.

    Raises:
        BadInput: A file cannot be read, no reader finds prompts and completions in it, or
            the files state different parameters.
    """
    if reader != "auto" and reader not in READERS:
        raise BadInput(unknown("reader", reader, ["auto", *READERS]))
    layout = layout or Layout()
    names = list(READERS) if reader == "auto" else [reader]
    return Reading({Path(path): _find(Path(path), names, layout) for path in paths}, layout)


def _find(path: Path, names: Sequence[str], layout: Layout) -> Found:
    head = read_head(path)
    misses: dict[str, Missed] = {}
    for name in names:
        where, summary = READERS[name]
        module, _, attribute = where.partition(":")
        reader: Reader = getattr(import_module(module), attribute)
        if not reader.claims(path, head):
            misses[name] = Missed(f"not its kind of file; it reads {summary}")
            continue
        found = reader.read(path, layout)
        if isinstance(found, Found):
            return found
        misses[name] = found
    looked = "".join(f"\n  {name}: {missed.fact}." for name, missed in misses.items())
    seen = "".join(f"\n{missed.seen}" for missed in misses.values() if missed.seen)
    raise BadInput(f"{path}: no reader finds prompts and completions in it.{looked}{seen}")
