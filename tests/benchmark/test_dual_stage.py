"""The AUC on the harder items, against subsets enumerated by hand and scikit-learn."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from wellworn.benchmark.dual_stage import QUANTILES, auc_of, dual_stage
from wellworn.errors import BadInput

GENERATOR = np.random.default_rng(3)
PROXIES = GENERATOR.lognormal(size=100)
LABELS = np.arange(100) % 2 == 0
SCORES = GENERATOR.normal(size=100) + LABELS


def test_quantiles_keep_all_down_to_the_tenth_with_the_highest_perplexity():
    result = dual_stage(PROXIES, SCORES, LABELS, draws=5)
    assert QUANTILES == (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
    assert [s.members + s.others for s in result.stages] == [*range(100, 0, -10)]
    for stage in result.stages:
        size = round(100 * stage.quantile)
        hardest = np.argsort(PROXIES)[-size:]
        assert stage.members == LABELS[hardest].sum()
        assert stage.auc == pytest.approx(roc_auc_score(LABELS[hardest], SCORES[hardest]))


def test_the_logarithm_of_a_perplexity_keeps_the_same_items():
    plain, log = (dual_stage(p, SCORES, LABELS, draws=5) for p in (PROXIES, np.log(PROXIES)))
    assert plain.stages == log.stages


def test_all_items_are_their_own_control():
    [stage] = dual_stage(PROXIES, SCORES, LABELS, quantiles=[1.0], draws=20).stages
    assert stage.control.mean == pytest.approx(stage.auc)
    assert stage.control.low == pytest.approx(stage.control.high)
    assert stage.control.below == 0.5
    assert stage.published == pytest.approx(stage.auc)


def test_controls_are_all_subsets_of_the_same_class_sizes():
    """Of 4 members and 3 others, q = 0.5 keeps 2 and 2: 18 subsets, counted one by one."""
    labels = [True, True, False, False, True, True, False]
    scores = [3.0, 1.0, 2.0, 0.0, 2.0, 4.0, 1.0]
    proxies = [9.0, 8.0, 7.0, 6.0, 1.0, 1.0, 1.0]
    members = [s for s, label in zip(scores, labels, strict=True) if label]
    others = [s for s, label in zip(scores, labels, strict=True) if not label]
    all_aucs = [
        roc_auc_score([1, 1, 0, 0], [*chosen, *rest])
        for chosen in combinations(members, 2)
        for rest in combinations(others, 2)
    ]
    assert len(all_aucs) == 18
    [stage] = dual_stage(proxies, scores, labels, quantiles=[0.5], draws=20_000).stages
    assert (stage.members, stage.others, stage.auc) == (2, 2, 0.75)
    assert stage.control.mean == pytest.approx(np.mean(all_aucs), abs=0.005)
    assert stage.control.low == np.quantile(all_aucs, 0.05, method="inverted_cdf")
    assert stage.control.high == np.quantile(all_aucs, 0.95, method="inverted_cdf")
    below = np.mean([(auc < 0.75) + (auc == 0.75) / 2 for auc in all_aucs])
    assert stage.control.below == pytest.approx(below, abs=0.01)


def test_the_published_control_is_one_draw_of_any_class():
    drawn = np.random.default_rng(2025).choice(100, size=30, replace=False)
    [stage] = dual_stage(PROXIES, SCORES, LABELS, quantiles=[0.3], draws=5, seed=9).stages
    assert stage.published == pytest.approx(roc_auc_score(LABELS[drawn], SCORES[drawn]))


def test_a_selection_that_makes_the_auc_is_seen_against_its_controls():
    """Hard members score high and hard others low; easy ones the other way round."""
    hard = np.arange(100) < 50
    scores = np.where(hard == LABELS, 1.0, 0.0) + GENERATOR.normal(scale=0.1, size=100)
    stages = dual_stage(hard * 1.0, scores, LABELS, quantiles=[1.0, 0.5]).stages
    assert stages[0].auc == pytest.approx(0.5, abs=0.1)
    assert stages[1].auc == 1.0
    assert stages[1].control.below == 1.0
    assert stages[1].control.high < 0.8


def test_items_without_a_number_are_counted_and_left_out():
    proxies, scores = PROXIES.copy(), SCORES.copy()
    proxies[:2], scores[2] = np.inf, np.nan
    result = dual_stage(proxies, scores, LABELS, draws=5)
    assert result.left_out == 3
    assert result.stages[0].members + result.stages[0].others == 97
    whole = dual_stage(PROXIES[3:], SCORES[3:], LABELS[3:], draws=5)
    assert result.stages == whole.stages


def test_a_selection_of_one_class_has_no_auc_but_a_reason():
    [all_, few] = dual_stage([3, 2, 1, 1], [0.0, 1, 2, 3], [1, 1, 0, 0], quantiles=[1, 0.3]).stages
    assert (all_.auc, all_.reason) == (0.0, None)
    assert (few.auc, few.control, few.published) == (None, None, None)
    assert few.reason == "an AUC needs both classes; the kept items are 1 members and 0 others"


def test_controls_depend_on_the_seed_alone():
    first, again, other = (dual_stage(PROXIES, SCORES, LABELS, draws=50, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.stages[5].control != other.stages[5].control
    assert [stage.auc for stage in first.stages] == [stage.auc for stage in other.stages]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=8),
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=8),
)
def test_the_auc_is_that_of_scikit_learn(members, others):
    expected = roc_auc_score([1] * len(members) + [0] * len(others), [*members, *others])
    assert auc_of(np.array(members), np.array(others)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1], [1, 2], [True]), {}, r"has 1 proxies, 2 scores and 1 labels\.\nGive one of each"),
        (([1, 2], [1, 2], [0, 1]), {"quantiles": [0.5, 0]}, r"asked for: \[0\], 1000 draws"),
        (([1, 2], [1, 2], [0, 1]), {"draws": 0}, r"asked for: shares in range, 0 draws"),
        (([np.nan], [1], [True]), {}, r"none of 1 items has both a proxy and a score"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(BadInput, match=message):
        dual_stage(*arguments, **options)
