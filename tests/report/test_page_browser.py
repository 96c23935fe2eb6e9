"""The page in Chromium: what a reader does with it, and what it must never do."""

from collections.abc import Callable
from time import perf_counter

import pytest
from msgspec.structs import replace

import pages
from browsing import HOSTILE, column, first_prompt, open_first, sort_by, status
from wellworn.records import Completion, Record
from wellworn.report.page import Contents, page

NONE = "\N{EN DASH}"


@pytest.fixture(scope="session")
def ordinary():
    """Return the contents of an audit with controls, and its page."""
    contents = pages.contents(40, 30)
    return contents, page(contents, pages.records_of(40, 30))


def test_the_highest_scores_come_first(opened, ordinary):
    contents, html = ordinary
    view = opened(html)
    expected = sorted((i.score for i in contents.items if i.score is not None), reverse=True)[:50]
    assert column(view, "score") == [f"{score:.3f}" for score in expected]
    assert view.locator('th[aria-sort="descending"]').inner_text().startswith("score")


def test_sorting_turns_and_keeps_what_has_no_value_last(opened, ordinary):
    view = opened(ordinary[1])
    sort_by(view, "q")
    falling = column(view, "q")
    sort_by(view, "q")
    rising = [float(text) for text in column(view, "q") if text != NONE]
    assert rising == sorted(rising)
    assert view.locator('th[aria-sort="ascending"]').inner_text().startswith("q")
    assert falling[0] == "1.00"
    for cells in (falling, column(view, "q")):
        missing = [text == NONE for text in cells]
        assert any(missing)
        assert missing == sorted(missing)


def test_sorting_by_prompt_is_alphabetical(opened, ordinary):
    view = opened(ordinary[1])
    sort_by(view, "prompt")
    prompts = view.locator("table.items .open").all_inner_texts()
    assert prompts == sorted(prompts)


def test_search_and_filters(opened, ordinary):
    contents, html = ordinary
    view = opened(html)
    assert status(view) == "70 prompts"
    view.get_by_label("Search").fill("MARBLES")
    held = [item for item in contents.items if "marbles" in item.prompt]
    assert status(view) == f"{len(held)} of 70 prompts"
    assert all("marbles" in text for text in view.locator("table.items .open").all_inner_texts())
    view.get_by_label("Set", exact=True).select_option("references")
    assert {text.strip() for text in column(view, "set")} == {"reference"}
    view.get_by_label("Search").fill(contents.items[45].prompt_id)
    assert status(view) == "1 of 70 prompts"
    view.get_by_label("Search").fill("no such thing")
    assert view.locator("#range").inner_text() == "No prompt is like that."


def test_filters_by_state_and_q(opened, ordinary):
    contents, html = ordinary
    view = opened(html)
    view.get_by_label("Show").select_option("without a score")
    assert status(view) == "2 of 70 prompts"
    assert "this prompt has 1" in view.locator("table.items tbody").inner_text()
    view.get_by_label("Show").select_option("q at most 0.1")
    low = [item for item in contents.items if item.q is not None and item.q <= 0.1]
    assert status(view) == f"{len(low)} of 70 prompts"


def test_pages_of_the_table(opened, ordinary):
    view = opened(ordinary[1])
    assert view.locator("#range").inner_text() == "1 to 50 of 70"
    assert view.locator("#previous").is_disabled()
    view.locator("#next").click()
    assert view.locator("#range").inner_text() == "51 to 70 of 70"
    assert view.locator("table.items tbody tr").count() == 20
    assert view.locator("#next").is_disabled()


def test_a_click_shows_completions_pairs_and_distances(opened, ordinary):
    contents, html = ordinary
    view = opened(html)
    open_first(view)
    place = max(range(40), key=lambda i: contents.items[i].score or 0)
    records = {record.prompt.id: record for record in pages.records_of(40, 30)}
    texts = [c.text for c in records[contents.items[place].prompt_id].completions("sample")]
    shown = view.locator("dialog .completion pre").all_text_contents()
    assert sorted(shown) == sorted(texts)
    assert "8 completions in" in view.locator("dialog").inner_text()
    left, right = (
        view.get_by_label(f"{side} completion").input_value() for side in ("left", "right")
    )
    cells = view.locator("dialog .cell")
    sides = ["".join(cells.all_text_contents()[start::2]) for start in (0, 1)]
    assert sides == [texts[int(left)], texts[int(right)]]
    marked = view.locator("dialog .aligned").evaluate(
        "e => [...e.querySelectorAll('.cell')].every((cell, i) =>"
        " !cell.querySelector(i % 2 ? 'del' : 'ins'))"
    )
    assert marked
    assert (
        view.locator("dialog canvas").get_attribute("aria-label").startswith("Distances of all 28")
    )


def test_a_cell_of_the_heat_map_chooses_the_pair(opened, ordinary):
    view = opened(ordinary[1])
    open_first(view)
    box = view.locator("dialog canvas").bounding_box()
    view.locator("dialog canvas").click(position={"x": box["width"] - 3, "y": 3})
    chosen = [view.get_by_label(f"{side} completion").input_value() for side in ("left", "right")]
    order = view.locator("dialog .completion strong").all_text_contents()
    assert chosen == [str(int(order[0]) - 1), str(int(order[-1]) - 1)]


def test_any_pair_is_shown_with_its_distance(opened):
    texts = [f"{'a' * i}{'b' * (9 - i)}" for i in range(6)]
    record = Record(
        prompt=pages.question("suspects", 0),
        probes={"sample": tuple(Completion(text=t, index=i) for i, t in enumerate(texts))},
    )
    view = opened(page(pages.contents(1, 1), [record]))
    open_first(view)
    for i, j in ((0, 1), (1, 5), (4, 2), (5, 0)):
        view.get_by_label("left completion").select_option(str(i))
        view.get_by_label("right completion").select_option(str(j))
        said = view.locator("dialog .pairs [role=status]").inner_text()
        assert said.startswith(f"Distance {abs(i - j) / 9:.3f};")


def test_what_differs_is_marked_and_lines_stay_level(opened):
    texts = ("one two three\nsame line\nend a", "one 2 three\nsame line\nend b b")
    contents = pages.contents(1, 1)
    record = Record(
        prompt=pages.question("suspects", 0),
        probes={"sample": tuple(Completion(text=t, index=i) for i, t in enumerate(texts))},
    )
    view = opened(page(contents, [record]))
    open_first(view)
    assert view.locator("dialog del").all_text_contents() == ["two ", "a"]
    assert view.locator("dialog ins").all_text_contents() == ["2 ", "b b"]
    cells = view.locator("dialog .cell").all_text_contents()
    assert cells == [
        "one two three\n", "one 2 three\n", "same line\n", "same line\n", "end a", "end b b"
    ]  # fmt: skip


def test_a_prompt_without_details_says_where_they_are(opened):
    view = opened(page(pages.contents(3, 3)))
    first_prompt(view).click()
    text = view.locator("dialog[open]").inner_text()
    assert "wellworn export runs/step200 completions.jsonl" in text
    assert "score" in text


def test_the_keyboard_alone(opened, ordinary):
    view = opened(ordinary[1])
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.className") == "skip"
    view.keyboard.press("Enter")
    for _ in range(30):
        view.keyboard.press("Tab")
        if view.evaluate("document.activeElement.closest('th[data-sort=\"0\"]') !== null"):
            break
    view.keyboard.press("Enter")
    assert view.locator('th[aria-sort="ascending"]').inner_text().startswith("score")
    for _ in range(30):
        view.keyboard.press("Tab")
        if view.evaluate("document.activeElement.classList.contains('open')"):
            break
    outline = view.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    name = view.evaluate("document.activeElement.textContent")
    view.keyboard.press("Enter")
    view.wait_for_selector("dialog[open] .aligned")
    assert view.evaluate("document.activeElement.id") == "item-title"
    view.keyboard.press("Escape")
    assert not view.locator("dialog").is_visible()
    assert view.evaluate("document.activeElement.textContent") == name


def test_neighbours_follow_the_order_of_the_table(opened, ordinary):
    view = opened(ordinary[1])
    ids = view.evaluate(
        "[...document.querySelectorAll('tbody tr[data-index]')].map(r => r.dataset.index)"
    )
    open_first(view)
    assert view.locator("#item-previous").is_disabled()
    view.locator("#item-next").click()
    view.locator("#item-previous:enabled").wait_for()
    view.locator("#item-close").click()
    assert view.evaluate("document.activeElement.closest('tr').dataset.index") == ids[1]


def test_an_address_opens_its_prompt(opened, ordinary):
    contents, html = ordinary
    view = opened(html)
    open_first(view)
    wanted = max(contents.items, key=lambda item: item.score or 0).prompt_id
    assert view.url.endswith(f"#prompt-{wanted}")
    view.reload()
    view.wait_for_selector("dialog[open]")
    assert wanted in view.locator("dialog").inner_text()


def hostile_contents() -> Contents:
    contents = pages.contents(8, 8)
    items = [
        replace(item, prompt=HOSTILE, source=HOSTILE, reason=HOSTILE) for item in contents.items
    ]
    return replace(
        contents,
        items=tuple(items),
        notes=(HOSTILE,),
        run=HOSTILE,
        command=HOSTILE,
        estimates=(replace(contents.estimates[0], name=HOSTILE),),
        parameters={HOSTILE: HOSTILE, "samples": 8},
    )


def hostile_records():
    for record in pages.records_of(8, 8):
        samples = tuple(
            Completion(text=HOSTILE + str(i), finish_reason=HOSTILE, index=i) for i in range(8)
        )
        yield Record(prompt=record.prompt, probes={"sample": samples})


def test_a_script_in_a_completion_is_shown_and_never_run(opened):
    view = opened(page(hostile_contents(), hostile_records()))
    assert "<script>window.ran = 1" in view.locator("main").inner_text()
    open_first(view)
    for text in (
        view.locator("dialog pre").last.text_content(),
        "".join(view.locator("dialog .cell").first.all_text_contents()),
    ):
        assert "<script>window.ran = 1; alert(1)</script><img src=x" in text
        assert "<!-- {{ 7*7 }} ]]>" in text
    view.wait_for_timeout(200)
    assert view.evaluate("window.ran") is None
    assert view.locator("main img, dialog img, main script, dialog script").count() == 0
    assert view.evaluate("document.querySelectorAll('script:not([type])').length") == 1


def test_the_policy_stops_what_is_not_the_pages_own(chromium, tmp_path, ordinary):
    """Were a text ever to become markup, it still would not run, nor reach the network."""
    file = tmp_path / "report.html"
    torn = (
        "<script>window.ran = 1</script><img src='http://127.0.0.1:9/x' onerror='window.ran = 1'>"
    )
    file.write_text(ordinary[1].replace("</main>", f"{torn}</main>"), encoding="utf-8")
    view = chromium.new_page()
    asked = []
    view.on("requestfinished", lambda request: asked.append(request.url))
    view.goto(file.as_uri())
    view.wait_for_selector("table.items tbody tr")
    assert view.locator("main img").count() == 1
    assert view.evaluate("window.ran") is None
    blocked = view.evaluate(
        "() => { try { document.body.innerHTML = 'x' } catch (error) { return error.name } }"
    )
    assert blocked == "TypeError"
    assert [url for url in asked if url.startswith("http")] == []
    view.close()


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_scrolls_sideways(opened, ordinary, width):
    view = opened(ordinary[1], viewport={"width": width, "height": 844})
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    open_first(view)
    inside = view.evaluate("(d => d.scrollWidth - d.clientWidth)(document.querySelector('dialog'))")
    assert inside <= 0


def test_long_words_do_not_scroll_sideways(opened):
    long = "a" * 300
    contents = rows_replaced(pages.contents(2, 2), prompt=long, source=long)
    contents = replace(contents, run=long, notes=(long,), parameters={"model": long})
    record = Record(
        prompt=pages.question("suspects", 0),
        probes={"sample": (Completion(text=long * 3), Completion(text=long * 2, index=1))},
    )
    view = opened(page(contents, [record]), viewport={"width": 390, "height": 844})
    assert view.evaluate("document.documentElement.scrollWidth") <= 390


def rows_replaced(contents, **changes):
    return replace(contents, items=tuple(replace(item, **changes) for item in contents.items))


def luminance(view, what="backgroundColor"):
    colour = view.evaluate(f"getComputedStyle(document.body).{what}")
    return sum(int(part) for part in colour[4:-1].split(",")) / 3


def test_light_dark_and_paper(opened, ordinary):
    light = opened(ordinary[1], color_scheme="light")
    assert luminance(light) > 240 > 60 > luminance(light, "color")
    dark = opened(ordinary[1], color_scheme="dark")
    assert luminance(dark) < 40 < 200 < luminance(dark, "color")
    dark.emulate_media(media="print", color_scheme="dark")
    assert luminance(dark) > 240 > 60 > luminance(dark, "color")
    assert not dark.locator("form.filters").is_visible()
    assert dark.locator("table.items tbody tr").count() == 50


def test_the_command_is_copied_or_selected(opened, ordinary):
    contents, html = ordinary
    view = opened(html)
    view.get_by_role("button", name="Copy").click()
    view.locator("#copied", has_text="ed").wait_for()
    selected = view.evaluate("String(getSelection())")
    assert view.locator("#copied").inner_text() == "Copied." or selected == contents.command


def test_without_script_the_claim_is_there(chromium, tmp_path, ordinary):
    file = tmp_path / "report.html"
    file.write_text(ordinary[1], encoding="utf-8")
    browsing = chromium.new_context(java_script_enabled=False)
    view = browsing.new_page()
    view.goto(file.as_uri())
    text = view.locator("body").inner_text()
    assert ordinary[0].verdict.sentence in text
    assert "The table needs JavaScript" in text
    assert view.locator("figure svg").first.is_visible()
    browsing.close()


def test_ten_thousand_prompts_stay_usable(opened):
    contents = pages.contents(6_000, 4_000)
    html = page(contents, pages.records_of(20, 20))
    assert len(html) < 4_000_000
    start = perf_counter()
    view = opened(html)
    assert perf_counter() - start < 3
    assert status(view) == "10,000 prompts"
    assert seconds(lambda: sort_by(view, "q")) < 1
    assert seconds(lambda: view.get_by_label("Search").fill("train tickets")) < 1
    assert "of 10,000 prompts" in status(view)
    assert view.locator("table.items tbody tr").count() == 50


def seconds(act: Callable[[], object]) -> float:
    start = perf_counter()
    act()
    return perf_counter() - start
