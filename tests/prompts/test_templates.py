"""Prompts made of several columns."""

import pytest

from wellworn.errors import BadInput
from wellworn.prompts.templates import Template
from wellworn.tables.formats import Row


def fill(template, **fields):
    return Template(template).fill(Row("a.jsonl:1", fields))


def test_a_template_takes_several_columns():
    assert fill("{{{q}}} {n} {m.x}\n{q}", q="a", n=2.5, m={"x": True}) == "{a} 2.5 True\na"


def test_a_backslash_and_an_n_are_a_line_break():
    assert fill(r"{q}\nAnswer:", q="2 + 2?") == "2 + 2?\nAnswer:"


def test_a_template_may_name_columns_with_signs():
    assert fill("{a:b!c}?", **{"a:b!c": "x"}) == "x?"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "{q",
            "--template '{q' cannot be read: expected '}' before end of string.\n"
            "Write {name} for a column, {{ and }} for braces.",
        ),
        (
            "q",
            "--template 'q' names no column, so every prompt would be the same.\n"
            "Write {name} for a column.",
        ),
    ],
)
def test_templates_that_cannot_be_read(template, message):
    with pytest.raises(BadInput) as caught:
        Template(template)
    assert str(caught.value) == message
