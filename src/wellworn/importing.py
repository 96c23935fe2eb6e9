"""Completions that the user already has, into a run.

A file is taken whole or not at all, and once: its content is remembered, so that the same
command can be repeated. Completions of a prompt are numbered in the order of files and
rows; files that are imported later go on from there.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.readers import Layout, Reading, read_completions
from wellworn.records import Prompt
from wellworn.report.summary import SetName
from wellworn.store import Store


class Imported(NamedTuple):
    """What an import came to."""

    prompts: int
    completions: int
    took: tuple[str, ...]
    """Sentences that say what was taken for what."""
    notes: tuple[str, ...]
    """What a report should say of it."""


def import_run(
    store: Store,
    paths: Sequence[Path],
    layout: Layout | None = None,
    *,
    reader: str = "auto",
    set_name: SetName = "suspects",
) -> Imported:
    """Read completions out of files into a run.

    Raises:
        BadInput: A file cannot be read, or holds no prompts and completions that are found.
    """
    if not paths:
        raise BadInput("no file was given to import.\nWrite `wellworn import FILE … -o RUN`.")
    known: dict[str, str] = store.meta("imports") or {}
    digests = {_digest(path): path for path in paths}
    new = {digest: path for digest, path in digests.items() if digest not in known}
    again = [
        f"{path}: imported before (as {known[digest]}); it was passed over."
        for digest, path in digests.items()
        if digest in known
    ]
    if not new:
        return Imported(0, 0, (), tuple(again))
    reading = read_completions(new.values(), layout, reader=reader)
    with store.transaction():
        prompts, completions = _take(store, reading, set_name)
        store.set_meta("imports", known | {digest: str(path) for digest, path in new.items()})
        store.set_meta("scored", None)
        store.put_notes("import", reading.notes, extend=True)
    return Imported(prompts, completions, tuple(reading.took), (*reading.notes, *again))


def _take(store: Store, reading: Reading, set_name: SetName) -> tuple[int, int]:
    """Store what is read; return how many prompts and completions that was."""
    generation = reading.generation
    store.use(generation)
    prompts: dict[str, Prompt] = {}
    following: dict[str, int] = {}
    count = 0
    for prompt, completions in reading:
        if prompt.id not in prompts:
            prompts[prompt.id] = prompt
            following[prompt.id] = len(store.indices(prompt.id, "sample", generation))
        numbered = [
            replace(completion, index=index, generation=generation)
            for index, completion in enumerate(completions, following[prompt.id])
        ]
        store.add((prompt.id, "sample", completion) for completion in numbered)
        following[prompt.id] += len(numbered)
        count += len(numbered)
    store.put_set(set_name, list(prompts.values()), extend=True)
    return len(prompts), count


def _digest(path: Path) -> str:
    """Return a digest of a file's content; one that cannot be read is refused by its reader."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return str(path)
