"""Propensities against scikit-learn, overlap and balance by hand."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import f_oneway
from sklearn.linear_model import LogisticRegression

from wellworn.statistics.items import COVARIATES, Item, design_of
from wellworn.statistics.overlap import (
    Balance,
    balance_of,
    differences_of,
    log_odds,
    overlap_of,
    propensity_of,
    standardised_difference,
)


def design(suspects, references, *, lengths=None):
    """Return the design of two lists of base scores."""
    scores = [*suspects, *references]
    lengths = lengths or [100] * len(scores)
    return design_of(
        [
            Item(
                prompt_id=str(i),
                suspect=i < len(suspects),
                score=0.0,
                base_score=float(score),
                prompt_length=lengths[i],
            )
            for i, score in enumerate(scores)
        ],
        COVARIATES,
    )


def apart(distance, n=200, seed=1):
    generator = np.random.default_rng(seed)
    return design(generator.normal(distance, size=n), generator.normal(size=n))


@pytest.mark.parametrize("distance", [0, 1, 50])
def test_the_propensity_model_is_scikit_learns_with_a_ridge(distance):
    found = apart(distance, n=40)
    model = LogisticRegression(C=1.0, tol=1e-12, max_iter=10_000)
    model.fit(found.covariates, found.suspect)
    expected = [model.intercept_[0], *model.coef_[0]]
    assert propensity_of(found).coefficients == pytest.approx(expected, abs=1e-5)


def test_without_a_unit_it_is_nearly_refitted():
    found = apart(1, n=25)
    for unit in (0, 30, 49):
        kept = np.arange(50) != unit
        model = LogisticRegression(C=1.0, tol=1e-12, max_iter=10_000)
        model.fit(found.covariates[kept], found.suspect[kept])
        expected = [model.intercept_[0], *model.coef_[0]]
        assert propensity_of(found).without[unit] == pytest.approx(expected, abs=0.02)


def test_without_covariates_everyone_has_the_share_of_the_suspects():
    found = apart(1, n=30).without_covariates
    odds = log_odds(found, propensity_of(found).coefficients)
    assert expit(odds) == pytest.approx(0.5)


def test_equal_sets_overlap_and_separated_ones_do_not():
    equal, far = apart(0), apart(6)
    assert overlap_of(equal, propensity_of(equal)).suspects == 1
    assert overlap_of(far, propensity_of(far)).suspects < 0.3


def test_the_overlap_does_not_depend_on_how_many_references_there_are():
    generator = np.random.default_rng(2)
    few = design(generator.normal(size=20), generator.normal(size=2_000))
    found = overlap_of(few, propensity_of(few))
    assert (found.suspects, found.references) == (1, 1)


def test_a_balance_by_hand():
    found = design([1, 3], [0, 2], lengths=[100, 200, 100, 200])
    score, _ = balance_of(found)
    assert score == Balance(
        name="base score",
        suspects=pytest.approx(2),
        references=pytest.approx(1),
        difference=pytest.approx(1 / np.sqrt(2)),
        ratio=pytest.approx(1),
        ratio_p=1.0,  # all are as far from their median
    )


def test_the_ratio_of_the_variances_and_how_probable_it_is_by_luck():
    suspects, references = [1.0, 2.0, 3.0, 3.5, 2.5], [-9.0, 4.0, 0.0, 11.0, 3.0, 5.0]
    score, _ = balance_of(design(suspects, references, lengths=list(range(100, 111))))
    assert score.ratio == pytest.approx(np.var(suspects, ddof=1) / np.var(references, ddof=1))
    far = [np.abs(np.array(side) - np.median(side)) for side in (suspects, references)]
    assert score.ratio_p == pytest.approx(f_oneway(*far).pvalue)


def test_the_ratio_to_what_does_not_vary_is_none():
    score, _ = balance_of(design([1, 2, 4], [5, 5, 5], lengths=[1, 2, 3, 4, 5, 7]))
    assert score.ratio is None
    assert score.ratio_p < 0.2


def test_a_square_has_a_balance_of_its_means_alone():
    """Around the mean of all, 2, the squares of the suspects are 0 and 0, of the others 4 and 4."""
    found = design([2, 2.0001, 1.9999], [0, 4, 2], lengths=[1, 5, 2, 9, 3, 4]).with_squares
    square = balance_of(found)[-1]
    assert square.name == "base score, squared"
    assert (square.suspects, square.references) == pytest.approx((0, 8 / 3), abs=1e-6)
    assert (square.ratio, square.ratio_p) == (None, None)


def test_the_difference_of_what_does_not_vary_is_none():
    suspect = np.array([True, True, False, False])
    assert standardised_difference(np.ones(4), suspect) == 0
    assert standardised_difference(np.array([1.0, 1.0, 0.0, 0.0]), suspect) == 0


def test_differences_are_those_given_and_otherwise_the_designs_own():
    found = design([1, 3, 5], [0, 2, 7], lengths=[100, 300, 150, 80, 210, 99])
    own = found.covariates[:3].mean(axis=0) - found.covariates[3:].mean(axis=0)
    assert differences_of(found, ()) == pytest.approx(own)
    pool = Balance(name="base score", suspects=3.0, references=1.0, difference=9.0)
    expected = [2.0 / found.scales[0], own[1]]
    assert differences_of(found, [pool]) == pytest.approx(expected)
