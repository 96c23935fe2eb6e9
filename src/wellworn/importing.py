"""Completions that the user already has, into a run.

A file is taken whole or not at all, and once: its unpacked content is remembered, so that
the same command can be repeated. Completions of a prompt are numbered in the order of files
and rows; files that are imported later go on from there. A file that repeats what the run
holds, as a log that has grown, adds what is new; see `wellworn.readers.repeats`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.readers import FileReading, Layout, Reading, read_completions
from wellworn.readers.repeats import Keys, key_of, overlap
from wellworn.records import Prompt
from wellworn.report.sides import SetName
from wellworn.store import Store
from wellworn.tables.files import content_digest


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
        BadInput: A file cannot be read, holds no prompts and completions that are found, or
            repeats some of what the run holds in a way that cannot be told apart.
    """
    if not paths:
        raise BadInput("no file was given to import.\nWrite `wellworn import FILE … -o RUN`.")
    known: dict[str, str] = store.meta("imports") or {}
    new: dict[str, Path] = {}
    again = []
    for path in paths:
        content = content_digest(path)
        first = known.get(content) or new.get(content)
        if first is None:
            new[content] = path
        else:
            again.append(
                f"{path}: imported before (as {first}); it was passed over. To read it in another "
                f"way, import it into another folder."
            )
    if not new:
        return Imported(0, 0, (), tuple(again))
    reading = read_completions(new.values(), layout, reader=reader)
    with store.transaction():
        plan = _plan(store, reading, set_name)
        count = sum(_take(store, reading, file, plan.skip[file]) for file in reading.files)
        reading.check()
        notes = (*reading.notes, *plan.notes)
        store.set_meta("imports", known | {content: str(path) for content, path in new.items()})
        store.clear_scores()
        store.put_notes("import", notes, extend=True)
        if reading.subset:
            store.set_meta("subset", True)
    return Imported(len(plan.prompts), count, tuple(reading.took), (*notes, *again))


class _Plan(NamedTuple):
    """What of several files is to be added."""

    prompts: dict[str, Prompt]
    skip: dict[FileReading, dict[str, int]]
    """By file and prompt: how many of its first completions the run holds by then."""
    notes: list[str]


def _plan(store: Store, reading: Reading, set_name: SetName) -> _Plan:
    """Read the files once to see what they bring; store their prompts."""
    plan = _Plan({}, {}, [])
    brought: dict[FileReading, Keys] = {}
    for file in reading.files:
        keys = brought.setdefault(file, {})
        for item in file:
            plan.prompts.setdefault(item.prompt.id, item.prompt)
            keys.setdefault(item.prompt.id, []).extend(map(key_of, item.completions))
    store.put_set(set_name, list(plan.prompts.values()), extend=True)
    held = {
        record.prompt.id: [key_of(completion) for completion in record.completions("sample")]
        for record in store.records(reading.generation)
        if record.prompt.id in plan.prompts
    }
    shown = {prompt_id: prompt.shown for prompt_id, prompt in plan.prompts.items()}
    for file, keys in brought.items():
        found = overlap(held, keys, str(file.path), shown)
        plan.skip[file] = found.skip
        plan.notes.extend(filter(None, [found.note]))
        for prompt_id, more in keys.items():
            held.setdefault(prompt_id, []).extend(more[found.skip.get(prompt_id, 0) :])
    return plan


def _take(store: Store, reading: Reading, file: FileReading, skip: dict[str, int]) -> int:
    """Store what a file adds; return how many completions that was."""
    generation = reading.generation
    store.use(generation)
    skip = dict(skip)
    following: dict[str, int] = {}
    count = 0
    for item in file:
        prompt_id = item.prompt.id
        if prompt_id not in following:
            held = store.indices(prompt_id, "sample", generation)
            following[prompt_id] = max(held, default=-1) + 1
        left = min(skip.get(prompt_id, 0), len(item.completions))
        skip[prompt_id] = skip.get(prompt_id, 0) - left
        numbered = [
            replace(completion, index=index, generation=generation)
            for index, completion in enumerate(item.completions[left:], following[prompt_id])
        ]
        store.add((prompt_id, "sample", completion) for completion in numbered)
        following[prompt_id] += len(numbered)
        count += len(numbered)
    return count
