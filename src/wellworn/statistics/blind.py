"""Blind baselines: membership guessed from the text of the prompt alone, without the model.

If members and non-members were drawn differently, something as plain as their length tells
them apart, and so may every detector, for that reason. What a blind baseline reaches is
therefore the level to beat, and where it separates the classes no AUC is clean evidence.

Five count (characters, words, digits, the size under zlib, commas). Two learn: logistic
regression on the TF-IDF of words (one and two in a row) and of characters (two to four,
within words), with out-of-fold scores of a stratified 5-fold cross-validation, averaged over
10 divisions into folds. What is read is the last turn of a chat.

A count does not know which way members differ, so an AUC of 0 separates as well as 1. What
learns does know: below 0.5 it has found nothing that holds out of fold, which small sets
bring about by chance, and that is no separation.

A flag is an alarm, no proof: intervals of seven baselines are 95 % each, and that of one that
learns is too narrow, since it takes the out-of-fold scores as given. With the labels of
RL-MIA's clean sets shuffled (15 against 15 and 50 against 50; 240 shuffles), at least one was
flagged in a quarter. A lone flag near 0.5 says little; a distance like SAT's says all.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from wellworn.records import Prompt
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.folds import REPEATS, stratified_folds

COUNTS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "digits": lambda text: sum(character.isdigit() for character in text),
    "zlib size": lambda text: len(zlib.compress(text.encode("utf-8", "surrogatepass"))),
    "commas": lambda text: text.count(","),
}
"""Baselines that count something in a text."""

LEARNERS: dict[str, dict[str, Any]] = {
    "TF-IDF words": {"analyzer": "word", "ngram_range": (1, 2)},
    "TF-IDF characters": {"analyzer": "char_wb", "ngram_range": (2, 4)},
}
"""Baselines that learn from the labels of other folds, and what their features are."""


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """How well the text of the prompts alone tells members from non-members."""

    name: str
    comparison: Comparison
    """Members (as suspects) against non-members; an AUC below 0.5 stands as it is."""
    distance: float
    """How far the AUC is from chance, either way: in [0, 0.5]."""
    separates: bool
    """Whether the interval of the AUC excludes 0.5; for one that learns, from above only."""


def blind_scores(prompts: Sequence[Prompt], labels: np.ndarray) -> dict[str, np.ndarray]:
    """Return the scores, float[n], of each blind baseline.

    Args:
        prompts: n prompts, whose last turn is read.
        labels: bool[n], true for members; at least two of each class.
    """
    texts = [prompt.shown for prompt in prompts]
    counted = {
        name: np.array([count(text) for text in texts], dtype=float)
        for name, count in COUNTS.items()
    }
    return counted | {name: _learnt(texts, labels, how) for name, how in LEARNERS.items()}


def baselines(labels: np.ndarray, scores: Mapping[str, np.ndarray]) -> tuple[Baseline, ...]:
    """Return what blind scores achieve.

    Args:
        labels: bool[n], true for members; at least two of each class.
        scores: float[n] of each baseline, by its name.
    """
    return tuple(_baseline(name, labels, each) for name, each in scores.items())


def _baseline(name: str, labels: np.ndarray, scores: np.ndarray) -> Baseline:
    found = compare(scores[labels].tolist(), scores[~labels].tolist())
    return Baseline(
        name=name,
        comparison=found,
        distance=abs(found.auc - 0.5),
        separates=found.low > 0.5 or (found.high < 0.5 and name not in LEARNERS),
    )


def _learnt(texts: Sequence[str], labels: np.ndarray, how: dict[str, Any]) -> np.ndarray:
    """Return the out-of-fold log-odds of each text, float[n], averaged over the repeats.

    Features are counted over all texts, which needs no labels. Classes weigh the same in
    every fold: the share of members that a fold happens to have gives nothing away.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    vectorizer = TfidfVectorizer(sublinear_tf=True, **how)
    total = np.zeros(len(texts))
    if not any(map(vectorizer.build_analyzer(), texts)):
        return total  # not a word in any text
    features = vectorizer.fit_transform(texts)
    for repeat in range(REPEATS):
        for seen, held_out in stratified_folds(labels, repeat):
            model = LogisticRegression(
                solver="liblinear",
                dual=True,  # without BLAS, whose threads slow so many small fits down
                class_weight="balanced",
                max_iter=1_000,
                random_state=repeat,
            )
            model.fit(features[seen], labels[seen])
            total[held_out] += model.decision_function(features[held_out])
    return total / REPEATS
