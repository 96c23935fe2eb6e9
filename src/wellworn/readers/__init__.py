"""Completions that the user already has: one module a format, found by looking at the file.

A reader looks at a file and says what it found there; nothing is held in memory, so that
a log of gigabytes can be read. A new one is a module and a line in `READERS`; the first
that claims a file and finds prompts and completions in it reads it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from wellworn.errors import BadInput, unknown
from wellworn.files import read_head
from wellworn.formats import BadRows
from wellworn.readers.parameters import agreed
from wellworn.records import Completion, Generation, Prompt

READERS: dict[str, tuple[str, str]] = {
    "plain": (
        "wellworn.readers.plain:PLAIN",
        "JSONL, JSON, CSV or Parquet with a prompt and a completion, or a list of them, in a row",
    ),
}
"""Name: where the reader lies, and what it reads. They are tried in this order."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Where the completions lie in a file; what is not given is found by itself."""

    rows: str | None = None
    """List in a JSON document that holds the rows, as `runs.results`; `.` is the top."""
    prompt_field: str | None = None
    """Field that holds the prompt; a dot leads inside, as in `doc.query`."""
    completion_field: str | None = None
    """Field that holds the completion, or the list of them."""
    id_field: str | None = None
    """Field that names the item: rows with the same id are completions of one prompt."""
    reasoning_field: str | None = None
    """Field that holds the reasoning; `none` reads no field."""
    finish_field: str | None = None
    """Field that says why a completion ended; `none` reads no field."""
    chat: bool = False
    """Take prompts that are texts as a user's message, instead of what the model saw."""
    system: str | None = None
    """System message put before every prompt; needs `chat`."""
    skip_bad_rows: bool = False
    """Leave out rows that cannot be read, and list them in the report."""

    def __post_init__(self) -> None:
        if self.system is not None and not self.chat:
            raise BadInput(
                "--system is given, but texts are taken as what the model saw, system message "
                "included.\nAdd --chat to take them as a user's message, or leave out --system."
            )


class Item(NamedTuple):
    """A row of a log: completions of one prompt, be they all or some."""

    prompt: Prompt
    completions: tuple[Completion, ...]
    absent: int = 0
    """How many more completions the log lists without their text."""
    key: str | None = None
    """The item's name in the log, where rows go by names: it groups them, else the prompt."""


class Found(NamedTuple):
    """What a reader found in a file."""

    took: tuple[str, ...]
    """Sentences that say what was taken for what."""
    parameters: dict[str, Any]
    """What the file says of the generation: fields of `Generation`."""
    items: Callable[[BadRows], Iterator[Item]]
    """Reads the file from its beginning. It may raise BadInput on the way."""


class Missed(NamedTuple):
    """What a reader looked for in a file and did not find."""

    fact: str
    seen: str = ""
    """What it saw instead, and the way out, in whole sentences."""


class Reader(NamedTuple):
    """A way to read completions."""

    claims: Callable[[Path, bytes], bool]
    """Tells from the name and the first bytes, unpacked, whether a file may be its own."""
    read: Callable[[Path, Layout], Found | Missed]
    """Looks at a file. It raises BadInput where the file is damaged, or an option is amiss."""


class Reading:
    """Completions out of files. Iterate over it to read them, as often as you like."""

    def __init__(self, founds: dict[Path, Found], layout: Layout) -> None:
        """Join what was found in several files.

        Raises:
            BadInput: They state different parameters.
        """
        self._founds = founds
        self._skip = layout.skip_bad_rows
        parameters: dict[str, Any] = {}
        for path, found in founds.items():
            parameters = agreed(parameters, found.parameters, str(path))
        self.generation = Generation(**{"model": "unknown", **parameters})
        """The parameters that the files state; a model that is not stated is "unknown"."""
        self.took = _took(founds)
        """Sentences that say what was taken for what."""
        self.notes: list[str] = []
        """What a report should say of the last iteration, once that has ended."""

    def __iter__(self) -> Iterator[tuple[Prompt, tuple[Completion, ...]]]:
        """Yield prompts with their completions, in the order of the files and rows.

        A prompt comes as often as the log has rows of it. All completions have index 0
        and no parameters of their own: `generation` holds for all of them.

        Raises:
            BadInput: A row is bad, a file is damaged further on, or no row is left.
        """
        bad = BadRows(skip=self._skip)
        first: dict[str, Prompt] = {}
        count = absent = strays = 0
        for item in chain.from_iterable(found.items(bad) for found in self._founds.values()):
            prompt = item.prompt if item.key is None else first.setdefault(item.key, item.prompt)
            count += 1
            absent += item.absent
            strays += prompt.id != item.prompt.id
            yield prompt, item.completions
        self.notes = [*_counted(absent, strays), *bad.notes()]
        if not count:
            files = ", ".join(map(str, self._founds))
            raise BadInput(f"{files}: no completion is left.\n{' '.join(self.notes)}")


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


def _took(founds: dict[Path, Found]) -> list[str]:
    """Return every sentence once; with the files it is about, where not about all."""
    about: dict[str, list[Path]] = {}
    for path, found in founds.items():
        for sentence in found.took:
            about.setdefault(sentence, []).append(path)
    return [
        sentence
        if len(paths) == len(founds)
        else f"{sentence}, in {', '.join(path.name for path in paths)}"
        for sentence, paths in about.items()
    ]


def _counted(absent: int, strays: int) -> list[str]:
    notes = []
    if absent:
        notes.append(
            f"Completions without a text in the log (null): {absent:,}; they are left out."
        )
    if strays:
        notes.append(
            f"Rows with another prompt than the first row of the same id: {strays:,}; "
            f"their completions count for that first prompt."
        )
    return notes
