"""How far numbers are the prompts' own: by hand, by other libraries, and by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, pearsonr, sem

from wellworn.distance import min_knn_distance
from wellworn.statistics.reliability import (
    foretold,
    jackknife_error,
    reliability_of_rates,
    split_half,
)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_the_jackknife_of_a_mean_is_its_standard_error(values):
    total = sum(values)
    without = [(total - value) / (len(values) - 1) for value in values]
    assert jackknife_error(without) == pytest.approx(sem(values), abs=1e-9)


def test_the_jackknife_of_a_detector_by_hand():
    texts = ["aaaa", "aaab", "abbb"]
    without = [min_knn_distance(texts[:i] + texts[i + 1 :], k=1) for i in range(3)]
    assert without == [0.5, 0.75, 0.25]
    assert jackknife_error(without) == pytest.approx(np.sqrt(2 / 3 * 2 * 0.25**2))


def test_split_halves_are_stepped_up_by_spearman_and_brown():
    first, second = [1.0, 2.0, 4.0, 3.0, 7.0], [1.5, 1.0, 5.0, 4.0, 5.5]
    r = pearsonr(first, second).statistic
    assert split_half(first, second) == pytest.approx(2 * r / (1 + r))


def test_the_reliability_of_halves_is_that_of_the_whole():
    generator = np.random.default_rng(1)
    own = generator.normal(size=20_000)
    first, second = (own + generator.normal(size=20_000) * np.sqrt(2) for _ in range(2))
    assert split_half(first, second) == pytest.approx(1 / 2, abs=0.02)  # noise of the mean is 1


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [([1, 2], [1, 2], None), ([1, 1, 1], [1, 2, 3], None), ([1, 2, 3], [3, 2, 1], -1.0)],
)
def test_halves_that_say_nothing(first, second, expected):
    assert split_half(first, second) == expected


def test_the_reliability_of_rates_by_hand():
    """Within the sets the variance is 1/12; each rate of 0.5 has 0.25 / 4 of luck, others none."""
    rates = np.array([0.0, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5, 0.5])
    suspect = np.arange(8) < 4
    expected = 1 - (6 * 0.25 / 4 / 8) / (0.5 / 6)
    assert reliability_of_rates(rates, np.full(8, 5.0), suspect) == pytest.approx(expected)


def test_the_reliability_of_rates_is_what_other_samples_would_show_again():
    generator = np.random.default_rng(2)
    chance, suspect = generator.beta(1, 4, size=40_000), np.arange(40_000) < 20_000
    first, second = (binom.rvs(8, chance, random_state=generator) / 8 for _ in range(2))
    found = reliability_of_rates(first, np.full(40_000, 8.0), suspect)
    assert found == pytest.approx(np.corrcoef(first, second)[0, 1], abs=0.01)


def test_the_difference_between_the_sets_is_no_reliability():
    generator = np.random.default_rng(3)
    suspect = np.arange(4_000) < 2_000
    rates = binom.rvs(8, np.where(suspect, 0.8, 0.2), random_state=generator) / 8
    assert abs(reliability_of_rates(rates, np.full(4_000, 8.0), suspect)) < 0.05


def test_rates_that_do_not_vary_have_none():
    suspect = np.array([True, True, False, False])
    assert reliability_of_rates(np.zeros(4), np.full(4, 8.0), suspect) is None
    assert reliability_of_rates(np.array([1.0, 1, 0, 0]), np.full(4, 8.0), suspect) is None


def test_rates_of_a_base_model_that_is_hardly_read_are_reliable_and_foretell_nothing():
    """199 zeros, and one prompt that is always read."""
    base, suspect = np.zeros(200), np.arange(200) < 100
    base[150] = 1.0
    assert reliability_of_rates(base, np.full(200, 32.0), suspect) == pytest.approx(1.0)
    tuned = np.random.default_rng(4).binomial(32, 0.4, size=200) / 32
    assert abs(foretold(base, tuned)) < 0.2


def test_what_is_foretold_is_pearsons_r_of_what_is_known():
    base, tuned = np.array([0.0, 0.2, 0.9, 0.5, 0.1]), np.array([0.1, 0.4, 0.8, np.nan, 0.3])
    expected = pearsonr(base[[0, 1, 2, 4]], tuned[[0, 1, 2, 4]]).statistic
    assert foretold(base, tuned) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("base", "tuned"),
    [([0.1, 0.2, 0.3], [0.5] * 3), ([0.0] * 3, [0.1, 0.2, 0.3]), ([0.1, 0.2], [0.1, 0.2])],
)
def test_what_does_not_vary_foretells_nothing_that_is_known(base, tuned):
    assert foretold(np.array(base), np.array(tuned)) is None
