"""Which fields of a row hold the prompt, the completions and what belongs to them.

A name alone proves nothing: `text` may be either, `choices` may be those of a quiz. A
field is taken if its name is usual and all values seen have a shape that fits. Where
several are, prompts are the first in the order of names, and completions those whose texts
differ within a prompt (see `ties`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wellworn.prompts.values import check_field, find_prompt_fields, unpack_chat
from wellworn.readers import own
from wellworn.readers.base import NO_FIELD, Layout, Missed
from wellworn.readers.fields import find_completion_fields, odd_row
from wellworn.readers.shapes import is_reply
from wellworn.readers.ties import (
    check_lone,
    check_prompt,
    choices,
    json_list,
    lists_in_texts,
    settle,
    values_of,
)
from wellworn.tables import describe_fields, fitting
from wellworn.tables.formats import Row, bad_row
from wellworn.tables.values import value_at

REASONING_FIELDS = ("reasoning_content", "reasoning", "reasonings", "thinking")
"""Names of the field that holds the reasoning, where it is set apart."""

FINISH_FIELDS = ("finish_reason", "finish_reasons", "stop_reason", "finishreason")
"""Names of the field that says why a completion ended."""


class Columns(NamedTuple):
    """The fields that a file is read by."""

    prompt: str
    completion: str
    reasoning: str | None
    finish: str | None
    as_json: bool
    """The completions are JSON texts of lists, as a cell of CSV may hold them."""
    own: bool
    """The rows are those of our own exports."""
    took: tuple[str, ...]
    """Sentences that say which fields these are, and which would fit as well."""
    choices: tuple[str, ...] = ()
    """Sentences for the report, on fields that were taken though others hold other values."""


def find_columns(
    sample: Sequence[Row], layout: Layout, *, cells: bool, more: Iterable[Row] | None = None
) -> Columns | Missed:
    """Return which field is which, judging by the first rows.

    Args:
        sample: The first rows.
        layout: The fields that the user names.
        cells: All values are texts, as in CSV.
        more: The rows from the beginning, by which fields are told apart that fit equally;
            without them, the first of these is taken.

    Raises:
        BadInput: A field that the user names is not there, or several fit equally.
    """
    _check_names(sample, layout)
    if own.is_own(sample) and not any(_named(layout).values()):
        return _own_columns(sample, layout)
    prompts = [layout.prompt_field] if layout.prompt_field else find_prompt_fields(sample)
    completions = _named_or_found(sample, prompts, layout)
    if not layout.prompt_field:
        prompts = [name for name in prompts if name not in completions[:1]]
    if not prompts or not completions:
        odd = odd_row(sample, prompts) if prompts else None
        return Missed(odd or _missing(prompts, completions), describe_fields(sample))
    if more is not None:
        check_prompt(sample, prompts, layout)
        if len(completions) > 1:
            completions = _settled(completions, settle(completions, prompts[0], more))
        elif not layout.completion_field:
            check_lone(completions[0], prompts[0], more)
    return _columns(sample, layout, prompts, completions, cells=cells)


def _columns(
    sample: Sequence[Row],
    layout: Layout,
    prompts: Sequence[str],
    completions: Sequence[str],
    *,
    cells: bool,
) -> Columns:
    """Return the fields to read by; of each kind, the first is taken."""
    prompt, completion = prompts[0], completions[0]
    values = values_of(sample, completion)
    unpacked = lists_in_texts(sample, completion, prompt, cells=cells)
    as_json = bool(unpacked)
    listed = as_json or any(isinstance(value, list) for value in values)
    reasoning = _beside(layout.reasoning_field, sample, REASONING_FIELDS, listed=listed)
    finish = _beside(layout.finish_field, sample, FINISH_FIELDS, listed=listed)
    took = [
        f"prompt: '{prompt}' ({_prompt_kind(sample, prompt, layout)})"
        + _also(prompts[1:], "--prompt-field"),
        f"completions: '{completion}' ({_completion_kind(unpacked if as_json else values)})"
        + _also(completions[1:], "--completion-field"),
        f"reasoning: '{reasoning}'" if reasoning else "",
        f"finish reason: '{finish}'" if finish else "",
        f"items: rows with the same '{layout.id_field}'" if layout.id_field else "",
        f"gold answer: '{layout.answer_field}'" if layout.answer_field else "",
    ]
    return Columns(
        *(prompt, completion, reasoning, finish, as_json),
        own=False,
        took=tuple(filter(None, took)),
        choices=choices(sample, {"prompt": prompts, "completion": completions}),
    )


def _own_columns(sample: Sequence[Row], layout: Layout) -> Columns:
    took = (
        f"prompt: '{own.PROMPT}' ({_prompt_kind(sample, own.PROMPT, layout)})",
        f"completions: '{own.TEXT}' (one a row, as wellworn exports them)",
    )
    return Columns(own.PROMPT, own.TEXT, own.REASONING, own.FINISH, False, own=True, took=took)


def _settled(names: Sequence[str], first: str) -> list[str]:
    return [first, *(name for name in names if name != first)]


def completion_value(row: Row, columns: Columns) -> Any:
    """Return the value that holds the completions of a row.

    Raises:
        BadInput: It should be a JSON text of a list, and is not.
    """
    value = value_at(row.fields, columns.completion)
    if not columns.as_json:
        return value
    unpacked = json_list(value)
    if unpacked is None:
        raise bad_row(
            row.place, f"'{columns.completion}' holds no JSON list, unlike the first rows"
        )
    return unpacked


def _check_names(sample: Sequence[Row], layout: Layout) -> None:
    place = sample[0].place if sample else "the first rows"
    named = _named(layout) | {"id": layout.id_field, "answer": layout.answer_field}
    for option, name in named.items():
        if name is not None and name != NO_FIELD:
            check_field(f"{place}: --{option}-field", "field", name, sample)


def _named(layout: Layout) -> dict[str, str | None]:
    return {
        "prompt": layout.prompt_field,
        "completion": layout.completion_field,
        "reasoning": layout.reasoning_field,
        "finish": layout.finish_field,
    }


def _named_or_found(sample: Sequence[Row], prompts: Sequence[str], layout: Layout) -> list[str]:
    if layout.completion_field:
        return [layout.completion_field]
    return find_completion_fields(sample, prompts, mostly=layout.skip_bad_rows)


def _missing(prompts: Sequence[str], completions: Sequence[str]) -> str:
    if prompts:
        return f"'{prompts[0]}' may hold the prompt, but no field holds completions"
    if completions:
        return f"'{completions[0]}' may hold completions, but no field holds the prompt"
    return "no field holds a prompt or completions"


def _beside(
    given: str | None, sample: Sequence[Row], names: Sequence[str], *, listed: bool
) -> str | None:
    """Return the field that goes with the completions: lists beside lists, texts beside texts."""
    if given is not None:
        return None if given == NO_FIELD else given
    kind = list if listed else str
    return next(iter(fitting(sample, names, lambda _, value: isinstance(value, kind))), None)


def _prompt_kind(sample: Sequence[Row], prompt: str, layout: Layout) -> str:
    if any(isinstance(unpack_chat(value), list) for value in values_of(sample, prompt)):
        return "a chat"
    return "a text, as a user's message" if layout.chat else "a text, as the model saw it"


def _completion_kind(values: Sequence[Any]) -> str:
    replies = [value["choices"] if is_reply(value) else value for value in values]
    counts = [len(value) for value in replies if isinstance(value, list)]
    if not counts:
        return "one a row"
    span = str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    return f"a list of {span} in every row"


def _also(others: Sequence[str], option: str) -> str:
    return f"; also fits: {', '.join(others)}; choose with {option}" if others else ""
