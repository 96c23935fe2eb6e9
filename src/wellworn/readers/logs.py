"""What readers of other tools' logs share: from what a row says to an item.

A reader says which fields a row has (a typed struct), and what they mean (`Logged`). Grouping,
reasoning, log-probabilities, parameters and what becomes of bad rows are one thing for all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.prompts.values import make_prompt, unpack_chat
from wellworn.readers.agreement import as_told, of_others
from wellworn.readers.base import Found, Item, Layout, Missed
from wellworn.readers.completions import made_of
from wellworn.readers.looking import LogFile
from wellworn.readers.shapes import Part
from wellworn.tables import SEEN, read_rows
from wellworn.tables.formats import BadRows, Row, bad_row

T = TypeVar("T")


class Logged(NamedTuple):
    """What a row of a log says."""

    place: str
    prompt: Any
    """A text as the model saw it, or a chat."""
    parts: Sequence[Part | None]
    """Its completions; None for one that failed."""
    key: str | None = None
    """The format's own name of the item."""
    gold: Any = None
    stated: Mapping[str, Any] = {}
    """Parameters; see `wellworn.readers.parameters`."""
    about: Mapping[str, Any] = {}
    """Further fields of the prompt, of which texts, numbers and truths are kept."""
    position: int | None = None
    chat: bool = False
    """A prompt that is a text is a user's message, whatever the user says."""
    bare: bool = False
    """A prompt that is a text is the question alone, and not all that the model saw."""


Rows = Callable[[LogFile, Layout, BadRows], Iterator[Logged]]


def by_row(logged: Callable[[Row], Logged | None]) -> Rows:
    """Return how a file is read whose rows are items; None passes a row over."""

    def all_of(row: Row) -> list[Logged]:
        found = logged(row)
        return [] if found is None else [found]

    return by_rows(all_of)


def by_rows(logged: Callable[[Row], Sequence[Logged]]) -> Rows:
    """Return how a file is read whose rows each hold any number of items."""

    def rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
        for row in read_rows(file.path, bad=bad):
            try:
                found = logged(row)
            except BadInput as error:
                bad(error)
            else:
                yield from found

    return rows


def as_written(place: str, fields: Any, shape: type[T]) -> T:
    """Return what a row holds as the struct of its format.

    Raises:
        BadInput: A field is missing, or of another type.
    """
    try:
        return msgspec.convert(fields, shape)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise bad_row(place, f"the row is not as this tool writes it: {error}") from None


def found_in(
    file: LogFile, layout: Layout, rows: Rows, *took: str, origin: str | None = None
) -> Found | Missed:
    """Return how a file is read, judging by its first rows.

    Args:
        file: The file.
        layout: What the user says of it.
        rows: How its rows are read.
        took: Sentences on what is taken for what.
        origin: Which sample of a log of several files it is.
    """

    def items(bad: BadRows) -> Iterator[Item]:
        for logged in rows(file, layout, bad):
            try:
                item = item_of(logged, layout)
            except BadInput as error:
                bad(error)
            else:
                yield item

    bad = BadRows(skip=layout.skip_bad_rows)
    sample = list(islice(items(bad), SEEN))
    if not sample and bad.unwanted:
        return of_others(bad.unwanted, layout)
    if not sample:
        return Missed("no row of it holds a completion")
    if not any(item.completions or item.absent for item in sample):
        return Missed("its first rows hold no texts, as those of tasks that only compare choices")
    parameters = dict(next((item.stated for item in sample if item.completions), {}))
    counts = sorted({len(item.completions) + item.absent for item in sample})
    each = "one a row" if counts == [1] else f"{counts[0]} to {counts[-1]} a row"
    each = f"{counts[0]} a row" if len(counts) == 1 and counts != [1] else each
    form = _form(sample[0], next(rows(file, layout, BadRows(skip=True)), None))
    said = (*took, f"prompt: {form}", f"completions: {each}", *from_file(parameters, layout))
    return Found(said, parameters, items, origin=origin)


def _form(item: Item, logged: Logged | None) -> str:
    if item.prompt.messages:
        return "a chat"
    if logged is not None and logged.bare:
        return "a text, the question alone: what the model saw around it is not in the log"
    return "a text, as the model saw it"


def from_file(parameters: Mapping[str, Any], layout: Layout) -> list[str]:
    """Return the sentences that say which parameters are known, and from whom."""
    told = {"model": layout.model_name, "temperature": layout.temperature}
    options = {"model": "--model-name", "temperature": "--temperature"}
    return [
        f"{name}: {value} ({options[name]})"
        if told.get(name) is not None
        else f"{name}: {value} from the file"
        for name, value in parameters.items()
    ]


def item_of(logged: Logged, layout: Layout) -> Item:
    """Return what a row says as an item.

    Raises:
        BadInput: The prompt is missing or no prompt, or the user says something else of it.
    """
    row = Row(logged.place, {})
    about = {"id": logged.key, **logged.about} if logged.key is not None else dict(logged.about)
    kept = {k: v for k, v in about.items() if isinstance(v, str | int | float | bool)}
    prompt = make_prompt(
        *(row, "prompt", unpack_chat(logged.prompt)),
        raw=not (layout.chat or logged.chat),
        system=layout.system,
        metadata=kept,
    )
    made = made_of(logged.parts)
    return Item(
        prompt=replace(prompt, answer=gold_text(logged.gold)),
        completions=made.completions,
        absent=made.absent,
        key=logged.key,
        place=logged.place,
        stated=as_told(dict(logged.stated), layout, logged.place) if made.completions else {},
        position=logged.position,
        refused=made.refused,
    )


def gold_text(value: Any) -> str | None:
    """Return a gold answer as text: a text, a number, or the first of a list."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return None
    return str(value)
