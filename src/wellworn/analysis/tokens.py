r"""Texts as tokens in which mathematics survives, and counts of their n-grams.

A token is a LaTeX command, a number, a word, or a sign; `\frac{1}{2}x <= 0.5` has ten.
Words are lower case, but a single letter keeps its case, since it may be a variable. Chinese and
Japanese have no spaces between words: there, each character is a token. The
published code splits at white space after taking out full stops and line breaks; that is
`words`, with which a formula without spaces is one token.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

Tokens = Literal["math", "words"]
"""How texts are split: so that mathematics survives, or at white space, as published."""

_UNSPACED = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Characters that words are written in without spaces, as a range of a pattern."""
_LETTER = rf"[^\W\d_{_UNSPACED}]"
_MATH = re.compile(
    r"\\[A-Za-z]+|\\."  # \frac, \{
    r"|\d{1,3}(?:,\d{3})+(?![\d,])|\d+(?:\.\d+)?"  # 1,000 and 3.14
    rf"|{_LETTER}+(?:['\u2019]{_LETTER}+)*"  # words, don't
    r"|<=|>=|==|!=|->|=>|\*\*|//"
    r"|\S",
    re.DOTALL,
)
_LARGEST = 2**62


class Ngrams(NamedTuple):
    """How often each n-gram occurs in each of m texts."""

    counts: np.ndarray
    """int32[m, g]."""
    tokens: np.ndarray
    """int64[g, n], the tokens that each is made of."""


class Tokenised(NamedTuple):
    """Texts as numbered tokens."""

    words: list[str]
    """Each different token, by its number."""
    ids: list[np.ndarray]
    """int64[length] of each text."""

    def taking(self, places: Sequence[int]) -> "Tokenised":
        """Return some of the texts."""
        return Tokenised(self.words, [self.ids[place] for place in places])

    def spelt(self, gram: np.ndarray) -> tuple[str, ...]:
        """Return the tokens with these numbers."""
        return tuple(self.words[int(place)] for place in gram)


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each token of a text begins and ends, and what it is.

    >>> list(spans("So 2x"))
    [(0, 2, 'so'), (3, 4, '2'), (4, 5, 'x')]
    """
    for match in _MATH.finditer(text):
        yield match.start(), match.end(), _folded(match.group())


def split(text: str, tokens: Tokens = "math") -> list[str]:
    r"""Return the tokens of a text.

    >>> split("2x = \\frac{1}{2}, as A<=1,000.")[2:]
    ['=', '\\frac', '{', '1', '}', '{', '2', '}', ',', 'as', 'A', '<=', '1,000', '.']
    >>> split("So 2x = 6.\nThen x = 3.", "words")
    ['So', '2x', '=', '6Then', 'x', '=', '3']
    """
    if tokens == "words":
        return text.replace(".", "").replace("\n", "").split()
    return [_folded(token) for token in _MATH.findall(text)]


def tokenised(texts: Sequence[str], tokens: Tokens = "math") -> Tokenised:
    """Return texts as numbered tokens; numbers are given in order of appearance."""
    numbers: dict[str, int] = {}
    ids = [
        np.array([numbers.setdefault(token, len(numbers)) for token in split(text, tokens)], int)
        for text in texts
    ]
    return Tokenised(list(numbers), ids)


def count_ngrams(texts: Tokenised, n: int) -> Ngrams:
    """Return how often each n-gram occurs in each text; n-grams do not cross texts.

    >>> found = count_ngrams(tokenised(["a b a b", "b a"]), 2)
    >>> found.counts.tolist(), found.tokens.tolist()
    ([[2, 1], [0, 1]], [[0, 1], [1, 0]])
    """
    starts, flat = _starts(texts.ids, n)
    places, docs = starts
    size = max(len(texts.words), 1)
    codes, range_ = np.zeros(len(places), int), 1
    for step in range(n):
        if range_ > _LARGEST // size:
            held, codes = np.unique(codes, return_inverse=True)
            range_ = len(held)
        codes, range_ = codes * size + flat[places + step], range_ * size
    _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
    cells = np.bincount(docs * len(first) + codes, minlength=len(texts.ids) * len(first))
    counts = cells.reshape(len(texts.ids), len(first)).astype(np.int32)
    return Ngrams(counts, flat[places[first][:, None] + np.arange(n)])


def _starts(ids: Sequence[np.ndarray], n: int) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Return where n-grams begin and in which text, and all texts end to end."""
    lengths = np.array([len(each) for each in ids], int)
    flat = np.concatenate([np.zeros(0, int), *ids])
    docs = np.repeat(np.arange(len(ids)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(flat))
    places = np.flatnonzero(left >= n)
    return (places, docs[places]), flat


def is_letter(token: str) -> bool:
    """Return whether a token is a single letter, of a script that spells words with letters.

    >>> is_letter("x"), is_letter("α"), is_letter("\u662f"), is_letter("so")
    (True, True, False, False)
    """
    return len(token) == 1 and re.match(_LETTER, token) is not None


def _folded(token: str) -> str:
    return token.lower() if len(token) > 1 and token[0] != "\\" else token
