"""What a reader is told and what it returns."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.readers.looking import LogFile
from wellworn.records import Completion, Prompt
from wellworn.tables.formats import BadRows

NO_FIELD = "none"
"""What a user says instead of a field's name where no field is to be read."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Where the completions lie in a file; what is not given is found by itself."""

    rows: str | None = None
    """List in a JSON document that holds the rows, as `runs.results`; `.` is the top."""
    prompt_field: str | None = None
    """Field that holds the prompt; a dot leads inside, as in `doc.query`."""
    completion_field: str | None = None
    """Field that holds the completion, or the list of them."""
    answer_field: str | None = None
    """Field that holds the gold answer; `answer`, `gold` and such are found by themselves."""
    id_field: str | None = None
    """Field that names the item: rows with the same id are completions of one prompt."""
    reasoning_field: str | None = None
    """Field that holds the reasoning; `none` reads no field."""
    finish_field: str | None = None
    """Field that says why a completion ended; `none` reads no field."""
    model_name: str | None = None
    """Model that the completions are of, where the files do not say it."""
    only_model: str | None = None
    """Model whose rows are taken from files that hold those of several."""
    temperature: float | None = None
    """Temperature that they were sampled at, where the files do not say it."""
    requests: Path | None = None
    """Requests of a batch, where they do not lie beside its output."""
    mix_steps: bool = False
    """Take completions of several training steps or checkpoints as those of one model."""
    chat: bool = False
    """Take prompts that are texts as a user's message, instead of what the model saw."""
    system: str | None = None
    """System message put before every prompt; needs `chat`."""
    skip_bad_rows: bool = False
    """Leave out rows that cannot be read, and list them in the report."""

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0 <= self.temperature < math.inf:
            raise BadInput(
                f"--temperature is {self.temperature}; it is 0 (greedy) or a number above."
            )
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
    """How many more completions the log lists without their text, or as failed."""
    key: str | None = None
    """The item's name in the log, where rows go by names: it groups them, else the prompt."""
    place: str = ""
    """Where it stands, for errors."""
    stated: Mapping[str, Any] = MappingProxyType({})
    """The parameters that the row states; see `wellworn.readers.parameters`."""
    position: int | None = None
    """Where the first completion stands among those of its prompt in the log, if it says so."""
    refused: tuple[str, ...] = ()
    """Why log-probabilities of completions were not taken, once for each."""
    subset: bool = False
    """The row is of a run whose prompts are a random subset."""


class Found(NamedTuple):
    """What a reader found in a file."""

    took: tuple[str, ...]
    """Sentences that say what was taken for what."""
    parameters: dict[str, Any]
    """What the file says of the generation; see `wellworn.readers.parameters`."""
    items: Callable[[BadRows], Iterator[Item]]
    """Reads the file from its beginning. It may raise BadInput on the way."""
    choices: tuple[str, ...] = ()
    """Sentences for the report, on fields that were taken though others would fit."""
    origin: str | None = None
    """Which sample of a log of several files this one is, as "seed 3": no two are copies."""
    named: bool = False
    """The user chose the field that names items, so it must not name two prompts."""


class Missed(NamedTuple):
    """What a reader looked for in a file and did not find."""

    fact: str
    seen: str = ""
    """What it saw instead, and the way out, in whole sentences."""
    companion: bool = False
    """The file is known, and none to read: it belongs to one that is, or is of another model."""


class Reader(NamedTuple):
    """A way to read completions."""

    lacks: Callable[[LogFile], str | None]
    """Says what a file lacks to be of this format, judging by its first row; None if nothing."""
    read: Callable[[LogFile, Layout], Found | Missed]
    """Looks at a file. It raises BadInput where the file is damaged, or an option is amiss."""
