"""Prompt sets out of files and data sets.

The field that holds the prompt is given, or found: the first of `PROMPT_FIELDS` whose
values are texts or chats. A text becomes a user's message; with `raw`, it goes to the
model as it stands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.prompts.chats import as_messages
from wellworn.prompts.hub import PREFIX, read_hub
from wellworn.prompts.templates import Template
from wellworn.prompts.values import (
    answer_in,
    check_asks,
    check_field,
    check_instruction,
    find_prompt_fields,
    holds_prompt,
    make_prompt,
    unpack_chat,
)
from wellworn.records import Prompt, digest
from wellworn.tables import SEEN, describe_fields, glimpse, read_rows
from wellworn.tables.formats import BadRows, Row, bad_row
from wellworn.tables.values import value_at

_MARKS = ("<|im_start|>", "<|start_header_id|>", "<start_of_turn>", "[INST]", "<|User|>")

_BOTH = "Give `--template '{instruction}\\n{input}'`, or the one to ask with `--prompt-field NAME`."


@dataclass(frozen=True, kw_only=True)
class Fields:
    """How the rows of a file become prompts."""

    prompt_field: str | None = None
    """Field or column that holds the prompt; a dot leads inside, as in `doc.question`."""
    answer_field: str | None = None
    """Field that holds the gold answer; `answer`, `gold` and such are found by themselves."""
    template: str | None = None
    """Prompt made of columns, as "{question}\\nIn one word."; {{ is a brace, \\n a line break."""
    system: str | None = None
    """System message put before every prompt."""
    raw: bool = False
    """Send the prompt as a text to continue, without the model's chat template."""
    skip_bad_rows: bool = False
    """Leave out rows that cannot be read, and list them in the report."""

    def __post_init__(self) -> None:
        if self.raw and self.system is not None:
            raise BadInput(
                "--raw sends the text as it stands, so --system cannot be put before it.\n"
                "Leave out one of the two."
            )
        if self.template is not None and self.prompt_field is not None:
            raise BadInput(
                "--template and --prompt-field both say what the prompt is.\n"
                "Leave out one of the two."
            )


class PromptSet(NamedTuple):
    """Prompts, each once, and what a report should say of how they were read."""

    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...]


def read_prompts(source: str, fields: Fields | None = None) -> PromptSet:
    """Return the prompts of a file, or of a data set `hub:org/name[:split[:config]]`.

    Rows that ask the same are merged; the first one is kept, with its metadata.

    Raises:
        BadInput: The source cannot be read, has no field that fits, or has a bad row.
    """
    fields = fields or Fields()
    bad = BadRows(skip=fields.skip_bad_rows)
    sample, rows = _open(source, fields, bad)
    make, notes = _maker(source, sample, fields)
    prompts: dict[str, Prompt] = {}
    count = 0
    for row in rows:
        try:
            prompt = make(row)
        except BadInput as error:
            bad(error)
        else:
            count += 1
            prompts.setdefault(prompt.id, prompt)
    if not prompts:
        raise BadInput(f"{source}: no prompt is left.\n{' '.join(bad.notes())}")
    if count > len(prompts):
        notes.append(
            f"{source}: {count:,} rows hold {len(prompts):,} different prompts; "
            f"repeats were merged."
        )
    notes += [*_templated(source, prompts.values()), *bad.notes()]
    return PromptSet(tuple(prompts.values()), tuple(notes))


def sample_prompts(prompts: Sequence[Prompt], limit: int, seed: int) -> tuple[Prompt, ...]:
    """Return a random subset of `limit` prompts, in their order; all, if there are fewer.

    Whether a prompt is drawn depends on the seed and on its id, not on its position.

    Raises:
        BadInput: The limit is below 1.
    """
    if limit < 1:
        raise BadInput(f"--limit is {limit}; it must be 1 or more.")
    drawn = sorted(prompts, key=lambda prompt: digest([seed, prompt.id]))[:limit]
    ids = {prompt.id for prompt in drawn}
    return tuple(prompt for prompt in prompts if prompt.id in ids)


def _open(source: str, fields: Fields, bad: BadRows) -> tuple[list[Row], Iterator[Row]]:
    if source.startswith(PREFIX):
        rows = read_hub(source)
        sample = list(islice(rows, SEEN))
        return sample, chain(sample, rows)

    def fits(rows: Sequence[Row]) -> bool:
        wanted = _columns(fields)
        if not wanted:
            return bool(find_prompt_fields(rows))
        return all(value_at(row.fields, name) is not None for row in rows[:1] for name in wanted)

    seen = glimpse(source, fits, skip=fields.skip_bad_rows)
    return seen.sample, read_rows(source, at=seen.at, bad=bad)


def _columns(fields: Fields) -> list[str]:
    """Return the columns that the options name."""
    if fields.template is not None:
        return Template(fields.template).columns
    return [] if fields.prompt_field is None else [fields.prompt_field]


def _maker(
    source: str, sample: Sequence[Row], fields: Fields
) -> tuple[Callable[[Row], Prompt], list[str]]:
    """Return what turns a row into a prompt, and notes on how the field was chosen."""
    option = "--prompt-field" if fields.template is None else "--template"
    if fields.answer_field is not None:
        check_field(f"{source}: --answer-field", "column", fields.answer_field, sample)
    for column in _columns(fields):
        check_field(f"{source}: {option}", "column", column, sample)
    if fields.template is not None:
        return partial(_fill, Template(fields.template), fields), []
    if fields.prompt_field is not None:
        return partial(_take, fields.prompt_field, fields), []
    found = find_prompt_fields(sample)
    if not found:
        raise BadInput(
            f"{source}: no column holds a prompt under a usual name.\n"
            f"{describe_fields(sample)}\n"
            f"Choose one with `--prompt-field NAME`, or several with `--template`."
        )
    check_instruction(sample, found, source, _BOTH)
    return partial(_take_found, found[0], fields), _ties(source, found)


def _ties(source: str, found: list[str]) -> list[str]:
    if len(found) == 1:
        return []
    others = " and ".join(f"'{name}'" for name in found[1:])
    return [
        f"{source}: the prompts are taken from '{found[0]}'; {others} would fit as well "
        f"(--prompt-field)."
    ]


def _take_found(field: str, fields: Fields, row: Row) -> Prompt:
    check_asks(row, field, unpack_chat(value_at(row.fields, field)))
    return _take(field, fields, row)


def _take(field: str, fields: Fields, row: Row) -> Prompt:
    value = value_at(row.fields, field)
    value = _only_turn(row, field, value) if fields.raw else unpack_chat(value)
    return _prompt(row, field, value, fields, [field])


def _only_turn(row: Row, field: str, value: Any) -> Any:
    """Return the content of a chat that has one turn; anything but a chat as it is."""
    if not isinstance(value, list) or not holds_prompt(value):
        return value
    turns = as_messages(value, row.place)
    if len(turns) > 1:
        raise bad_row(row.place, f"'{field}' is a chat of {len(turns)} turns; --raw takes one text")
    return turns[0].content


def _fill(template: Template, fields: Fields, row: Row) -> Prompt:
    return _prompt(row, "template", template.fill(row), fields, template.columns)


def _prompt(row: Row, field: str, value: Any, fields: Fields, used: Sequence[str]) -> Prompt:
    rest = {name: held for name, held in row.fields.items() if name not in used}
    prompt = make_prompt(row, field, value, raw=fields.raw, system=fields.system, metadata=rest)
    answer = answer_in(row.fields, fields.answer_field, used)
    return prompt if answer is None else replace(prompt, answer=answer)


def _templated(source: str, prompts: Iterable[Prompt]) -> list[str]:
    """Return a note if texts of chats hold the marks that a chat template puts."""
    marks = [_mark_in(prompt) for prompt in prompts]
    marked = [mark for mark in marks if mark is not None]
    if not marked:
        return []
    return [
        f"{source}: prompts that hold the mark {marked[0]} of a chat template already: "
        f"{len(marked):,}; as messages, they go through a template twice (--raw sends them as "
        f"they stand)."
    ]


def _mark_in(prompt: Prompt) -> str | None:
    texts = [message.content for message in prompt.messages]
    return next((mark for mark in _MARKS if any(mark in text for text in texts)), None)
