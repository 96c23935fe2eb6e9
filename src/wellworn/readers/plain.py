"""Plain tables: a row holds a prompt and one completion of it, or a list of them.

This reads what most scripts write, and our own exports. Fields are found by their names
and shapes (see `columns`), the rows of a JSON document by looking for a list that has both.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from wellworn.backends.reasoning import finish_reason, split_reasoning
from wellworn.errors import BadInput
from wellworn.prompts.values import answer_in, check_asks, make_prompt, unpack_chat
from wellworn.readers import own
from wellworn.readers.base import Found, Item, Layout, Missed, Reader
from wellworn.readers.columns import Columns, completion_value, find_columns
from wellworn.readers.parameters import (
    agreed,
    check_same,
    parameters_around,
    parameters_of_parts,
    parameters_of_row,
    with_model,
)
from wellworn.readers.shapes import Part, hides_reasoning, parts_in
from wellworn.records import Completion, Prompt
from wellworn.tables import Glimpse, glimpse, read_rows
from wellworn.tables.documents import TOP
from wellworn.tables.files import suffix
from wellworn.tables.formats import FORMATS, BadRows, Row, bad_row
from wellworn.tables.values import describe, enumerate_names, value_at

_CELLS = (".csv", ".tsv")


def _claims(path: Path, head: bytes) -> bool:
    return suffix(path) in FORMATS


def _read(path: Path, layout: Layout) -> Found | Missed:
    cells = suffix(path) in _CELLS

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
    around = parameters_around(seen.around)
    states = partial(_stated, columns, around, layout.model_name)
    parameters = states(seen.sample[0])
    stated = [f"{name}: {value} from the file" for name, value in parameters.items()]
    if layout.model_name is not None:
        stated[list(parameters).index("model")] = f"model: {layout.model_name} (--model-name)"
    took = (*_rows_taken(seen), *columns.took, *stated)

    def check(row: Row) -> None:
        check_same(parameters, states(row), row.place)

    for row in seen.sample:
        check(row)
    plan = _Plan(path, seen.at, columns, layout, check)
    choices = tuple(f"{path}: {choice}" for choice in columns.choices)
    return Found(took, parameters, plan.items, choices)


def _stated(
    columns: Columns, around: dict[str, Any], model: str | None, row: Row
) -> dict[str, Any]:
    """Return the parameters of a row: its own, those around it, or what completions state."""
    if columns.own:
        return with_model(own.own_parameters(row), model, row.place)
    stated = agreed(around, parameters_of_row(row.fields), row.place)
    value = value_at(row.fields, columns.completion)
    return with_model({**parameters_of_parts(value, row.place), **stated}, model, row.place)


PLAIN = Reader(claims=_claims, read=_read)


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
    check: Callable[[Row], None]
    """Refuses a row that states other parameters than the first."""

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
        self.check(row)
        value = completion_value(row, self.columns)
        place = f"{row.place}: '{self.columns.completion}'"
        parts = parts_in(value, place, beside=row.fields)
        reasonings = self._beside(row, self.columns.reasoning, len(parts))
        finishes = self._beside(row, self.columns.finish, len(parts))
        alone = None if isinstance(value, (list, dict)) else row
        failed = alone is not None and bool(row.fields.get("error"))
        completions = tuple(
            completion
            for part, reasoning, finish in zip(parts, reasonings, finishes, strict=True)
            if part is not None and not failed
            if (completion := self._completion(part, reasoning, finish, alone)).finish_reason
            != "error"
        )
        if self.columns.own:
            own.check_probe(row)
        return Item(
            prompt=self._prompt(row, listed=alone is None),
            completions=completions,
            absent=len(parts) - len(completions),
            key=self._key(row),
            subset=self.columns.own and own.is_subset(row),
        )

    def _completion(
        self, part: Part, reasoning: str | None, finish: str | None, row: Row | None
    ) -> Completion:
        """Return a completion; `row` is its row, if it has one to itself."""
        text = part.text
        reasoning = part.reasoning if reasoning is None else reasoning
        if reasoning is None and not self.columns.own:
            reasoning, text = split_reasoning(text)
        return Completion(
            text=text,
            reasoning=reasoning,
            reasoning_hidden=hides_reasoning(part, text, reasoning),
            finish_reason=finish_reason(part.finish_reason if finish is None else finish),
            seed=None if row is None else _seed(str(row.fields.get("seed"))),
        )

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
            for name, held in row.fields.items()
            if listed and name not in used and not isinstance(held, (list, dict))
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
        value = None if name is None else value_at(row.fields, name)
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


def _seed(digits: str) -> int | None:
    """Return a seed that a run file can hold."""
    seed = int(digits) if digits.isdecimal() and len(digits) < 20 else None
    return seed if seed is not None and seed < 2**63 else None
