"""Lexical diversity against values by hand and against libraries."""

import gzip
from fractions import Fraction

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics import BLEU

from wellworn.analysis.design import Design
from wellworn.analysis.diversity import (
    compression_ratio,
    distinct_n,
    ead,
    mean_distance,
    self_bleu,
)
from wellworn.analysis.sets import Wording, across, sizes, within
from wellworn.analysis.tokens import count_ngrams, tokenised
from wellworn.errors import Unscorable

TEXTS = ["x = 3 so x + x = 6", "x = 3 , 2 x = 6 .", "six , I think", "x = 3 so x + x = 6"]


def test_ead_by_hand():
    assert ead(10_000, 10_000, 50_257) == pytest.approx(1.1028, abs=5e-5)
    assert ead(10_000, 10_000, 151_936) == pytest.approx(1.033, abs=5e-4)
    assert ead(50_000, 50_000, 50_257) == pytest.approx(1.579, abs=5e-4)
    assert ead(3, 4, 2) == pytest.approx(3 / (2 * (1 - 0.5**4)))


def test_ead_is_the_formula_in_exact_arithmetic():
    vocabulary, total, distinct = 1_000, 250, 180
    expected = vocabulary * (1 - Fraction(vocabulary - 1, vocabulary) ** total)
    assert ead(distinct, total, vocabulary) == pytest.approx(float(distinct / expected), rel=1e-12)


def test_distinct_n_by_hand():
    counts = count_ngrams(tokenised(["a b a b", "a b"]), 2).counts  # ab ba ab | ab
    assert distinct_n(int(counts.any(axis=0).sum()), int(counts.sum())) == 0.5


def test_compression_is_gzips():
    texts = ["the same line " * 20, "the same line " * 20]
    data = "\n".join(texts).encode()
    assert compression_ratio(texts) == len(data) / len(gzip.compress(data, 9))


def test_self_bleu_is_sacrebleus():
    draw = np.random.default_rng(4)
    texts = [*TEXTS, *(" ".join(draw.choice(list("abcde"), size)) for size in (9, 30, 3))]
    tokens = tokenised(texts)
    spelt = [" ".join(tokens.spelt(ids)) for ids in tokens.ids]
    bleu = BLEU(effective_order=True, tokenize="none")
    theirs = [
        bleu.sentence_score(text, spelt[:place] + spelt[place + 1 :]).score
        for place, text in enumerate(spelt)
    ]
    counts = [count_ngrams(tokens, n).counts for n in (1, 2, 3, 4)]
    ours = self_bleu(counts, np.array([len(ids) for ids in tokens.ids]))
    assert ours == pytest.approx(np.mean(theirs))
    assert 0 < ours < 100


def test_equal_texts_have_a_self_bleu_of_100():
    assert Wording(["a b c d e"] * 3, Design()).measures(range(3))["self-bleu"] == pytest.approx(
        100
    )


def test_the_mean_distance_is_over_pairs():
    texts = ["abcd", "abce", "xyz"]
    pairs = [(0, 1), (0, 2), (1, 2)]
    theirs = [Levenshtein.normalized_distance(texts[i], texts[j]) for i, j in pairs]
    assert Wording(texts, Design()).distances[0, 1] == 0.25
    assert mean_distance(Wording(texts, Design()).distances) == pytest.approx(np.mean(theirs))


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (lambda: ead(0, 0, 10), "too short: they hold no n-gram"),
        (lambda: distinct_n(0, 0), "too short: they hold no n-gram"),
        (lambda: compression_ratio(["", " "]), "all completions are empty"),
        (lambda: self_bleu([np.ones((1, 1), int)] * 4, np.array([1])), "there are 1"),
        (lambda: mean_distance(np.zeros((1, 1))), "a distance needs two completions; there are 1"),
    ],
)
def test_what_cannot_be_measured_has_a_reason(measure, said):
    with pytest.raises(Unscorable, match=said):
        measure()


def test_all_measures_of_a_set():
    found = Wording(TEXTS, Design()).measures([0, 3])
    assert found["edit"] == 0
    assert found["distinct-1"] == pytest.approx(6 / 18)  # x = 3 so + 6, of 9 tokens twice
    assert found["ead"] == pytest.approx(np.mean([found[f"ead-{n}"] for n in range(1, 6)]))
    assert found["ead-1"] == pytest.approx(ead(6, 18, 50_257))


def test_the_order_of_the_completions_does_not_matter():
    one = Wording(TEXTS, Design()).measures(range(4))
    other = Wording(TEXTS[::-1], Design()).measures(range(4))
    other["compression"] = one["compression"]
    assert one == pytest.approx(other)


def test_smaller_sets_are_means_over_disjoint_parts():
    texts = [f"{word} {word} is {word} again or so" for word in "abcdefgh"]
    wording = Wording(texts, Design())
    found = within(wording, 8)
    assert list(found) == sizes(8) == [4, 8]
    parts = [wording.measures(range(4)), wording.measures(range(4, 8))]
    assert found[4]["self-bleu"] == pytest.approx(np.mean([p["self-bleu"] for p in parts]))
    assert found[4]["distinct-1"] > found[8]["distinct-1"]


def test_sets_across_prompts_hold_one_completion_of_each():
    texts = {f"p{i}": [f"only{i} only{i} only{i} and so on{i}"] * 8 for i in range(16)}
    found = dict(across(texts, Design()))
    assert list(found) == [4, 8]
    assert found[8]["edit"].sets == 2
    assert found[4]["edit"].error is not None
    inside = within(Wording(texts["p0"], Design()), 8)
    assert inside[8]["edit"] == 0 < found[8]["edit"].value
    assert found[8]["self-bleu"].value < inside[8]["self-bleu"]


def test_too_few_prompts_give_no_sets_across():
    assert list(across({"a": ["one two"] * 4, "b": ["three"] * 4}, Design())) == []
    assert list(across({}, Design())) == []


def test_sets_across_keep_what_they_have():
    def measure(texts):
        if len(asked) < 2:
            asked.append(texts)
            raise Unscorable("not yet")
        return {"nli": float(len(texts))}

    asked = []
    texts = {f"p{i}": ["one two", "three four"] for i in range(8)}  # too short for EAD
    [(size, found)] = across(texts, Design(), {"NLI": measure})
    assert size == 2
    assert "ead" not in found
    assert found["edit"].sets == 4
    assert (found["nli"].value, found["nli"].sets) == (2.0, 2)
