"""docs/detectors.md is what the table and the docstrings say."""

from pathlib import Path

import pytest

from wellworn.detectors import DETECTORS, load
from wellworn.detectors.reference import page, row_of, rows

DOCUMENTED = Path(__file__).parents[2] / "docs" / "detectors.md"


def test_the_page_is_up_to_date():
    assert DOCUMENTED.read_text() == page() + "\n", "`make docs` writes it anew"


def test_every_detector_has_a_row_in_the_order_of_the_table():
    assert [row["name"] for row in rows()] == list(DETECTORS)
    assert all(all(row.values()) for row in rows())


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detector_has_its_place_in_the_page(name):
    assert page().count(f"| `{name}` |") == 2  # the overview, and its family


@pytest.mark.parametrize(
    ("name", "needs", "calls", "log_probabilities"),
    [
        ("min-knn", "sample x 32", "32", "none"),
        ("self-critique", "greedy x 1, critique-published x 1", "2", "top tokens"),
        ("greedy-distance", "sample x 32, greedy x 1", "33", "none"),
        ("perplexity", "greedy x 1", "1", "chosen tokens"),
        (
            "lowercase",
            "greedy x 1, read-response x 1, read-response-lower x 1",
            "3",
            "of a text it reads",
        ),
    ],
)
def test_what_a_row_says(name, needs, calls, log_probabilities):
    row = row_of(load(name))
    assert row["needs"] == needs
    assert row["calls an item"] == calls
    assert row["log-probabilities"] == log_probabilities
    assert row["score"] == load(name).orientation
