"""The page as markup: what it says, what it leaves out, and that nothing in it can run."""

import base64
import hashlib
import re

import pytest
from msgspec.structs import replace

import pages
from handmade import context, side
from markup import Parsed, unpacked
from wellworn.records import Completion, Counts, Record, chat
from wellworn.report.page import contents_of, page
from wellworn.report.page.blocks import packed
from wellworn.report.summary import summarize
from wellworn.statistics.verdict import LEVELS

HOSTILE = "<script>window.ran=1</script><img src=x onerror=window.ran=1><!-- {{ 7*7 }} \u2028 &amp;"


@pytest.fixture(scope="module")
def full():
    return Parsed(page(pages.contents(), pages.records_of(24, 16)))


def test_the_claim_comes_first_with_why_and_why_no_more(full):
    contents = pages.contents()
    places = [
        full.words.index(text)
        for text in (contents.verdict.sentence, *contents.verdict.reasons, "In numbers")
    ]
    assert places == sorted(places)
    assert "No level says that training is proven" in full.words
    assert all(level in full.words for level in LEVELS)


def test_the_auc_is_said_in_pairs_of_prompts(full):
    found = pages.contents().comparison
    assert (
        f"in {round(100 * found.auc)} of 100 such pairs the suspect scores higher. 50 would be a "
        f"coin toss." in full.words
    )
    assert f"from {round(100 * found.low)} to {round(100 * found.high)}" in full.words


def test_every_estimate_stands_with_its_numbers(full):
    for estimate in pages.contents().estimates:
        assert f"{estimate.name}" in full.words
        assert f"{estimate.low:.2f} to {estimate.high:.2f}" in full.words
    lines = [
        attributes for tag, attributes in full.elements if attributes.get("class") == "interval"
    ]
    assert (lines[2]["x1"], lines[2]["x2"]) == ("44.0%", "68.0%")


def test_methods_parameters_notes_command_and_sources(full):
    for text in (
        "max_tokens 1024", "control model openai/base", "wellworn 0.1.0",
        "3 prompts of the file were empty and were left out.",
        "wellworn audit --run runs/step200 --reference-run runs/fresh",
        "arXiv 2602.11792", "arXiv 2510.09259", "average linkage",
    ):  # fmt: skip
        assert text in full.words


def test_what_is_missing_is_counted():
    contents = pages.contents(60, 30)
    words = Parsed(page(contents)).words
    # 2 of 60 have one completion, and 1 has blank ones
    assert "suspects 60 prompts: 58 with a score, 57 compared. 466 completions" in words
    assert "2 prompts without a score: a distance needs 2 completions; this prompt has 1" in words


def test_what_an_audit_lacks_is_not_shown():
    plain = Parsed(page(pages.contents(full=False))).words
    for absent in ("What else tells the sets apart", "control model", "What goes with it"):
        assert absent not in plain
    assert "report.json" in plain


def test_without_references_nothing_is_compared():
    contents = pages.contents(suspects=5, references=0, full=False)
    words = Parsed(page(contents)).words
    assert "insufficient data" in words
    assert "There are no references, so nothing is compared" in words
    assert "AUC, 95 %" not in words


def test_numbers_of_data_that_bear_no_claim_say_so():
    contents = pages.contents()
    lacking = replace(contents.verdict, level="insufficient data")
    assert "no claim follows from them" in Parsed(page(replace(contents, verdict=lacking))).words


@pytest.mark.parametrize("number", [1, 2])
def test_an_audit_of_next_to_nothing_has_a_page(number):
    for full_ in (True, False):
        page(pages.contents(number, number, full=full_), pages.records_of(number, number))


def test_equal_scores_have_a_page():
    summary = summarize(side("suspects", [0.5] * 8), side("references", [0.5] * 8), context())
    assert "AUC" in Parsed(page(contents_of(summary))).words


def test_a_summary_becomes_contents():
    suspects, references = side("suspects", [0.1, 0.2, "why", 0.3]), side("references", [0.5] * 3)
    summary = summarize(suspects, references, context(reference_run="runs/b c"))
    contents = contents_of(summary)
    assert contents.verdict == summary.verdict
    assert contents.comparison == summary.comparison
    assert [row.prompt_id for row in contents.items] == [item.prompt_id for item in summary.items]
    assert [row.reason for row in contents.items[:4]] == [None, None, "why", None]
    assert contents.items[0].q == summary.items[0].q
    assert contents.items[-1].q is None
    assert contents.command == "wellworn audit --run runs/a --reference-run 'runs/b c'"
    assert contents_of(summary, ["wellworn", "report", "a b"]).command == "wellworn report 'a b'"
    assert contents.scores("suspects") == pytest.approx([0.9, 0.8, 0.7])


def hostile_page():
    contents = pages.contents(8, 8)
    items = tuple(
        replace(item, prompt=HOSTILE, source=HOSTILE, reason=HOSTILE) for item in contents.items
    )
    estimate = replace(contents.estimates[0], name=HOSTILE, note=HOSTILE)
    contents = replace(
        contents, items=items, estimates=(estimate,), notes=(HOSTILE,), run=HOSTILE,
        command=HOSTILE, control=HOSTILE, detector=HOSTILE,
        parameters={HOSTILE: HOSTILE, "samples": 8},
    )  # fmt: skip
    return contents, page(contents, pages.records_of(8, 8))


def test_a_strangers_text_is_text_everywhere():
    _, html = hostile_page()
    parsed = Parsed(html)
    assert "<script>window.ran=1</script>" in parsed.text
    assert "{{ 7*7 }}" in parsed.text
    assert not [tag for tag, _ in parsed.elements if tag == "img"]
    scripts = [attributes for tag, attributes in parsed.elements if tag == "script"]
    assert [s for s in scripts if s.get("type") != "application/gzip+base64"] == [{}]
    assert "window.ran" not in parsed.raw["script"]


def test_the_policy_admits_the_pages_own_style_and_script_and_nothing_else(full):
    [policy] = [
        attributes["content"]
        for tag, attributes in full.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for kind in ("script", "style"):
        digest = hashlib.sha256(full.raw[kind].encode()).digest()
        assert rules[f"{kind}-src"] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert rules["default-src"] == "'none'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in policy


def test_no_element_loads_anything_or_carries_code(full):
    for tag, attributes in full.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        assert "src" not in attributes
        if tag == "link":
            assert attributes == {"rel": "icon", "href": "data:,"}
        elif "href" in attributes:
            assert attributes["href"].startswith(("#", "https://arxiv.org/abs/"))
    assert not re.search(r"@import|url\(", full.raw["style"])
    assert "innerHTML" not in full.raw["script"]


def test_no_id_is_given_twice(full):
    ids = [attributes["id"] for _, attributes in full.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_every_picture_has_words(full):
    figures = [tag for tag, _ in full.elements if tag == "figure"]
    captions = [tag for tag, _ in full.elements if tag == "figcaption"]
    pictures = [attributes for tag, attributes in full.elements if tag == "svg"]
    assert len(figures) == len(captions) == 4
    assert all(picture["aria-hidden"] == "true" for picture in pictures)
    assert "Median change: suspects" in full.words


@pytest.mark.parametrize("value", ["</script>", "<!--", "\ud800 \udfff", "\u2028\x00", HOSTILE])
def test_blocks_hold_any_text_in_harmless_letters(value):
    text = packed({"text": value})
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", text)
    assert unpacked(text) == {"text": value}


def test_the_table_holds_every_prompt(full):
    table = unpacked(full.raw["table-data"])
    contents = pages.contents()
    assert table["ids"] == [item.prompt_id for item in contents.items]
    assert table["columns"][0]["name"] == "score"
    assert table["columns"][0]["values"] == pytest.approx(
        [item.score for item in contents.items], abs=1e-5
    )


def test_lone_surrogates_reach_a_file(tmp_path):
    contents = replace(pages.contents(6, 6), notes=("half \ud83d of a sign",), run="a\udcff")
    file = tmp_path / "report.html"
    file.write_text(page(contents), encoding="utf-8")
    assert "half \ufffd of a sign" in file.read_text(encoding="utf-8")


def test_equal_audits_give_equal_pages():
    def made():
        return page(pages.contents(8, 8), pages.records_of(8, 8))

    assert made() == made()


def test_records_that_are_not_of_the_audit_are_passed_over():
    stranger = Record(prompt=chat("another"), probes={"sample": (Completion(text="x"),)})
    assert "detail-0" not in Parsed(page(pages.contents(2, 2), [stranger])).raw


def test_details_stay_within_the_budget_highest_scores_of_each_set_first():
    contents = pages.contents(20, 20)
    every = Parsed(page(contents, pages.records_of(20, 20))).raw
    sizes = [len(text) for name, text in every.items() if name.startswith("detail-")]
    budget = sum(sizes) // 4
    html = page(contents, pages.records_of(20, 20), budget=budget)
    kept = {
        int(name.removeprefix("detail-")): text
        for name, text in Parsed(html).raw.items()
        if name.startswith("detail-")
    }
    assert 0 < sum(map(len, kept.values())) <= budget
    for name in ("suspects", "references"):
        ranked = sorted(
            (i for i, item in enumerate(contents.items) if item.set == name),
            key=lambda i: -(contents.items[i].score or 0),
        )
        held = [place for place in ranked if place in kept]
        assert held
        assert held == ranked[: len(held)]
    assert f"completions of {len(kept)} of 40 prompts" in Parsed(html).words


def test_a_large_audit_has_a_bounded_page():
    contents = pages.contents(1_200, 800, full=False)
    assert len(page(contents)) < 400_000


def test_counts_of_completions_without_an_end_are_unknown():
    unknown = Counts(completions=8, distinct=8, finish_unknown=8)
    summary = summarize(
        side("suspects", [0.1] * 6, unknown), side("references", [0.5] * 6), context()
    )
    words = Parsed(page(contents_of(summary))).words
    assert "cut at the most tokens unknown 0 %" in words
    assert "48 that do not say why they ended" in words
