"""Files in which completions were found, joined and read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wellworn.errors import BadInput
from wellworn.readers.agreement import VARYING, check_same, generation_of
from wellworn.readers.base import Found, Item, Layout
from wellworn.records import Completion, Generation, Prompt
from wellworn.tables.formats import BadRows
from wellworn.tables.values import counted, enumerate_names


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
        self.origin = found.origin
        self._found, self._named, self._skip = found, named, skip
        self._begin()

    def _begin(self) -> None:
        self._bad = BadRows(skip=self._skip)
        self.absent = self.strays = self.count = 0
        self.subset = False
        """Rows of the last iteration are of a run whose prompts are a random subset."""
        self.refused: Counter[str] = Counter()
        """Why log-probabilities were not taken in the last iteration, and how often."""
        self.values = {name: {self._found.parameters.get(name)} for name in VARYING}
        """The values, in the last iteration, of the parameters that may vary."""

    @property
    def unwanted(self) -> Counter[str]:
        """How many rows of each other model the last iteration passed over."""
        return self._bad.unwanted

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
        self._begin()
        first: dict[str, Prompt] = {}
        for item in self._found.items(self._bad):
            try:
                if item.completions:
                    check_same(self._found.parameters, item.stated, item.place)
            except BadInput as error:
                self._bad(error)
                continue
            yield self._noted(item, first)

    def _noted(self, item: Item, first: dict[str, Prompt]) -> Item:
        """Return an item with the prompt of the first one of its name; count what it brings."""
        for name, values in self.values.items() if item.completions else ():
            values.add(item.stated.get(name))
        self.count += len(item.completions)
        self.absent += item.absent
        self.subset |= item.subset
        if item.refused:
            self.refused.update(item.refused)
        if item.key is None:
            return item
        prompt = first.setdefault(item.key, item.prompt)
        if prompt is item.prompt:
            self._check_name(item.key, prompt)
            return item
        self.strays += prompt.id != item.prompt.id
        return item._replace(prompt=prompt)

    def _check_name(self, key: str, prompt: Prompt) -> None:
        known, path = self._named.setdefault(key, (prompt.id, self.path))
        if known != prompt.id and self._found.named:
            raise BadInput(
                f"{prompt.source}: the item '{key}' is another prompt here than in {path}.\n"
                f"Ids name items within one file only: import the files one after the other."
            )


class Reading:
    """Completions out of files. Iterate over it to read them, as often as you like."""

    def __init__(
        self, founds: Mapping[Path, Found], layout: Layout, passed: Iterable[str] = ()
    ) -> None:
        """Join what was found in several files.

        Args:
            founds: What was found in each.
            layout: What the user says of them.
            passed: Sentences on files that were passed over.

        Raises:
            BadInput: They state different parameters, or another model than the user.
        """
        self._parameters = next(iter(founds.values())).parameters if founds else {}
        for path, found in founds.items():
            check_same(self._parameters, found.parameters, str(path))
        named: dict[str, tuple[str, Path]] = {}
        self.files = [
            FileReading(path, found, named, layout.skip_bad_rows) for path, found in founds.items()
        ]
        """The files, each of which can be read alone."""
        self.took = [*_took(founds), *passed]
        """Sentences that say what was taken for what, and which files were passed over."""
        self._choices = [sentence for found in founds.values() for sentence in found.choices]
        if layout.mix_steps:
            self._choices.append(
                "Completions of several steps or checkpoints may stand together: --mix-steps was "
                "given."
            )

    def __iter__(self) -> Iterator[tuple[Prompt, tuple[Completion, ...]]]:
        """Yield prompts with their completions, in the order of the files and rows.

        A prompt comes as often as the log has rows of it. All completions have index 0
        and no parameters of their own: `generation` holds for all of them.

        Raises:
            BadInput: A row is bad, a file is damaged further on, or no row is left.
        """
        for item in self.items():
            yield item.prompt, item.completions
        self.check()

    def items(self) -> Iterator[Item]:
        """Yield the rows of all files, and check nothing at the end."""
        for file in self.files:
            yield from file

    def check(self) -> None:
        """Refuse files of which no completion was left, once they were read."""
        if not any(file.count for file in self.files):
            names = ", ".join(str(file.path) for file in self.files)
            raise BadInput(f"{names}: no completion is left.\n{' '.join(self.notes)}")

    @property
    def generation(self) -> Generation:
        """The parameters that the files state; a model that is not stated is "unknown".

        What varies between rows is not known, once they have been read.
        """
        known = {k: v for k, v in self._parameters.items() if len(self._values(k)) < 2}
        return generation_of(known)

    def _values(self, name: str) -> set[Any]:
        return {value for file in self.files for value in file.values.get(name, ())}

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
        refused = sum((file.refused for file in self.files), Counter[str]())
        others = sum((file.unwanted for file in self.files), Counter[str]())
        varied = [name for name in VARYING if len(self._values(name)) > 1]
        return [
            *self._choices,
            *_counted(absent, strays),
            *(f"The {name} varies between completions; it is taken as unknown." for name in varied),
            *(_left_out(reason, count) for reason, count in refused.most_common()),
            *_passed_over(others),
            *bad.notes(),
        ]


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


def _left_out(reason: str, count: int) -> str:
    return f"The log-probabilities of {counted(count, 'completion')} were not taken: {reason}."


def _passed_over(others: Counter[str]) -> list[str]:
    if not others:
        return []
    models = enumerate_names([f"{name} ({count:,})" for name, count in others.most_common()], 5)
    return [f"Rows of other models than --only-model were passed over: {models}."]


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
