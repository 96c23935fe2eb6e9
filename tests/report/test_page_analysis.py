"""The page of an analysis: colours, trees, aligned modes, and strangers' text."""

import numpy as np
import pytest

from browsing import HOSTILE
from markup import Parsed
from small_runs import run
from wellworn.analysing import analyse, write_analysis
from wellworn.analysis.design import Design
from wellworn.analysis.modes import jaccard, tree_of
from wellworn.analysis.ngrams import frequent_ngrams
from wellworn.analysis.tokens import tokenised
from wellworn.report.page.analysis.aligned import Cell, aligned
from wellworn.report.page.analysis.dendrogram import HEIGHT, WIDTH, dendrogram
from wellworn.report.page.analysis.heat import TEXT, heat
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
