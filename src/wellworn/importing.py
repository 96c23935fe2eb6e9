"""Completions that the user already has, into a run.

A file is taken whole or not at all, and once: its unpacked content is remembered, so that
the same command can be repeated. Completions of a prompt are numbered in the order of files
and rows, or as the log numbers them; files that are imported later go on from there. A file that
repeats what the run holds, as a log that has grown, adds what is new; see
`wellworn.readers.repeats`. Data whose completions are all the same are taken as greedy.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.readers import FileReading, Item, Layout, Reading, read_completions
from wellworn.readers.agreement import check_origin
from wellworn.readers.quality import GREEDY, Quality, looks_greedy
from wellworn.readers.repeats import Keys, Repeats, judged, key_of
from wellworn.readers.sources import STDIN, Sources, local_files
from wellworn.records import Completion, Generation, Prompt
from wellworn.report.sides import SetName
from wellworn.store import Store
from wellworn.tables.values import enumerate_names


class Imported(NamedTuple):
    """What an import came to, or would come to."""

    prompts: int
    completions: int
    took: tuple[str, ...]
    """Sentences that say what was taken for what."""
    notes: tuple[str, ...]
    """What a report should say of it."""
    samples: tuple[int, int] = (0, 0)
    """The least and the most completions that a prompt got."""
    examples: tuple[tuple[Prompt, Completion], ...] = ()
    """The first completions, where the files were looked at only."""

    def renamed(self, sources: Sources) -> "Imported":
        """Return the same with sentences in which copies go by what the user calls them."""
        took, notes = (tuple(map(sources.said, said)) for said in (self.took, self.notes))
        return self._replace(took=took, notes=notes)


def import_run(
    store: Store,
    paths: Sequence[str | Path],
    layout: Layout | None = None,
    *,
    reader: str = "auto",
    set_name: SetName = "suspects",
    repeats: Repeats = "auto",
) -> Imported:
    """Read completions out of files into a run.

    Args:
        store: The run.
        paths: Files, folders, globs, addresses that fsspec knows, or "-" for standard input.
        layout: What the user says of the files.
        reader: A name in `wellworn.readers.READERS`, or "auto".
        set_name: What the prompts are.
        repeats: What becomes of completions that the run seems to hold.

    Raises:
        BadInput: A file cannot be read, holds no prompts and completions that are found, or
            repeats some of what the run holds in a way that cannot be told apart.
    """
    with local_files(_some(paths)) as sources:
        known: dict[str, str] = store.meta("imports") or {}
        new, again = sources.unlike(known)
        if not new:
            return Imported(0, 0, (), tuple(again)).renamed(sources)
        reading = read_completions(
            *(new.values(), layout),
            reader=reader,
            wandered=sources.wandered,
            may_be_none=bool(again),
        )
        if not reading.files:
            return Imported(0, 0, tuple(reading.took), tuple(again)).renamed(sources)
        read = {file.path for file in reading.files}
        with store.transaction():
            plan = _plan(store, reading, layout, repeats)
            asked = [replace(p, source=sources.said(p.source)) for p in plan.prompts.values()]
            store.put_set(set_name, asked, extend=True)
            store.use(plan.generation)
            count = sum(_take(store, plan, file) for file in reading.files)
            reading.check()
            notes = tuple(map(sources.said, (*reading.notes, *plan.kept.notes(), *plan.notes)))
            taken = {
                content: sources.said(str(path)) for content, path in new.items() if path in read
            }
            store.set_meta("imports", known | taken)
            store.clear_scores()
            store.put_notes("import", notes, extend=True)
            if reading.subset:
                store.set_meta("subset", True)
    took = (*reading.took, *plan.kept.facts())
    done = Imported(plan.kept.prompts, count, took, (*notes, *again), plan.kept.samples)
    return done.renamed(sources)


def claim(store: Store, names: Sequence[str]) -> None:
    """Keep the run that logs are scored in, where none is named, to the logs it was made for.

    Raises:
        BadInput: It holds completions of others: two logs of one name may be of two models.
    """
    given = sorted(str(Path(name).absolute()) if Path(name).exists() else name for name in names)
    before: list[str] | None = store.meta("scored_from")
    same = before is not None and set(before) <= set(given) and STDIN not in given
    if any(store.prompt_ids()) and not same:
        held = f" from {enumerate_names(before, 3)}" if before else ""
        raise BadInput(
            f"{store.folder}: this run holds completions already{held}, and these are of "
            f"{enumerate_names(given, 3)}.\nName a run for them with -o."
        )
    store.set_meta("scored_from", given)


def preview(
    paths: Sequence[str | Path],
    layout: Layout | None = None,
    *,
    reader: str = "auto",
    shown: int = 2,
) -> Imported:
    """Read completions out of files, and keep none of them.

    Raises:
        BadInput: As `import_run`, but for repeats.
    """
    with local_files(_some(paths)) as sources:
        reading = read_completions(sources.files, layout, reader=reader, wandered=sources.wandered)
        quality, prompts, count = Quality(), set(), 0
        for item in reading.items():
            quality.see(item)
            prompts.add(item.prompt.id)
            count += len(item.completions)
        reading.check()
        greedy = [GREEDY] if looks_greedy(quality, reading.generation, layout) else []
        notes = (*reading.notes, *quality.notes(), *greedy)
        took = (*reading.took, *quality.facts())
        pairs = (
            (replace(item.prompt, source=sources.said(item.place)), completion)
            for item in reading.items()
            for completion in item.completions
        )
        examples = tuple(islice(pairs, shown))
        found = Imported(len(prompts), count, took, notes, quality.samples, examples)
        return found.renamed(sources)


def _some(paths: Sequence[str | Path]) -> Sequence[str | Path]:
    if not paths:
        raise BadInput("no file was given to import.\nWrite `wellworn import FILE … -o RUN`.")
    return paths


class _Plan(NamedTuple):
    """What of several files is to be added."""

    prompts: dict[str, Prompt]
    skip: dict[FileReading, dict[str, frozenset[int]]]
    """By file and prompt: which of its completions the run holds by then."""
    notes: list[str]
    kept: Quality
    """What is added is like."""
    generation: Generation


def _plan(store: Store, reading: Reading, layout: Layout | None, repeats: Repeats) -> _Plan:
    """Read the files once to see what they bring."""
    prompts: dict[str, Prompt] = {}
    brought: dict[FileReading, Keys] = {}
    quality = Quality()
    for file in reading.files:
        keys = brought.setdefault(file, {})
        for item in file:
            quality.see(item)
            prompts.setdefault(item.prompt.id, item.prompt)
            keys.setdefault(item.prompt.id, []).extend(map(key_of, item.completions))
    notes, generation = [], reading.generation
    if looks_greedy(quality, generation, layout):
        notes.append(GREEDY)
        generation = replace(generation, temperature=0.0)
    plan = _Plan(prompts, {}, notes, Quality(), generation)
    held = {
        record.prompt.id: [key_of(completion) for completion in record.completions("sample")]
        for record in store.records(generation)
        if record.prompt.id in prompts
    }
    _judge(store, plan, held, brought, repeats)
    return plan


def _judge(
    store: Store, plan: _Plan, held: Keys, brought: dict[FileReading, Keys], repeats: Repeats
) -> None:
    """Note what of each file is held by then; add the rest to `held`."""
    shown = {prompt_id: prompt.shown for prompt_id, prompt in plan.prompts.items()}
    origins: list[str | None] = store.meta("origins") or ([None] if any(held.values()) else [])
    for file, keys in brought.items():
        apart = file.origin is not None and None not in origins and file.origin not in origins
        how = "count" if apart and repeats == "auto" else repeats
        found = judged(held, keys, str(file.path), shown, how)
        if file.origin in origins and file.origin is not None and repeats == "auto":
            check_origin(held, keys, found, file.origin, str(file.path))
        plan.skip[file] = found.skip
        plan.notes.extend(filter(None, [None if apart else found.note]))
        for prompt_id, more in keys.items():
            skip = found.skip.get(prompt_id, frozenset())
            held.setdefault(prompt_id, []).extend(k for n, k in enumerate(more) if n not in skip)
        origins.append(file.origin)
    store.set_meta("origins", origins)


def _take(store: Store, plan: _Plan, file: FileReading) -> int:
    """Store what a file adds; return how many completions that was."""
    begin: dict[str, int] = {}
    """By prompt: the first number that the run did not hold before this file."""
    taken: dict[str, set[int]] = {}
    seen: dict[str, int] = {}
    count = 0
    for item in file:
        prompt_id = item.prompt.id
        if prompt_id not in begin:
            held = store.indices(prompt_id, "sample", plan.generation)
            begin[prompt_id] = max(held, default=-1) + 1
        skip = plan.skip[file].get(prompt_id, frozenset())
        first = seen.get(prompt_id, 0)
        seen[prompt_id] = first + len(item.completions)
        new = [c for n, c in enumerate(item.completions, first) if n not in skip]
        plan.kept.see(item._replace(completions=tuple(new)))
        places = _places(item, begin[prompt_id], taken.setdefault(prompt_id, set()), len(new))
        store.add(
            (prompt_id, "sample", replace(completion, index=index, generation=plan.generation))
            for index, completion in zip(places, new, strict=True)
        )
        count += len(new)
    return count


def _places(item: Item, begin: int, taken: set[int], count: int) -> list[int]:
    """Return the numbers that an item's completions get: as the log has them, if those are free."""
    start = begin + (len(taken) if item.position is None else item.position)
    wanted = range(start, start + count)
    if not taken.isdisjoint(wanted):
        following = max(taken) + 1
        wanted = range(following, following + count)
    taken.update(wanted)
    return list(wanted)
