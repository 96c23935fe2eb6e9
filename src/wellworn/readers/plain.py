"""Plain tables: a row holds a prompt and one completion of it, or a list of them.

This reads what most scripts write, and our own exports. Fields are found by their names
and shapes (see `columns`), the rows of a JSON document by looking for a list that has both.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.prompts.values import answer_in, check_asks, make_prompt, unpack_chat
from wellworn.readers import own
from wellworn.readers.agreement import of_others
from wellworn.readers.base import Found, Item, Layout, Missed, Reader
from wellworn.readers.columns import Columns, completion_value, find_columns
from wellworn.readers.completions import made_of
from wellworn.readers.logs import from_file
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_around, seed_in
from wellworn.readers.shapes import Part, parts_in
from wellworn.readers.stated import Stated, parameters_of
from wellworn.records import Prompt
from wellworn.tables import Glimpse, glimpse, read_rows
from wellworn.tables.documents import TOP
from wellworn.tables.files import suffix
from wellworn.tables.formats import FORMATS, BadRows, Row, bad_row
from wellworn.tables.values import describe, enumerate_names, value_at

_CELLS = (".csv", ".tsv")


def _lacks(file: LogFile) -> str | None:
    if suffix(file.path) in FORMATS:
        return None
    return f"not its kind of file; it reads {', '.join(FORMATS)}"


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    path, cells = file.path, suffix(file.path) in _CELLS

    def fits(rows: Sequence[Row]) -> bool:
        try:
            return isinstance(find_columns(rows, layout, cells=cells), Columns)
        except BadInput:
            return False

    seen = glimpse(path, fits, at=layout.rows, skip=layout.skip_bad_rows)
    rows = read_rows(path, at=seen.at, bad=BadRows(skip=True))
    columns = find_columns(seen.sample, layout, cells=cells, more=rows)
    if isinstance(columns, Missed):
        return Missed(columns.fact, f"{columns.seen}\n{_remedy(seen)}")
    states = Stated(columns, parameters_around(seen.around), layout)
    passed = BadRows(skip=True)
    parameters = parameters_of(_of_interest(path, seen, columns, layout), states, passed)
    if parameters is None:
        return of_others(passed.unwanted, layout)
    plan = _Plan(path, seen.at, columns, layout, states)
    return Found(
        took=(*_rows_taken(seen), *columns.took, *from_file(parameters, layout)),
        parameters=parameters,
        items=plan.items,
        choices=tuple(f"{path}: {choice}" for choice in columns.choices),
        named=layout.id_field is not None,
    )


def _of_interest(path: Path, seen: Glimpse, columns: Columns, layout: Layout) -> Iterable[Row]:
    """Return the rows to judge the parameters by: the first, or all if one model is wanted."""
    if layout.only_model is not None:
        return read_rows(path, at=seen.at, bad=BadRows(skip=True))
    held = [row for row in seen.sample if value_at(row.fields, columns.completion) is not None]
    return held or seen.sample[:1]


PLAIN = Reader(lacks=_lacks, read=_read)


def _rows_taken(seen: Glimpse) -> list[str]:
    if seen.at is None:
        return []
    where = "the list at the top" if seen.at == TOP else seen.at
    return [f"rows: {where} ({seen.size:,})"]


def _remedy(seen: Glimpse) -> str:
    remedy = "Name them with `--prompt-field` and `--completion-field`"
    if len(seen.lists) < 2:
        return f"{remedy}."
    return f"{remedy}, or the list of rows with `--rows`: {enumerate_names(seen.lists, 10)}."


class _Plan(NamedTuple):
    """How a file is read, once its fields are known."""

    path: Path
    at: str | None
    columns: Columns
    layout: Layout
    states: Callable[[Row], dict[str, Any]]
    """Returns the parameters that a row states."""

    def items(self, bad: BadRows) -> Iterator[Item]:
        """Yield what each row holds."""
        for row in read_rows(self.path, at=self.at, bad=bad):
            try:
                item = self._item(row)
            except BadInput as error:
                bad(error)
            else:
                yield item

    def _item(self, row: Row) -> Item:
        stated = self.states(row)
        value = completion_value(row, self.columns)
        parts = self._parts(row, value)
        made = made_of(parts, split=not self.columns.own)
        if self.columns.own:
            own.check_probe(row)
        return Item(
            prompt=self._prompt(row, listed=isinstance(value, (list, dict))),
            completions=made.completions,
            absent=made.absent,
            key=self._key(row),
            subset=self.columns.own and own.is_subset(row),
            place=row.place,
            stated=stated,
            refused=made.refused,
        )

    def _parts(self, row: Row, value: Any) -> list[Part | None]:
        """Return the completions of a row, with what stands beside them."""
        parts = parts_in(value, f"{row.place}: '{self.columns.completion}'", beside=row.fields)
        alone = not isinstance(value, (list, dict))
        if alone and row.fields.get("error"):
            return [None] * len(parts)
        if not (self.columns.reasoning or self.columns.finish or "seed" in row.fields):
            return parts
        reasonings = self._beside(row, self.columns.reasoning, len(parts))
        finishes = self._beside(row, self.columns.finish, len(parts))
        seed = seed_in(row.fields.get("seed")) if alone else None
        return [
            part
            and part._replace(
                reasoning=part.reasoning if reasoning is None else reasoning,
                finish_reason=part.finish_reason if finish is None else finish,
                seed=seed,
            )
            for part, reasoning, finish in zip(parts, reasonings, finishes, strict=True)
        ]

    def _prompt(self, row: Row, *, listed: bool) -> Prompt:
        """Return the row's prompt; a row of one completion says nothing more about it."""
        field, layout = self.columns.prompt, self.layout
        if self.columns.own:
            value = own.own_prompt(row)
        else:
            value = unpack_chat(value_at(row.fields, field))
            if not layout.prompt_field:
                check_asks(row, field, value)
        used = (field, self.columns.completion, self.columns.reasoning, self.columns.finish)
        metadata = {
            name: held
            for name, held in (row.fields.items() if listed else ())
            if name not in used and not isinstance(held, (list, dict))
        }
        prompt = make_prompt(
            row, field, value, raw=not layout.chat, system=layout.system, metadata=metadata
        )
        names = [name for name in used if name]
        return replace(prompt, answer=answer_in(row.fields, layout.answer_field, names))

    def _key(self, row: Row) -> str | None:
        name = self.layout.id_field
        if name is None:
            return None
        value = value_at(row.fields, name)
        if value is None:
            raise bad_row(row.place, f"'{name}' is missing, and items go by it")
        return str(value)

    def _beside(self, row: Row, name: str | None, count: int) -> list[str | None]:
        """Return what a field says of each of the row's completions."""
        if name is None:
            return [None] * count
        value = value_at(row.fields, name)
        if value == "" and suffix(self.path) in _CELLS:
            value = None
        values = value if isinstance(value, list) else [value] * count
        if len(values) != count:
            fact = (
                f"'{name}' has {len(values)} entries, but '{self.columns.completion}' has {count}"
            )
            raise bad_row(row.place, fact)
        wrong = next((held for held in values if not isinstance(held, (str, type(None)))), None)
        if wrong is not None:
            raise bad_row(row.place, f"'{name}' holds {describe(wrong)} where a text should be")
        return values
