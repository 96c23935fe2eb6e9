"""Texts as tokens, and counts of n-grams."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from wellworn.analysis.tokens import count_ngrams, spans, split, tokenised


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (r"\frac{1}{2}x", [r"\frac", "{", "1", "}", "{", "2", "}", "x"]),
        (r"\(A \cap B\)", [r"\(", "A", r"\cap", "B", r"\)"]),
        ("3.14*r^2 <= 1,000", ["3.14", "*", "r", "^", "2", "<=", "1,000"]),
        ("1,2,3", ["1", ",", "2", ",", "3"]),
        ("10-3=7;7+3=10 ok", ["10", "-", "3", "=", "7", ";", "7", "+", "3", "=", "10", "ok"]),
        ("Therefore we don't KNOW.", ["therefore", "we", "don't", "know", "."]),
        ("a_{n+1} → ∞", ["a", "_", "{", "n", "+", "1", "}", "→", "∞"]),
        ("因此x等于 4😀 なる", ["因", "此", "x", "等", "于", "4", "😀", "な", "る"]),
        ("Если x, то 한국어", ["если", "x", ",", "то", "한국어"]),
        ("", []),
    ],
)
def test_mathematics_survives(text, tokens):
    assert split(text) == tokens


def test_spans_give_the_text_back():
    text = "So  2x =\n 6."
    assert [text[start:end].lower() for start, end, _ in spans(text)] == split(text)


def test_words_are_split_as_published():
    assert split("Let x=3.\nThen x+1 = 4.", "words") == ["Let", "x=3Then", "x+1", "=", "4"]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_counts_are_those_of_scikit_learn(n):
    draw = np.random.default_rng(n)
    texts = [" ".join(draw.choice(list("abc+="), size)) for size in (40, 1, 25, 60)]
    theirs = CountVectorizer(
        tokenizer=split, token_pattern=None, lowercase=False, ngram_range=(n, n)
    )
    matrix = theirs.fit_transform(texts).toarray()
    names = {name: place for place, name in enumerate(theirs.get_feature_names_out())}
    held = tokenised(texts)
    ours = count_ngrams(held, n)
    columns = [names[" ".join(held.spelt(gram))] for gram in ours.tokens]
    assert sorted(columns) == list(range(len(names)))
    assert (ours.counts == matrix[:, columns]).all()


def test_many_different_tokens_do_not_overflow():
    words = " ".join(f"w{'x' * (i % 7)}{i}" for i in range(9_000))
    found = count_ngrams(tokenised([words, words]), 5)
    assert found.counts.shape[1] == len(split(words)) - 4
    assert (found.counts == 1).all()


def test_texts_that_are_too_short_have_no_ngrams():
    assert count_ngrams(tokenised(["a b", ""]), 3).counts.shape == (2, 0)
    assert count_ngrams(tokenised([]), 1).counts.shape == (0, 0)
