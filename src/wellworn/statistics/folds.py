"""Folds of a cross-validation: each holds its share of members and of non-members."""

from collections.abc import Iterator

import numpy as np

FOLDS = 5
"""Folds of a repeat; as many as the smaller class has, where that is fewer."""
REPEATS = 10
"""Different divisions into folds; a number that is averaged over them depends little on chance."""


def stratified_folds(labels: np.ndarray, repeat: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield what is learnt from and what is held out, as indices, once for each fold.

    Args:
        labels: bool[n], true for members; at least two of each class.
        repeat: Which division into folds; each is the same whenever it is asked for.

    >>> [len(out) for _, out in stratified_folds(np.array([True] * 5 + [False] * 10), repeat=0)]
    [3, 3, 3, 3, 3]
    """
    from sklearn.model_selection import StratifiedKFold  # type: ignore[import-untyped]

    smaller = int(min(labels.sum(), (~labels).sum()))
    folds = StratifiedKFold(min(FOLDS, smaller), shuffle=True, random_state=repeat)
    yield from folds.split(labels[:, None], labels)
