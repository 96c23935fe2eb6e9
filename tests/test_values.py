"""Values of rows: JSON-safe, looked up, described."""

import json

import numpy as np
import pytest

from wellworn.tables.values import describe, json_safe, value_at


def test_numpy_values_and_strange_ones_become_json_values():
    value = {1: np.array([[1, 2]]), "b": np.float32(0.5), "c": np.bool_(True), "d": {1, 2} - {2}}
    assert json_safe(value) == {"1": [[1, 2]], "b": 0.5, "c": True, "d": "{1}"}
    json.dumps(json_safe(value))


def test_a_field_may_lie_inside_another():
    assert value_at({"a.b": 1, "a": {"b": 2}}, "a.b") == 1
    assert value_at({"a": {"b.c": 2}}, "a.b.c") == 2
    assert value_at({"a": [1]}, "a.b") is None


@pytest.mark.parametrize(
    ("value", "words"),
    [("a", "a text"), (True, "true or false"), (None, "null"), (1, "a number"), ({}, "an object")],
)
def test_values_in_words(value, words):
    assert describe(value) == words
