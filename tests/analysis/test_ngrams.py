"""Frequent n-grams and what kind they are."""

import pytest

from wellworn.analysis.labelling import Item, agreement, asker, read
from wellworn.analysis.ngrams import (
    CATEGORIES,
    category_of,
    frequent_ngrams,
    grams_of,
    measures_of,
)
from wellworn.analysis.tokens import split, tokenised
from wellworn.backends import Target, open_backend
from wellworn.errors import BackendError, Refused, Unscorable

PROMPT = "How many red marbles has Ann?"
TEXTS = [
    "So we have that 2 + 3 = 5.",
    "So we have that 2 + 3 = 5.",
    "Ann has red marbles: how many red marbles",
    "nothing here at all, sorry",
]


def frequent(share=0.25):
    return frequent_ngrams(tokenised(TEXTS), PROMPT, 3, share)


def test_frequent_is_more_than_the_share_of_the_completions():
    grams = frequent().grams
    assert ("2", "+", "3") in grams  # in 2 of 4
    assert ("many", "red", "marbles") not in grams  # in 1 of 4, which is no more than a quarter
    assert ("many", "red", "marbles") in frequent(0.2).grams
    assert frequent(0.5).grams == []


def test_repetitions_in_one_completion_do_not_make_an_ngram_frequent():
    found = frequent_ngrams(tokenised(["1 + 1 + 1 + 1 + 1", "b", "c", "d"]), "", 3, 0.25)
    assert found.grams == []
    found = frequent_ngrams(tokenised(["1 + 1 + 1", "1 + 1", "c"]), "", 3, 0.25)
    assert (found.grams[0], found.spread[0], found.counts[:, 0].tolist()) == (
        ("1", "+", "1"),
        2,
        [2, 1, 0],
    )


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("many red marbles", "restatement"),
        ("2 + 3", "symbolic"),
        (r"\sqrt of it", "symbolic"),
        ("where x is", "symbolic"),
        ("so we have", "boilerplate"),
        ("we have 3", "boilerplate"),
        ("red or blue", "other"),
        ("} { ,", "other"),
        ("7 ; 10", "other"),
        ("A marble I", "other"),
        ("这 是 的", "other"),
        ("令 \N{GREEK SMALL LETTER ALPHA} 为", "symbolic"),
    ],
)
def test_rules(text, category):
    said = grams_of(split(PROMPT), 3)
    assert category_of(tuple(split(text)), said) == category


def test_measures_by_hand():
    found = measures_of(frequent(), 40)
    grams = frequent().grams
    assert found["frequent n-grams"] == len(grams) == 8
    assert found["symbolic n-grams"] + found["boilerplate n-grams"] + found["other n-grams"] == 8
    assert found["frequent rate"] == 1000 * 16 / 40
    with pytest.raises(Unscorable, match="all completions are empty"):
        measures_of(frequent(), 0)


def items(*pairs):
    return [Item("a prompt", tuple(text.split()), category) for text, category in pairs]


def test_kappa_by_hand():
    # of 4, 3 agree: 0.75; by chance 0.5 * 0.75 + 0.5 * 0.25 = 0.5
    held = items(("1", "symbolic"), ("2", "symbolic"), ("3", "other"), ("4", "other"))
    said = {"1": "symbolic", "2": "symbolic", "3": "symbolic", "4": "Other."}
    found = agreement(held, lambda text: said[text.split("Phrase: ")[1][0]], "m")
    assert (found.asked, found.answered, found.agreed) == (4, 4, 3)
    assert found.kappa == pytest.approx(0.5)
    assert found.table["other"]["symbolic"] == 1


def test_answers_that_name_nothing_are_counted_apart():
    def refuse(text):
        raise Refused("no")

    found = agreement(items(("1", "symbolic")), refuse, "m")
    assert (found.asked, found.answered, found.kappa) == (1, 0, None)
    assert [read(each) for each in ("OTHER", "a step", *CATEGORIES)] == ["other", None, *CATEGORIES]


def test_any_backend_labels(tmp_path):
    script = tmp_path / "m.json"
    script.write_text('{"answers": {}, "default": ["symbolic"]}')
    backend = open_backend(Target(model=f"fake/{script}"))
    found = agreement(
        items(("2 + 3", "symbolic"), ("so we", "boilerplate")), asker(backend), backend.identity
    )
    assert (found.model, found.agreed, found.kappa) == (f"fake/{script}", 1, 0.0)
    script.write_text('{"answers": {}}')
    with pytest.raises(BackendError, match="the script has no answer"):
        agreement(items(("2", "other")), asker(open_backend(Target(model=f"fake/{script}"))), "m")
