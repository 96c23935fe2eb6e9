"""Completions that the user already has, into a run.

A file is taken whole or not at all, and once: its unpacked content is remembered, so that
the same command can be repeated. Completions of a prompt are numbered in the order of files
and rows, or as the log numbers them; files that are imported later go on from there. A file that
repeats what the run holds, as a log that has grown, adds what is new; see
`wellworn.readers.repeats`. Data whose completions are all the same are taken as greedy.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.importing.plans import Plan, planned, take
from wellworn.readers import Layout, Reading, read_completions
from wellworn.readers.agreement import UNKNOWN
from wellworn.readers.quality import GREEDY, Quality, looks_greedy
from wellworn.readers.repeats import Repeats
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
        reading = read_completions(
            *(new.values(), layout),
            reader=reader,
            wandered=sources.wandered,
            may_be_none=bool(again),
        )
        if not reading.files:
            return Imported(0, 0, tuple(reading.took), tuple(again)).renamed(sources)
        with store.transaction():
            plan = planned(store, reading, layout, repeats)
            asked = [replace(p, source=sources.said(p.source)) for p in plan.prompts.values()]
            store.put_set(set_name, asked, extend=True)
            done = _added(store, plan, reading).renamed(sources)
            store.put_notes("import", done.notes, extend=True)
            read = {file.path for file in reading.files}
            taken = {key: sources.said(str(path)) for key, path in new.items() if path in read}
            store.set_meta("imports", known | taken)
    return done._replace(notes=(*done.notes, *map(sources.said, again)))


def _added(store: Store, plan: Plan, reading: Reading) -> Imported:
    """Store what the files bring."""
    store.use(plan.generation)
    count = sum(take(store, plan, file) for file in reading.files)
    reading.check()
    store.clear_scores()
    if reading.subset:
        store.set_meta("subset", True)
    took = (*reading.took, *_unsaid(plan.generation), *plan.kept.facts())
    notes = (*reading.notes, *plan.kept.notes(), *plan.notes)
    return Imported(plan.kept.prompts, count, took, notes, plan.kept.samples)


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
        took = (*reading.took, *_unsaid(reading.generation), *quality.facts())
        pairs = (
            (replace(item.prompt, source=sources.said(item.place)), completion)
            for item in reading.items()
            for completion in item.completions
        )
        examples = tuple(islice(pairs, shown))
        found = Imported(len(prompts), count, took, notes, quality.samples, examples)
        return found.renamed(sources)


def _unsaid(generation: Generation) -> Iterator[str]:
    """Say what neither the files nor the user do, without which a run bears no claim."""
    if generation.model == UNKNOWN:
        yield "model: not stated; --model-name says it"
    if generation.temperature is None:
        yield "temperature: not stated; --temperature says it"


def _some(paths: Sequence[str | Path]) -> Sequence[str | Path]:
    if not paths:
        raise BadInput("no file was given to import.\nWrite `wellworn import FILE … -o RUN`.")
    return paths
