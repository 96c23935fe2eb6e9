"""Single prompts: p-values by hand, q-values by scipy and statsmodels, and what they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from wellworn.statistics.conformal import conformal_p, item_tests
from wellworn.statistics.multiplicity import benjamini_hochberg, least_flagged


@pytest.mark.parametrize(
    ("score", "p"), [(5.0, 1 / 5), (4.0, 2 / 5), (2.5, 3 / 5), (2.0, 4 / 5), (0.0, 1.0)]
)
def test_a_conformal_p_counts_references_at_least_as_high(score, p):
    assert conformal_p(score, [1.0, 2.0, 3.0, 4.0]) == pytest.approx(p)


def test_under_exchangeability_a_level_is_reached_at_most_that_often():
    generator = np.random.default_rng(1)
    p = [conformal_p(row[0], row[1:]) for row in generator.normal(size=(4_000, 20))]
    for level in (0.05, 0.1, 0.5):
        assert np.mean(np.array(p) <= level) <= level + 3 * np.sqrt(level / 4_000)
    assert min(p) == 1 / 20


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_q_values_are_scipys_and_statsmodels(p_values):
    found = benjamini_hochberg(p_values)
    assert found == pytest.approx(false_discovery_control(p_values))
    assert found == pytest.approx(multipletests(p_values, method="fdr_bh")[1])


def test_no_p_values_have_no_q_values():
    assert benjamini_hochberg([]) == []


def test_how_many_must_stand_out_for_any_to_be_flagged():
    for references in (9, 19, 40, 99):
        for tests in (1, 7, 30):
            smallest = 1 / (1 + references)
            enough = [
                count
                for count in range(1, tests + 1)
                if benjamini_hochberg([smallest] * count + [1.0] * (tests - count))[0] <= 0.1
            ]
            assert least_flagged(smallest, tests) == min(enough, default=None)


def test_all_prompts_and_detectors_are_corrected_together():
    found = item_tests(
        {"one": {"a": 9.0, "b": 0.0}, "two": {"a": 5.0}, "untested": {"a": 1.0}},
        {"one": [1.0, 2.0, 3.0], "two": [4.0] * 9},
    )
    tests = [(test.prompt_id, test.detector) for test in found.items]
    assert tests == [("a", "one"), ("b", "one"), ("a", "two")]
    assert [test.p for test in found.items] == [1 / 4, 1.0, 1 / 10]
    q_values = false_discovery_control([1 / 4, 1.0, 1 / 10])
    assert [test.q for test in found.items] == pytest.approx(q_values)
    assert found.smallest_p == 1 / 10
    assert found.least_flagged == 3


def test_too_few_references_can_flag_nothing_and_that_is_said():
    found = item_tests({"x": {str(i): 9.0 for i in range(30)}}, {"x": [1.0] * 8})
    assert (found.smallest_p, found.least_flagged) == (1 / 9, None)
    assert min(test.q for test in found.items) == pytest.approx(1 / 9)


def test_without_references_nothing_is_tested():
    found = item_tests({"x": {"a": 1.0}}, {"x": []})
    assert (found.items, found.smallest_p, found.least_flagged) == ((), None, None)
