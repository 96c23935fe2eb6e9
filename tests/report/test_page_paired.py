"""The page of two runs as markup: what it says of the change, and what it leaves out."""

import base64
import hashlib

import pytest
from msgspec.structs import replace

import paired_pages as runs
from markup import Parsed, unpacked
from wellworn.report.page.paired import paired_page
from wellworn.report.page.paired.words import CAUTION, claim, difference, signed

HOSTILE = "<script>window.ran=1</script><img src=x onerror=window.ran=1><!-- {{ 7*7 }} \u2028 &amp;"


@pytest.fixture(scope="module")
def full():
    return Parsed(paired_page(runs.paired(), runs.COMMAND, runs.records_of(24, 16)))


def of(suspects, references=()):
    """Return two runs by pairs of scores."""
    named = (("suspects", suspects), ("references", references))
    return runs.paired_of(
        [runs.item(name, place, *pair) for name, each in named for place, pair in enumerate(each)]
    )


RISEN = [(0.25, 0.5), (0.25, 0.75), (0.5, 0.75), (0.125, 0.5)]
STILL = [(0.25, 0.5), (0.5, 0.25), (0.25, 0.25), (0.75, 0.75)]


@pytest.mark.parametrize(
    ("paired", "sentence"),
    [
        (
            of(RISEN, STILL),
            "From the first run to the second, the suspects' mean score rose by 0.344; the "
            "references' did not change by more than chance.",
        ),
        (
            of([pair[::-1] for pair in RISEN], RISEN),
            "From the first run to the second, the suspects' mean score fell by 0.344; the "
            "references' rose by 0.344.",
        ),
        (
            of(STILL),
            "From the first run to the second, the suspects' mean score did not change by more "
            "than chance; there are no references to hold it against.",
        ),
    ],
)
def test_the_claim_by_hand(paired, sentence):
    assert claim(paired) == sentence
    words = Parsed(paired_page(paired, runs.COMMAND)).words
    assert words.index(sentence) < words.index(CAUTION) < words.index("Before and after")


def test_a_rise_above_the_references_is_explained_at_once():
    higher = of([(0.0, 0.5), (0.0, 0.6), (0.0, 0.7)], [(0.0, 0.1), (0.0, 0.2), (0.0, 0.3)])
    sentences = difference(higher)
    assert sentences[0] == "Not so that this comparison could tell it from chance."  # 3 against 3
    many = of([(0.0, 0.5 + i / 100) for i in range(20)], [(0.0, i / 100) for i in range(20)])
    assert difference(many)[0].endswith("Easier prompts do so too.")
    assert "in 100 of 100 such pairs the score of the suspect rose more" in difference(many)[1]
    fewer = of([(0.0, i / 100) for i in range(20)], [(0.0, 0.5 + i / 100) for i in range(20)])
    assert difference(fewer)[0] == "No: the references rose more than the suspects."
    assert difference(of(RISEN)) == []


@pytest.mark.parametrize(
    ("number", "text"), [(0.25, "+0.250"), (-0.5, "\N{MINUS SIGN}0.500"), (-0.0001, "0.000")]
)
def test_changes_have_signs(number, text):
    assert signed(number) == text


def test_means_intervals_and_counts(full):
    found = runs.paired()
    for name in ("suspects", "references"):
        change = getattr(found, name)
        assert (
            f"{name} {change.first:.3f} {change.second:.3f} {signed(change.mean)} "
            f"{signed(change.low)} to {signed(change.high)}" in full.words
        )
        assert f"Of {change.prompts} {name}, {change.rose} rose, {change.fell} fell" in full.words
    auc = found.difference
    assert (
        f"{auc.auc:.2f} AUC, 95 % interval {auc.low:.2f} to {auc.high:.2f}, one-sided" in full.words
    )


def test_intervals_are_drawn_about_no_change():
    half = of([(0.5, 0.5), (0.5, 1.0)], [(0.5, 0.75), (0.5, 0.75)])
    lines = [
        (attributes["class"], attributes["x1"], attributes["x2"])
        for tag, attributes in Parsed(paired_page(half, runs.COMMAND)).elements
        if tag == "line" and attributes.get("class") in ("chance", "interval")
    ]
    assert lines == [
        ("chance", "50.0%", "50.0%"),
        ("interval", "50.0%", "100.0%"),
        ("chance", "50.0%", "50.0%"),
        ("interval", "75.0%", "75.0%"),
    ]


def test_methods_models_runs_notes_command_and_sources(full):
    for text in (
        "first model openai/base", "second model openai/step200", "first run runs/base",
        "max_tokens 1024", "1 prompts of runs/step200 are not in runs/base.",
        "2 prompts without a change: all 2 completions are empty in the full view",
        runs.COMMAND, "arXiv 2602.11792", "audit --control-run", "compare.json",
    ):  # fmt: skip
        assert text in full.words


def test_every_picture_has_words(full):
    figures = [attributes["id"] for tag, attributes in full.elements if tag == "figure"]
    assert figures == ["figure-pairs", "figure-changes"]
    found = runs.paired()
    rose, prompts = found.suspects.rose, found.suspects.prompts
    assert f"Above the line: {rose} of {prompts} suspects" in full.words
    pictures = [attributes for tag, attributes in full.elements if tag == "svg"]
    assert all(picture["aria-hidden"] == "true" for picture in pictures)


def test_the_table_holds_every_prompt_with_both_scores():
    items = [
        runs.item("suspects", 0, 0.25, 0.75),
        runs.item("suspects", 1, 0.5, 0.25),
        runs.item("references", 0, 0.5, 0.5),
        runs.item("references", 1, 0.5, None),
        runs.item("suspects", 2, 0.5, 0.5),
    ]
    table = unpacked(Parsed(paired_page(runs.paired_of(items), "")).raw["table-data"])
    assert {column["name"]: column["values"] for column in table["columns"]} == {
        "first": [0.25, 0.5, 0.5, 0.5, 0.5],
        "second": [0.75, 0.25, 0.5, None, 0.5],
        "change": [0.5, -0.25, 0.0, None, 0.0],
    }
    assert table["states"] == [0, 1, 2, 3, 2]
    assert table["reasons"] == {"3": runs.REASON}
    assert table["columns"][int(table["sort"])]["name"] == "change"
    assert table["runs"] == ["runs/base", "runs/step200"]


def details(html):
    raw = Parsed(html).raw
    return {name: text for name, text in raw.items() if name.startswith("detail-")}


def test_each_prompt_has_the_completions_of_both_runs():
    first, second = runs.records_of(2, 2)
    held = details(paired_page(runs.paired(2, 2), "", (first, reversed(second))))
    assert set(held) == {f"detail-{i}-{run}" for i in range(4) for run in ("first", "second")}
    for records, run in ((first, "first"), (second, "second")):
        texts = [c["text"] for c in unpacked(held[f"detail-1-{run}"])["completions"]]
        assert texts == [sample.text for sample in records[1].completions("sample")]


def test_a_prompt_of_one_run_alone_has_no_details():
    first, second = runs.records_of(2, 2)
    assert set(details(paired_page(runs.paired(2, 2), "", (first[:1], second)))) == {
        "detail-0-first",
        "detail-0-second",
    }


def test_the_budget_goes_to_what_rose_most_of_each_set():
    found, records = runs.paired(12, 12), runs.records_of(12, 12)
    every = details(paired_page(found, "", records))
    budget = sum(map(len, every.values())) // 3
    html = paired_page(found, "", records, budget=budget)
    kept = details(html)
    assert 0 < sum(map(len, kept.values())) <= budget
    places = {int(name.split("-")[1]) for name in kept}
    for name in ("suspects", "references"):
        ranked = sorted(
            (i for i, item in enumerate(found.items) if item.set == name),
            key=lambda i: -(found.items[i].change or 0),
        )
        held = [place for place in ranked if place in places]
        assert held
        assert held == ranked[: len(held)]
    assert f"completions of {len(places)} of 24 prompts, those whose scores rose most" in (
        Parsed(html).words
    )


@pytest.mark.parametrize("number", [0, 1, 2])
def test_next_to_nothing_has_a_page(number):
    html = paired_page(runs.paired(number, number), runs.COMMAND, runs.records_of(number, number))
    assert ("Too few suspects" in html) == (number < 2)


def test_a_strangers_text_is_text_everywhere():
    found = runs.paired(6, 6)
    items = tuple(replace(i, prompt=HOSTILE, source=HOSTILE, reason=HOSTILE) for i in found.items)
    found = replace(
        found, items=items, notes=(HOSTILE,), first_run=HOSTILE, second_run=HOSTILE,
        first_model=HOSTILE, second_model=HOSTILE, parameters={HOSTILE: HOSTILE, "samples": 8},
    )  # fmt: skip
    parsed = Parsed(paired_page(found, HOSTILE, runs.records_of(6, 6)))
    assert "<script>window.ran=1</script>" in parsed.text
    assert not [tag for tag, _ in parsed.elements if tag == "img"]
    scripts = [attributes for tag, attributes in parsed.elements if tag == "script"]
    assert [s for s in scripts if s.get("type") != "application/gzip+base64"] == [{}]
    assert "window.ran" not in parsed.raw["script"]


def test_the_policy_admits_the_pages_own_style_and_script_and_nothing_else(full):
    [policy] = [
        attributes["content"]
        for _, attributes in full.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for kind in ("script", "style"):
        digest = hashlib.sha256(full.raw[kind].encode()).digest()
        assert rules[f"{kind}-src"] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert rules["default-src"] == "'none'"
    assert "innerHTML" not in full.raw["script"]
    for tag, attributes in full.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        assert "src" not in attributes


def test_no_id_is_given_twice(full):
    ids = [attributes["id"] for _, attributes in full.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_equal_runs_give_equal_pages():
    def made():
        return paired_page(runs.paired(4, 4), runs.COMMAND, runs.records_of(4, 4))

    assert made() == made()
