"""Matched references: the best pairs by enumeration, the caliper, the balance, the refusals."""

from itertools import permutations

import numpy as np
import pytest

from wellworn.statistics.items import COVARIATES, Item, design_of
from wellworn.statistics.matching import _distances, match


def items_of(suspects, pool, *, length=100):
    """Return suspects and a pool with such base scores, s0 to sn and r0 to rn."""
    return [
        Item(prompt_id=f"{name}{i}", suspect=name == "s", base_score=float(x), prompt_length=length)
        for name, scores in (("s", suspects), ("r", pool))
        for i, x in enumerate(scores)
    ]


def test_each_suspect_gets_the_reference_that_is_nearest():
    found = match(items_of([1, 2, 3], [9, 3.01, 1.01, 5, 2.01]))
    assert found.pairs == (("s0", "r2"), ("s1", "r4"), ("s2", "r1"))
    assert (found.unmatched, found.refused) == ((), ())
    assert found.before[0].references == pytest.approx(4.006)
    assert found.after[0].references == pytest.approx(2.01)
    assert abs(found.after[0].difference) < 0.02


def test_no_score_of_the_tuned_model_is_needed_or_read():
    items = items_of([1, 2, 3], [9, 3, 1, 5, 2])
    scored = [
        Item(**{f: getattr(i, f) for f in i.__struct_fields__} | {"score": 7.0}) for i in items
    ]
    assert match(items) == match(scored)


def test_the_sum_of_all_distances_is_the_smallest():
    items = items_of([0, 0.05, 0.1, 4], [0.06, 0.01, 0.12, 3.9, 4.1, -0.2])
    design = design_of(items, COVARIATES)
    distances, near = _distances(design, np.arange(4), np.arange(4, 10))
    best = min(
        sum(distances[i, j] for i, j in enumerate(chosen))
        for chosen in permutations(range(6), 4)
        if all(near[i, j] for i, j in enumerate(chosen))
    )
    places = [(int(s[1:]), int(r[1:])) for s, r in match(items).pairs]
    assert len(places) == 4
    assert sum(distances[pair] for pair in places) == pytest.approx(best)


def test_the_distance_counts_in_standard_deviations_and_once_for_what_goes_together():
    items = items_of([0, 1, 2], [0, 1, 3])
    design = design_of(items, COVARIATES)
    distances, _ = _distances(design, np.arange(3), np.arange(3, 6))
    within = np.sqrt((2 * 1 + 2 * (7 / 3)) / 4)
    assert distances[0, 2] == pytest.approx(3 / within)


def test_a_pool_that_is_too_far_is_refused_with_its_numbers():
    found = match(items_of([5, 6, 7, 8], [0, 1, 2, 3, 4.9]))
    assert found.refused[0].startswith("Only ")
    assert "of 4 suspects have a reference in the pool that is near enough; 80%" in found.refused[0]
    assert len(found.unmatched) >= 3
    assert all(found.unmatched.count(s) == 0 for s, _ in found.pairs)


def test_references_enough_for_several_each():
    pool = [1.0, 1.01, 2.0, 2.01, 3.0, 3.01, 8.0]
    found = match(items_of([1, 2, 3], pool), each=2)
    assert [pair[0] for pair in found.pairs] == ["s0", "s0", "s1", "s1", "s2", "s2"]
    assert len({pair[1] for pair in found.pairs}) == 6
    assert "r6" not in {pair[1] for pair in found.pairs}


def test_a_smaller_pool_leaves_suspects_unmatched():
    found = match(items_of([1, 1.1, 1.2, 1.3], [1, 1.2]))
    assert len(found.pairs) == 2
    assert len(found.unmatched) == 2
    assert found.refused


def test_where_nothing_varies_everything_matches():
    found = match(items_of([1, 1, 1], [1, 1, 1, 1]))
    assert len(found.pairs) == 3
    assert (found.before, found.after, found.refused) == ((), (), ())


@pytest.mark.parametrize("seed", range(5))
def test_what_is_chosen_is_better_balanced_than_the_pool(seed):
    generator = np.random.default_rng(seed)
    found = match(items_of(generator.normal(0.7, 1, 30), generator.normal(size=400)))
    assert found.before[0].difference > 0.3
    assert abs(found.after[0].difference) < 0.1
    assert not found.refused
