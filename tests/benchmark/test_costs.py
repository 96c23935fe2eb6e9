"""Costs, by hand."""

import pytest

from wellworn.benchmark.costs import Cost, Spent, costs
from wellworn.errors import BadInput

PROBES = {
    "sample": Spent(calls=320, tokens=32_000, seconds=60.0),
    "greedy": Spent(calls=10, tokens=1_000, seconds=2.0),
    "critique": Spent(calls=10, tokens=1_500, seconds=3.0),
}


def test_a_detector_costs_what_its_own_probes_do():
    needs = {"min-knn": ["sample"], "cdd": ["greedy", "sample"], "critique": ["greedy", "critique"]}
    rows = costs(10, PROBES, needs, {"min-knn": 0.5, "cdd": 1.0, "critique": 0.1})
    assert rows == [
        Cost(detector="critique", calls=2, tokens=250, generating=0.5, scoring=0.01),
        Cost(detector="min-knn", calls=32, tokens=3_200, generating=6.0, scoring=0.05),
        Cost(detector="cdd", calls=33, tokens=3_300, generating=6.2, scoring=0.1),
    ]


def test_bad_input():
    with pytest.raises(BadInput, match=r"^the costs are those of 0 items"):
        costs(0, PROBES, {}, {})
    with pytest.raises(BadInput, match=r"^a: unknown probe 'sampel'\. Did you mean 'sample'\?"):
        costs(1, PROBES, {"a": ["sampel"]}, {"a": 1.0})
