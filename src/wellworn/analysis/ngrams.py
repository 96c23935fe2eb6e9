"""Which n-grams a prompt's completions repeat, and of what kind they are.

An n-gram is frequent if more than a share of the completions have it: by default 3-grams in
more than a quarter, which at 32 completions is the paper's "more than 8 times". The paper let a
language model label them; its prompt is not published. Ours are rules, in this order:

    restatement   the prompt has the n-gram itself
    symbolic      it has a LaTeX command, a relation sign or a variable, or a number beside an
                  operator; a variable is a single letter other than a and I
    boilerplate   more than half of its words are connectives (`connectives`)
    other         what is left

`labelling` asks a model instead, and says how far the two agree. Counts grow with the length of
completions, so they are also given for every 1,000 tokens.
"""

from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple, get_args

import numpy as np

from wellworn.analysis.tokens import Tokenised, count_ngrams, is_letter, split
from wellworn.errors import Unscorable

Category = Literal["restatement", "symbolic", "boilerplate", "other"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

Gram = tuple[str, ...]

_RELATIONS = frozenset(
    [*"=<>~≤≥≠≈≡∈∉⊂⊆∝→⇒⇔↔∧¬", "<=", ">=", "==", "!=", "->", "=>", "\N{LOGICAL OR}", "\N{DIVIDES}"]
)
_OPERATORS = frozenset(
    [*"+-*/^%!|·÷±√&∑∏∫", "**", "//", "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"]
)
_ARTICLES = frozenset("aAIi")


class Frequent(NamedTuple):
    """The frequent n-grams of a prompt's m completions, the most widespread first."""

    grams: list[Gram]
    categories: list[Category]
    counts: np.ndarray
    """int32[m, g], how often each completion has each."""

    @property
    def spread(self) -> np.ndarray:
        """In how many completions each occurs, int64[g]."""
        return np.asarray((self.counts > 0).sum(axis=0))

    def among(self, category: Category) -> np.ndarray:
        """Return which are of a category, bool[g]."""
        return np.array([each == category for each in self.categories], dtype=bool)


def frequent_ngrams(texts: Tokenised, prompt: str, n: int, share: float) -> Frequent:
    """Return the n-grams that more than a share of the texts have."""
    found = count_ngrams(texts, n)
    spread = (found.counts > 0).sum(axis=0)
    kept = np.flatnonzero(spread > share * len(texts.ids))
    kept = kept[np.lexsort((kept, -found.counts[:, kept].sum(axis=0), -spread[kept]))]
    grams = [texts.spelt(gram) for gram in found.tokens[kept]]
    said = grams_of(split(prompt), n)
    return Frequent(grams, [category_of(gram, said) for gram in grams], found.counts[:, kept])


def grams_of(tokens: Sequence[str], n: int) -> set[Gram]:
    """Return the different n-grams of a text.

    >>> sorted(grams_of(["a", "b", "a", "b"], 3))
    [('a', 'b', 'a'), ('b', 'a', 'b')]
    """
    return set(zip(*(tokens[start:] for start in range(n)), strict=False))


def category_of(gram: Gram, prompt: Collection[Gram] = ()) -> Category:
    """Return the category of an n-gram by the rules.

    Args:
        gram: Its tokens.
        prompt: The n-grams of the prompt.

    >>> category_of(("so", "2", "=")), category_of(("we", "have", "that"))
    ('symbolic', 'boilerplate')
    >>> category_of(("red", "marbles", "are")), category_of(("in", "3", "steps"))
    ('other', 'other')
    """
    if gram in prompt:
        return "restatement"
    if any(map(_is_symbol, gram)) or (
        any(token[0].isdigit() for token in gram) and any(token in _OPERATORS for token in gram)
    ):
        return "symbolic"
    words = [token for token in gram if token[0].isalpha()]
    if words and 2 * sum(word in connectives() for word in words) > len(words):
        return "boilerplate"
    return "other"


def _is_symbol(token: str) -> bool:
    command = token[0] == "\\" and token[1:].isalpha()
    variable = is_letter(token) and token not in _ARTICLES
    return command or variable or token in _RELATIONS


@cache
def connectives() -> frozenset[str]:
    """Return the words that hold reasoning together, and say nothing of this prompt."""
    text = (files("wellworn.analysis") / "connectives.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def measures_of(frequent: Frequent, tokens: int) -> dict[str, float]:
    """Return how many frequent n-grams there are, and how often they occur, by category.

    Args:
        frequent: Those of a prompt.
        tokens: Tokens of all its completions.

    Returns:
        `NAME n-grams`, how many different ones, and `NAME rate`, their occurrences for every
        1,000 tokens, NAME being a category or "frequent" for all.

    Raises:
        Unscorable: There are no tokens.
    """
    if not tokens:
        raise Unscorable("all completions are empty")
    occurrences = frequent.counts.sum(axis=0)
    found = {
        "frequent n-grams": float(len(frequent.grams)),
        "frequent rate": 1000 * float(occurrences.sum()) / tokens,
    }
    for category in CATEGORIES:
        mine = frequent.among(category)
        found[f"{category} n-grams"] = float(mine.sum())
        found[f"{category} rate"] = 1000 * float(occurrences[mine].sum()) / tokens
    return found
