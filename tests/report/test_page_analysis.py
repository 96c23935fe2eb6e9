"""The page of an analysis: colours, trees, aligned modes, and strangers' text."""

import io
import re

import numpy as np
import pytest
from rich.console import Console

from browsing import HOSTILE
from markup import Parsed
from small_runs import run
from wellworn.analysing import analyse, write_analysis
from wellworn.analysis.design import Design
from wellworn.analysis.modes import jaccard, tree_of
from wellworn.analysis.ngrams import frequent_ngrams
from wellworn.analysis.results import Analysis, Checkpoint
from wellworn.analysis.tokens import tokenised
from wellworn.records import Completion, chat
from wellworn.report.analysis import run_names, show
from wellworn.report.page.analysis.aligned import Cell, aligned
from wellworn.report.page.analysis.dendrogram import HEIGHT, WIDTH, dendrogram
from wellworn.report.page.analysis.heat import TEXT, heat
from wellworn.report.page.analysis.rendering import claim
from wellworn.store import Store

WORN = ["2 + 2 = 4, so x = 4; done"] * 3 + ["take y: 1 + 3 > y or y < 9"] * 3
FREE = ["2 + 2 = 4 I say", "no idea, sorry", "count: 1, 3", "half of 8", "4", "8 / 2 = 4 then"]


def test_heat_colours_what_is_frequent_and_keeps_the_text():
    texts = ["red marbles: 2 + 3 = 5  here", "red marbles: 2 + 3 = 5", "odd", "odd one"]
    frequent = frequent_ngrams(tokenised(texts), "How many red marbles: ?", 3, 0.25)
    pieces = heat(texts[0], frequent, 4)
    assert "".join(piece.text for piece in pieces) == texts[0]
    held = [(piece.text, piece.category, piece.level) for piece in pieces]
    assert held == [
        ("red marbles:", "restatement", 1),
        (" ", "", 0),
        ("2 + 3 = 5", "symbolic", 1),
        ("  ", "", 0),
        ("here", "", 0),
    ]
    assert heat("nothing", frequent, 4)[0].category == ""
    assert sum(len(piece.text) for piece in heat("word " * 2_000, frequent, 4)) == TEXT


def test_the_more_completions_have_it_the_stronger():
    texts = ["1 + 1 = 2"] * 4
    frequent = frequent_ngrams(tokenised(texts), "", 3, 0.25)
    assert [piece.level for piece in heat(texts[0], frequent, 4)] == [3]
    assert [piece.level for piece in heat(texts[0], frequent, 6)] == [2]


def test_steps_that_are_alike_stand_in_one_row():
    first = [Cell("a is 1", 1.0), Cell("b is 2", 0.5), Cell("so it holds", None)]
    second = [Cell("we start", None), Cell("a is 1", 1.0), Cell("so it holds", 1.0)]
    texts = [[cell.text if cell else None for cell in row] for row in aligned([first, second])]
    assert texts == [
        [None, "we start"],
        ["a is 1", "a is 1"],
        ["b is 2", None],
        ["so it holds", "so it holds"],
    ]
    third = [Cell("we start", None), Cell("b is 2", None)]
    rows = aligned([first, second, third])
    assert all(len(row) == 3 for row in rows)
    assert [row[2].text for row in rows if row[2]] == ["we start", "b is 2"]
    assert rows[0][1] == rows[0][2]
    assert aligned([]) == []


def test_a_dendrogram_by_hand():
    features = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 1]], dtype=bool)
    tree = tree_of(jaccard(features), "average")
    modes = tree.modes(0.5)
    drawn = dendrogram(tree, modes, 0.5)
    assert {leaf.place: leaf.mode for leaf in drawn.leaves} == {0: 0, 2: 0, 1: 1}
    assert {link.mode for link in drawn.links} == {0, None}
    assert 0 < drawn.cut < HEIGHT
    assert all(0 < leaf.x < WIDTH for leaf in drawn.leaves)


@pytest.fixture
def page(tmp_path):
    """Return the page of two runs, one completion of which is hostile."""
    base = run(tmp_path / "base", [FREE, FREE], [FREE, FREE])
    tuned = run(tmp_path / "tuned", [[HOSTILE] * 6, WORN], [FREE, WORN])
    stores = [Store(base), Store(tuned)]
    found = analyse(stores, design=Design(cut=0.5))
    write_analysis(found, stores[-1], Design(cut=0.5), tmp_path, ["wellworn", "analyze"])
    return (tmp_path / "analysis.html").read_text()


def test_the_page_holds_all_its_parts_and_no_script(page):
    parsed = Parsed(page)
    tags = [tag for tag, _ in parsed.elements]
    assert "script" not in tags
    assert "img" not in tags
    assert "script-src" in page
    assert "measures of the suspects went the way of paths wearing in" in parsed.words
    assert "easy prompts wear in too" in parsed.words
    assert tags.count("figure") >= 8
    assert tags.count("polyline") >= 10
    assert {"mark", "article"} <= {*tags}
    assert "mode 2: 3 of 6" in parsed.words
    assert not any("style" in attributes for _, attributes in parsed.elements)


def test_strangers_text_is_shown_and_not_run(page, chromium, tmp_path):
    view = chromium.new_page()
    view.set_default_timeout(60_000)
    said = []
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.goto((tmp_path / "analysis.html").as_uri())
    assert view.evaluate("window.ran") is None
    assert "<script>window.ran = 1" in view.locator("pre.heat").first.inner_text()
    colour = view.locator("mark.symbolic").first.evaluate(
        "e => getComputedStyle(e).backgroundColor"
    )
    assert colour not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 0)")
    assert said == []
    view.close()


def test_many_completions_make_a_wide_tree():
    features = np.eye(64, dtype=bool)
    tree = tree_of(jaccard(features), "average")
    drawn = dendrogram(tree, tree.modes(0.5), 0.5)
    places = sorted(leaf.x for leaf in drawn.leaves)
    assert drawn.width == 64 * 18
    assert np.diff(places).min() >= 17.9


def test_what_is_left_out_is_said(tmp_path):
    long = [f"x{i} = y. Now z > {i}.\n" * 200 for i in range(2)] * 2
    folder = run(tmp_path / "a", [long])
    prompt = chat("why " * 200)
    with Store(folder) as store:
        setting = store.generations()[0]
        store.put_set("suspects", [prompt])
        store.add(
            (prompt.id, "sample", Completion(text=text, index=i, generation=setting))
            for i, text in enumerate(long)
        )
        found = analyse([store])
        write_analysis(found, store, Design(), tmp_path, ["wellworn"])
    words = Parsed((tmp_path / "analysis.html").read_text()).words
    left_out = len(long[0]) - TEXT
    assert f"The other {left_out:,} characters of the completion are left out." in words
    assert "of each completion, the first 40" in words
    assert "why why …" in words


def named(*paths):
    bare = {"model": "m", "prompts": 0, "diversity": (), "means": {}, "chance": {}}
    held = [Checkpoint(run=path, **bare, contrasts={}, cuts={}, items=()) for path in paths]
    about = {"wellworn": "0", "created": "", "parameters": {}, "agreement": None}
    rest = {"groups": ("suspects",), "course": {}, "warnings": (), "notes": ()}
    return Analysis(**about, **rest, cut=0.5, cut_chosen=True, checkpoints=tuple(held))


def test_runs_are_named_by_what_tells_them_apart():
    assert run_names(named("x/base", "x/0025/")) == ["base", "0025"]
    assert run_names(named("lab/a/audits/0050", "lab/b/audits/0050")) == [
        "a/audits/0050",
        "b/audits/0050",
    ]
    assert run_names(named("run", "x/run")) == ["run", "x/run"]


def test_a_few_prompts_claim_nothing(tmp_path):
    apart = [f"{word} goes its own way here, {word} says" for word in ("ant", "bee", "cat", "dog")]
    base = run(tmp_path / "base", [apart] * 5)
    tuned = run(tmp_path / "tuned", [[text] * 4 for text in apart] + [apart[:1] * 4])
    course = analyse([Store(base), Store(tuned)])
    assert course.course["edit"].groups["suspects"].high < 0  # all five fell
    assert "0 of " in claim(course)


def test_page_and_terminal_show_equal_numbers(page, tmp_path):
    runs = [Store(tmp_path / "base"), Store(tmp_path / "tuned")]
    console = Console(width=160, record=True, file=io.StringIO())
    show(analyse(runs, design=Design(cut=0.5)), console)
    terminal = " ".join(console.export_text().split())
    rows = re.findall(r"[+-][\d.,]+ \[[^\]]+\]", Parsed(page).words)
    assert len(rows) > 30
    assert [row for row in rows if row not in terminal] == []
