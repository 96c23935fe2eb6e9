"""Changes of the same prompts between two runs."""

import numpy as np
import pytest
from scipy.stats import wilcoxon

from wellworn.statistics.change import change


def test_a_change_by_hand():
    found = change([0.1, 0.2, 0.3, 0.4], [0.3, 0.2, 0.2, 0.9])
    assert (found.prompts, found.rose, found.fell) == (4, 2, 1)
    assert (found.first, found.second, found.mean) == pytest.approx((0.25, 0.4, 0.15))
    assert found.low < found.mean < found.high
    assert found.p == wilcoxon([0.2, 0.0, -0.1, 0.5]).pvalue


def test_no_change_at_all():
    found = change([0.5, 0.1], [0.5, 0.1])
    assert (found.mean, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_the_interval_is_about_two_standard_errors_to_either_side():
    drawn = np.random.default_rng(3).normal(0.2, 1, 400)
    found = change(np.zeros(400), drawn)
    error = drawn.std() / 20
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.08)


@pytest.mark.parametrize(("first", "second"), [([1], [2]), ([1, 2], [1, 2, 3])])
def test_what_is_no_pair_is_an_error(first, second):
    with pytest.raises(ValueError, match="a change needs two prompts in both runs"):
        change(first, second)
