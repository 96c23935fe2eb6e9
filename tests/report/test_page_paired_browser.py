"""The page of two runs in Chromium: sort, search, both runs' completions, and no script runs."""

import pytest
from msgspec.structs import replace

import pages
import paired_pages as runs
from browsing import HOSTILE, column, first_prompt, open_first, sort_by, status
from wellworn.records import Completion, Record
from wellworn.report.page.paired import paired_page
from wellworn.report.page.paired.words import claim

NONE = "\N{EN DASH}"


@pytest.fixture(scope="session")
def ordinary():
    """Return two runs, and their page."""
    found = runs.paired(40, 30)
    return found, paired_page(found, runs.COMMAND, runs.records_of(40, 30))


def record(*texts):
    samples = tuple(Completion(text=text, index=i) for i, text in enumerate(texts))
    return Record(prompt=pages.question("suspects", 0), probes={"sample": samples})


def number(cell):
    return float(cell.replace("\N{MINUS SIGN}", "-"))


def test_what_rose_most_comes_first_and_sorting_turns(opened, ordinary):
    found, html = ordinary
    view = opened(html)
    known = sorted((i.change for i in found.items if i.change is not None), reverse=True)
    assert [number(cell) for cell in column(view, "change")] == pytest.approx(known[:50], abs=6e-4)
    assert column(view, "change")[0].startswith("+")
    sort_by(view, "second")
    sort_by(view, "second")
    cells = column(view, "second")
    assert cells == sorted(cells)
    assert view.locator('th[aria-sort="ascending"]').inner_text().startswith("second")
    view.locator("#next").click()
    assert column(view, "second")[-2:] == [NONE, NONE]


def test_search_and_filters(opened, ordinary):
    found, html = ordinary
    view = opened(html)
    view.get_by_label("Search").fill("MARBLES")
    held = [item for item in found.items if "marbles" in item.prompt]
    assert status(view) == f"{len(held)} of 70 prompts"
    view.get_by_label("Search").fill("")
    view.get_by_label("Show").select_option("fell")
    fell = [item for item in found.items if item.change is not None and item.change < 0]
    assert status(view) == f"{len(fell)} of 70 prompts"
    view.get_by_label("Show").select_option("without a change")
    assert status(view) == "2 of 70 prompts"
    assert f"no change: {runs.REASON}" in view.locator("table.items tbody").inner_text()


def test_a_click_shows_the_completions_of_both_runs(opened, ordinary):
    found, html = ordinary
    view = opened(html)
    open_first(view)
    wanted = max(found.items, key=lambda item: item.change or 0)
    assert wanted.prompt_id in view.locator("dialog").inner_text()
    for run, records, model in zip(
        (0, 1), runs.records_of(40, 30), ("base", "step200"), strict=True
    ):
        [held] = [r for r in records if r.prompt.id == wanted.prompt_id]
        side = view.locator("dialog .run").nth(run)
        assert f"openai/{model}" in side.locator("h3").first.inner_text()
        texts = [sample.text for sample in held.completions("sample")]
        assert sorted(side.locator(".completion pre").all_text_contents()) == sorted(texts)
        assert side.locator("canvas").count() == 1


def test_completions_of_one_run_or_of_both_are_aligned(opened):
    first, second = record("one two", "one two", "zzzz"), record("one six", "q", "one six")
    view = opened(paired_page(runs.paired(2, 2), "", ([first], [second])))
    view.get_by_label("Search").fill(pages.question("suspects", 0).id)
    open_first(view)
    said = view.locator("dialog .pairs [role=status]")
    assert said.inner_text() == "What differs is marked."
    assert view.locator("dialog del").all_text_contents() == ["two"]
    assert view.locator("dialog ins").all_text_contents() == ["six"]
    view.get_by_role("button", name="nearest of the second run: 1 and 3").click()
    assert said.inner_text() == "Equal, character by character."
    chosen = [view.get_by_label(f"{side} completion").input_value() for side in ("left", "right")]
    assert chosen == ["3", "5"]
    view.get_by_label("right completion").select_option("second 2")
    assert said.inner_text() == "Distance 1.000; what differs is marked."


def test_a_cell_of_the_second_heat_map_chooses_of_the_second_run(opened, ordinary):
    view = opened(ordinary[1])
    open_first(view)
    side = view.locator("dialog .run").nth(1)
    box = side.locator("canvas").bounding_box()
    side.locator("canvas").click(position={"x": box["width"] - 3, "y": 3})
    order = side.locator(".completion strong").all_text_contents()
    chosen = [view.get_by_label(f"{side} completion").input_value() for side in ("left", "right")]
    assert chosen == [str(8 + int(order[0]) - 1), str(8 + int(order[-1]) - 1)]


def test_a_run_without_completions_of_a_prompt_says_so(opened):
    view = opened(paired_page(runs.paired(2, 2), "", ([record()], [record("a", "b")])))
    view.get_by_label("Search").fill(pages.question("suspects", 0).id)
    first_prompt(view).click()
    text = view.locator("dialog[open]").inner_text()
    assert "It has no completion of this prompt." in text
    assert "2 completions in 2 groups" in text
    view.locator("dialog canvas").click()  # with nothing to align


def test_a_prompt_without_details_says_where_they_are(opened):
    view = opened(paired_page(runs.paired(3, 3), ""))
    first_prompt(view).click()
    text = view.locator("dialog[open]").inner_text()
    for run in ("base", "step200"):
        assert f"wellworn export runs/{run} completions.jsonl" in text


def test_a_script_in_a_completion_is_shown_and_never_run(opened):
    found = runs.paired(2, 2)
    items = [replace(i, prompt=HOSTILE, source=HOSTILE, reason=HOSTILE) for i in found.items]
    found = replace(
        found, items=tuple(items), notes=(HOSTILE,), first_run=HOSTILE, first_model=HOSTILE
    )
    hostile = [[record(*(f"{HOSTILE}{run}{i}" for i in range(3)))] for run in "ab"]
    view = opened(paired_page(found, HOSTILE, hostile))
    assert "<script>window.ran = 1" in view.locator("main").inner_text()
    view.get_by_label("Search").fill(pages.question("suspects", 0).id)
    open_first(view)
    assert "<script>window.ran = 1; alert(1)</script><img src=x" in (
        view.locator("dialog .run pre").last.text_content()
    )
    view.wait_for_timeout(200)
    assert view.evaluate("window.ran") is None
    assert view.locator("main img, dialog img, main script, dialog script").count() == 0


def test_the_keyboard_opens_and_closes(opened, ordinary):
    view = opened(ordinary[1])
    first_prompt(view).focus()
    view.keyboard.press("Enter")
    view.wait_for_selector("dialog[open] .aligned")
    assert view.evaluate("document.activeElement.id") == "item-title"
    view.keyboard.press("Escape")
    assert not view.locator("dialog").is_visible()
    assert view.evaluate("document.activeElement.classList.contains('open')")


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_scrolls_sideways(opened, ordinary, width):
    view = opened(ordinary[1], viewport={"width": width, "height": 844})
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    table = view.evaluate("(t => t.scrollWidth - t.clientWidth)(document.querySelector('.scroll'))")
    assert table <= 0
    open_first(view)
    inside = view.evaluate("(d => d.scrollWidth - d.clientWidth)(document.querySelector('dialog'))")
    assert inside <= 0


def test_on_paper_an_open_prompt_stands_alone(opened, ordinary):
    view = opened(ordinary[1], color_scheme="dark")
    view.emulate_media(media="print", color_scheme="dark")
    assert not view.locator("form.filters").is_visible()
    view.emulate_media(media="screen")
    open_first(view)
    view.emulate_media(media="print")
    assert not view.locator("main").is_visible()
    assert view.locator("dialog .run").nth(1).is_visible()


def test_without_script_the_claim_is_there(chromium, tmp_path, ordinary):
    file = tmp_path / "compare.html"
    file.write_text(ordinary[1], encoding="utf-8")
    browsing = chromium.new_context(java_script_enabled=False)
    view = browsing.new_page()
    view.goto(file.as_uri())
    text = view.locator("body").inner_text()
    assert claim(ordinary[0]) in text
    assert "All of it also stands in compare.json" in text
    browsing.close()
