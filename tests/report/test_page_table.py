"""The table of prompts, and the sentences of the page."""

import pytest
from msgspec.structs import replace

import pages
from wellworn.records import Counts
from wellworn.report.page.sets import losses_of
from wellworn.report.page.table import columns_of, table_of
from wellworn.report.page.words import KINDS, PLAIN, by_chance, digits, grouped, in_pairs
from wellworn.statistics.comparison import compare
from wellworn.statistics.estimates import Kind
from wellworn.statistics.verdict import LEVELS


def rows(contents, **changes):
    return replace(contents, items=tuple(replace(item, **changes) for item in contents.items))


def table(contents):
    return table_of(contents, columns_of(contents))


def names(contents):
    return [column.name for column in columns_of(contents)]


def test_columns_are_those_in_which_prompts_differ():
    contents = pages.contents(12, 12)
    assert {"score", "value", "error", "p", "q", "base", "change"} <= {*names(contents)}
    assert "distinct-share" in names(contents)
    assert "cdd" not in names(contents)
    assert "m" not in names(contents)  # 8 everywhere
    plain = pages.contents(12, 12, full=False)
    assert names(plain) == ["score", "value", "cut"]


def test_the_score_is_always_there():
    assert names(rows(pages.contents(3, 3, full=False), score=0.5, value=0.5))[0] == "score"


def test_the_change_is_the_score_less_the_base_score():
    contents = rows(pages.contents(2, 2), score=0.75, base_score=0.5)
    contents = replace(
        contents, items=(replace(contents.items[0], base_score=None), *contents.items[1:])
    )
    [change] = [c for c in table(contents)["columns"] if c["name"] == "change"]
    assert change["values"] == [None, 0.25, 0.25, 0.25]


def test_completions_without_an_end_have_no_count_of_those_cut():
    contents = pages.contents(2, 2)
    known = Counts(completions=8, truncated=3)
    unknown = Counts(completions=8, finish_unknown=8)
    items = [replace(item, counts=known) for item in contents.items]
    items[1] = replace(items[1], counts=unknown)
    [cut] = [
        c for c in table(replace(contents, items=tuple(items)))["columns"] if c["name"] == "cut"
    ]
    assert cut["values"] == [3, None, 3, 3]


def test_states_and_reasons():
    found = table(pages.contents(60, 30))
    assert [found["states"][place] for place in (0, 28, 40)] == [0, 2, 1]
    assert set(found["reasons"]) == {"28", "57", str(60 + 28)}


def test_what_all_prompts_begin_with_is_left_out():
    contents = pages.contents(2, 1)
    starts = ["Answer step by step, please: 12", "Answer step by step, please: 13 x", "A"]
    items = [replace(i, prompt=p) for i, p in zip(contents.items, starts, strict=True)]
    assert table(replace(contents, items=tuple(items[:2])))["prompts"] == ["12", "13 x"]
    assert table(replace(contents, items=tuple(items)))["prompts"] == starts
    same = [replace(item, prompt=starts[0]) for item in contents.items]
    assert table(replace(contents, items=tuple(same)))["prompts"] == [starts[0]] * 3


def test_a_prompt_that_goes_on_says_so():
    contents = rows(pages.contents(1, 1), prompt="x" * 400)
    assert table(contents)["prompts"][0] == "x" * 400 + "…"


def test_the_runs_that_hold_the_completions():
    contents = pages.contents(1, 1)
    assert table(contents)["runs"] == ["runs/step200", "runs/fresh"]
    alone = replace(contents, reference_run=None)
    assert table(alone)["runs"] == ["runs/step200", "runs/step200"]


def test_losses_by_hand():
    suspects, references = losses_of(pages.contents(60, 30))
    assert (suspects.prompts, suspects.scored, suspects.compared) == (60, 58, 57)
    assert suspects.kinds["empty"] == 2
    assert "filtered" not in " ".join(suspects.kinds)
    assert suspects.reasons == [("a distance needs 2 completions; this prompt has 1", 2)]
    assert references.name == "references"


def test_every_level_and_every_kind_has_words():
    assert set(PLAIN) == set(LEVELS)
    assert set(KINDS) == set(Kind.__args__)
    groups = grouped(pages.contents(4, 4).estimates)
    assert [group.kind for group in groups] == list(KINDS)
    assert sum(len(group.estimates) for group in groups) == 9


@pytest.mark.parametrize("word", ["prove", "proof", "contaminated", "guilty"])
def test_no_level_claims_too_much(word):
    assert not [text for text in PLAIN.values() if word in text.lower()]


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1.00"), (0.1, "0.10"), (0.0321, "0.032"), (0.0001, "0.0001"),
        (0.0000321, "3.2 x 10⁻⁵"), (1e-25, "1 x 10⁻²⁵"), (0.0, "less than 10⁻³⁰⁰"),
    ],
)  # fmt: skip
def test_p_values(p, text):
    assert digits(p).replace("\N{MULTIPLICATION SIGN}", "x") == text


@pytest.mark.parametrize(
    ("p", "often"),
    [
        (0.5, "about every second audit"),
        (0.2, "about 1 of 5 audits"),
        (0.0013, "about 1 of 770 audits"),
        (0.0, "fewer than 1 of a million audits"),
    ],
)
def test_how_often_by_chance(p, often):
    comparison = replace(compare([1, 2, 3], [4, 5, 6]), p=p)
    assert f"If the sets did not differ, {often} would" in by_chance(comparison)


def test_the_auc_in_pairs():
    comparison = replace(compare([1, 2, 3], [4, 5, 6]), auc=0.736, low=0.642, high=0.828)
    text = in_pairs(comparison)
    assert "in 74 of 100 such pairs" in text
    assert "from 64 to 83" in text
