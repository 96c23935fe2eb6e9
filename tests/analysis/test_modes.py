"""Modes against scipy and scikit-learn, and what a shuffle keeps."""

from random import Random

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score

from wellworn.analysis.modes import (
    best_cut,
    jaccard,
    measures_of,
    shuffled_distances,
    shuffled_features,
    tree_of,
)
from wellworn.analysis.skeletons import skeletons, steps
from wellworn.errors import Unscorable

TWO = np.array([[1, 1, 0, 0]] * 5 + [[0, 0, 1, 1]] * 3, dtype=bool)


def features(seed, m=20, g=12):
    return np.random.default_rng(seed).random((m, g)) < 0.4


def test_jaccard_is_scipys():
    held = features(1)
    held[3] = held[7] = False
    theirs = squareform(pdist(held, "jaccard"))
    assert jaccard(held) == pytest.approx(theirs)
    assert jaccard(held)[3, 7] == 0
    assert jaccard(held)[3, 0] == 1


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
@pytest.mark.parametrize("cut", [0.5, 0.7])
def test_modes_are_scikit_learns(linkage, cut):
    distances = jaccard(features(2))
    theirs = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage=linkage, distance_threshold=cut + 1e-6
    ).fit_predict(distances)
    ours = tree_of(distances, linkage).modes(cut)
    assert adjusted_rand_score(theirs, ours) == 1


def test_two_ways_by_hand():
    modes = tree_of(jaccard(TWO), "average").modes(0.7)
    assert modes.tolist() == [0] * 5 + [1] * 3
    found = measures_of(modes)
    assert (found["modes"], found["stable modes"], found["few modes"]) == (2, 2, 1)
    assert (found["largest mode"], found["singletons"]) == (5 / 8, 0)
    assert found["mode entropy"] == pytest.approx(0.6616, abs=1e-4)


def test_equal_completions_are_one_mode_and_one_completion_has_none():
    assert tree_of(np.zeros((4, 4)), "average").modes(0.5).tolist() == [0] * 4
    assert measures_of(np.zeros(4, int))["mode entropy"] == 0
    with pytest.raises(Unscorable, match="modes need two completions; there are 1"):
        tree_of(np.zeros((1, 1)), "average")


def test_the_number_of_modes_does_not_depend_on_the_order():
    held = features(3)
    order = np.random.default_rng(0).permutation(len(held))
    first, second = (
        tree_of(jaccard(each), "average", [row.tobytes().hex() for row in each]).modes(0.6)
        for each in (held, held[order])
    )
    assert adjusted_rand_score(first[order], second) == 1


def test_a_shuffle_keeps_both_margins_and_breaks_the_ways():
    shuffled = shuffled_features(TWO, Random(1))
    assert (shuffled.sum(axis=0) == TWO.sum(axis=0)).all()
    assert (shuffled.sum(axis=1) == TWO.sum(axis=1)).all()
    assert (shuffled != TWO).any()
    held = features(4)
    mixed = shuffled_features(held, Random(2))
    assert (mixed.sum(axis=0) == held.sum(axis=0)).all()
    assert (mixed.sum(axis=1) == held.sum(axis=1)).all()


def test_shuffled_distances_are_the_same_ones():
    distances = jaccard(features(5))
    shuffled = shuffled_distances(distances, Random(1))
    above = np.triu_indices(len(distances), 1)
    assert sorted(shuffled[above]) == sorted(distances[above])
    assert (shuffled == shuffled.T).all()
    assert (np.diag(shuffled) == 0).all()


def test_the_cut_is_where_modes_stand_out_most_from_chance():
    near = np.full((6, 6), 0.55) - 0.55 * np.eye(6)  # one mode from 0.6 on
    far = np.full((6, 6), 0.75) - 0.75 * np.eye(6)  # one mode from 0.8 on
    trees = [(tree_of(near, "average"), tree_of(far, "average"))]
    assert best_cut(trees) == 0.6  # 0.7 tells them apart equally well, and is further from 0.5
    assert best_cut([(trees[0][0], trees[0][0])]) == 0.5
    assert best_cut([]) is None


def test_the_cut_may_lie_low():
    near = np.full((6, 6), 0.15) - 0.15 * np.eye(6)
    far = np.full((6, 6), 0.35) - 0.35 * np.eye(6)
    assert best_cut([(tree_of(near, "average"), tree_of(far, "average"))]) == 0.3


def test_skeletons_by_hand():
    texts = ["a is 1. Then b is 2.", "a is 1. Then b is 2. Done now.", "a is 1. Odd one out.", "zz"]
    distances = np.array(
        [[0, 0.1, 0.3, 1], [0.1, 0, 0.4, 1], [0.3, 0.4, 0, 1], [1, 1, 1, 0]], dtype=float
    )
    [found] = skeletons(texts, distances, np.array([0, 0, 0, 1]), 3, least=2)
    assert (found.members, found.medoid) == ([0, 1, 2], 0)
    assert found.steps == [("a is 1.", 1.0), ("Then b is 2.", pytest.approx(2 / 3))]


def test_steps():
    assert steps("First. Second one! And 3.14 is one\n\nlast;  end") == [
        "First.",
        "Second one!",
        "And 3.14 is one",
        "last",
        "end",
    ]
    assert steps(" \n ") == []
