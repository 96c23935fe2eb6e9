"""Files in which completions were found, joined and read."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Item, Layout
from wellworn.readers.parameters import check_same, generation_of, with_model
from wellworn.records import Completion, Prompt
from wellworn.tables.formats import BadRows


class FileReading:
    """Items out of one file. Iterate over it to read them, as often as you like."""

    def __init__(self, path: Path, found: Found, named: dict[str, tuple[str, Path]], skip: bool):
        """Read what was found in a file.

        Args:
            path: The file.
            found: What was found.
            named: The prompt of every item that files name, and the file that did first.
            skip: Leave out bad rows.
        """
        self.path = path
        self._found, self._named, self._skip = found, named, skip
        self._bad = BadRows()
        self.absent = self.strays = self.count = 0
        self.subset = False
        """Rows of the last iteration are of a run whose prompts are a random subset."""

    @property
    def reasons(self) -> list[str]:
        """The place of each row that the last iteration left out, and why."""
        return self._bad.reasons

    def __iter__(self) -> Iterator[Item]:
        """Yield the rows; those of one name all have the prompt of the first.

        Raises:
            BadInput: A row is bad, the file is damaged further on, or the name of an item
                is that of another prompt in another file.
        """
        self._bad = BadRows(skip=self._skip)
        self.absent = self.strays = self.count = 0
        self.subset = False
        first: dict[str, Prompt] = {}
        for item in self._found.items(self._bad):
            prompt = item.prompt
            if item.key is not None:
                prompt = first.setdefault(item.key, prompt)
                self._check_name(item.key, prompt)
            self.count += 1
            self.absent += item.absent
            self.strays += prompt.id != item.prompt.id
            self.subset |= item.subset
            yield item._replace(prompt=prompt)

    def _check_name(self, key: str, prompt: Prompt) -> None:
        known, path = self._named.setdefault(key, (prompt.id, self.path))
        if known != prompt.id:
            raise BadInput(
                f"{prompt.source}: the item '{key}' is another prompt here than in {path}.\n"
                f"Ids name items within one file only: import the files one after the other."
            )


class Reading:
    """Completions out of files. Iterate over it to read them, as often as you like."""

    def __init__(self, founds: Mapping[Path, Found], layout: Layout) -> None:
        """Join what was found in several files.

        Raises:
            BadInput: They state different parameters, or another model than the user.
        """
        stated = {
            path: with_model(found.parameters, layout.model_name, str(path))
            for path, found in founds.items()
        }
        parameters = next(iter(stated.values()), {})
        for path, here in stated.items():
            check_same(parameters, here, str(path))
        named: dict[str, tuple[str, Path]] = {}
        self.files = [
            FileReading(path, found, named, layout.skip_bad_rows) for path, found in founds.items()
        ]
        """The files, each of which can be read alone."""
        self.generation = generation_of(parameters)
        """The parameters that the files state; a model that is not stated is "unknown"."""
        self.took = _took(founds)
        """Sentences that say what was taken for what."""
        self._choices = [sentence for found in founds.values() for sentence in found.choices]

    def __iter__(self) -> Iterator[tuple[Prompt, tuple[Completion, ...]]]:
        """Yield prompts with their completions, in the order of the files and rows.

        A prompt comes as often as the log has rows of it. All completions have index 0
        and no parameters of their own: `generation` holds for all of them.

        Raises:
            BadInput: A row is bad, a file is damaged further on, or no row is left.
        """
        for file in self.files:
            for item in file:
                yield item.prompt, item.completions
        self.check()

    def check(self) -> None:
        """Refuse files of which no row was left, once they were read."""
        if not any(file.count for file in self.files):
            names = ", ".join(str(file.path) for file in self.files)
            raise BadInput(f"{names}: no completion is left.\n{' '.join(self.notes)}")

    @property
    def subset(self) -> bool:
        """A file that was read is of a run whose prompts are a random subset."""
        return any(file.subset for file in self.files)

    @property
    def notes(self) -> list[str]:
        """What a report should say of the last iteration, once that has ended."""
        bad = BadRows()
        bad.reasons = [reason for file in self.files for reason in file.reasons]
        absent = sum(file.absent for file in self.files)
        strays = sum(file.strays for file in self.files)
        return [*self._choices, *_counted(absent, strays), *bad.notes()]


def _took(founds: Mapping[Path, Found]) -> list[str]:
    """Return every sentence once; with the files it is about, where not about all."""
    about: dict[str, list[Path]] = {}
    for path, found in founds.items():
        for sentence in found.took:
            about.setdefault(sentence, []).append(path)
    return [
        sentence if len(paths) == len(founds) else f"{sentence}, in {_names(paths)}"
        for sentence, paths in about.items()
    ]


def _names(paths: Iterable[Path]) -> str:
    return ", ".join(path.name for path in paths)


def _counted(absent: int, strays: int) -> list[str]:
    notes = []
    if absent:
        notes.append(
            f"Completions without a text in the log (null, or failed): {absent:,}; "
            f"they are left out."
        )
    if strays:
        notes.append(
            f"Rows with another prompt than the first row of the same id: {strays:,}; "
            f"their completions count for that first prompt."
        )
    return notes
