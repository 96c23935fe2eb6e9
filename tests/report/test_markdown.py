"""The report as Markdown."""

import re

import pytest
from msgspec.structs import replace

import pages
from handmade import context, side
from wellworn.report.markdown import LISTED, code, escaped, to_markdown
from wellworn.report.page import contents_of
from wellworn.report.summary import summarize


def test_the_verdict_comes_first():
    contents = pages.contents()
    text = to_markdown(contents)
    lines = text.splitlines()
    assert lines[0] == "# Converged, not attributable"
    assert lines[2] == f"**{contents.verdict.sentence}**"
    for reason in contents.verdict.reasons:
        assert f"- {reason}" in lines
    assert f"AUC {contents.comparison.auc:.2f}" in text
    assert text.endswith("`\n")


def test_tables_have_as_many_cells_in_every_row():
    tables = re.findall(r"(?:^\|.*\n)+", to_markdown(pages.contents()), re.MULTILINE)
    assert len(tables) == 3
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_the_highest_suspects_are_listed():
    contents = pages.contents(30, 10)
    compared = [i.score for i in contents.items if i.set == "suspects" and i.compared]
    highest = sorted(compared, reverse=True)[:LISTED]
    text = to_markdown(contents)
    assert [f"{score:.3f}" for score in highest] == re.findall(r"^\| (0\.\d{3}) ", text, re.M)


def test_without_references_and_controls():
    summary = summarize(side("suspects", [0.1, 0.2]), None, context())
    text = to_markdown(contents_of(summary))
    assert text.startswith("# Insufficient data")
    assert "AUC" not in text
    assert "What else" not in text
    assert "references |" not in text


HOSTILE = "a|b\n# c `d` ``e`` \\| <img src=x> [x](http://y.z) @all #12 www.a.b \ud800"


def test_a_strangers_text_stays_text():
    contents = pages.contents(2, 2)
    items = tuple(replace(item, prompt=HOSTILE) for item in contents.items)
    text = to_markdown(replace(contents, items=items, notes=(HOSTILE,), command="x ``y` z"))
    text.encode()
    [row] = [line for line in text.splitlines() if "a" in line and line.startswith("| 0")][:1]
    assert row.endswith("``` |")
    assert len(re.findall(r"(?<!\\)\|", row)) == 4
    [note] = [line for line in text.splitlines() if line.startswith("- a")]
    for mark in ("<img", "](", " `", "@all", "#12", "://", "www."):
        assert mark not in re.sub(r"\\.", "", note)
    assert "``` x ``y` z ```" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("1. one", "1\\. one"), ("- one", "\\- one"), ("plain, 2.5 - 1", "plain, 2.5 - 1")],
)
def test_what_begins_a_list_is_escaped(text, shown):
    assert escaped(text) == shown


@pytest.mark.parametrize("text", ["", "`", "a``b", "```"])
def test_code_is_fenced_by_more_than_it_holds(text):
    fence = code(text).split(" ")[0]
    assert set(fence) == {"`"}
    assert fence not in re.findall("`+", text)
    assert code(text) == f"{fence} {text} {fence}"
