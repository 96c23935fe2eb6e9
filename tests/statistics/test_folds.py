"""Folds hold their share of each class, and are the same whenever they are asked for."""

import numpy as np
import pytest

from wellworn.statistics.folds import stratified_folds


@pytest.mark.parametrize(("members", "others", "folds"), [(15, 15, 5), (7, 40, 5), (3, 9, 3)])
def test_every_prompt_is_held_out_once_and_classes_keep_their_share(members, others, folds):
    labels = np.arange(members + others) < members
    held_out = [out for _, out in stratified_folds(labels, repeat=0)]
    assert len(held_out) == folds
    assert sorted(np.concatenate(held_out)) == list(range(members + others))
    assert {labels[out].sum() for out in held_out} <= {members // folds, -(-members // folds)}


def test_what_is_held_out_is_not_learnt_from():
    labels = np.arange(20) < 10
    for seen, out in stratified_folds(labels, repeat=1):
        assert sorted([*seen, *out]) == list(range(20))


def test_a_repeat_is_always_the_same_and_another_one_differs():
    labels = np.arange(30) < 15
    first, again, other = (
        [out.tolist() for _, out in stratified_folds(labels, repeat)] for repeat in (0, 0, 1)
    )
    assert first == again
    assert first != other
