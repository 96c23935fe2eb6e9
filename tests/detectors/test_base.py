"""Options of measures: what does not exist is refused, and the message says what does."""

import pytest

from wellworn.detectors import Options
from wellworn.detectors.base import falling, rising
from wellworn.errors import BadInput


def test_options_that_do_not_exist_are_refused():
    with pytest.raises(BadInput, match=r"^--k is 0; it must be 1 or more\.$"):
        Options(k=0)
    with pytest.raises(BadInput) as caught:
        Options(unit="chars")
    assert str(caught.value) == (
        "unknown unit 'chars'. Did you mean 'char'?\nKnown: ast, char, token, word."
    )
    with pytest.raises(BadInput, match=r"^unknown view 'all'\.\nKnown: answer, full, reasoning"):
        Options(view="all")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"top_k": 0}, "--top-k is 0; it must be 1 or more."),
        ({"correct": 1, "verifier": "math"}, "--correct is 1; it must be 2 or more."),
        ({"correct": 4}, "--correct needs a verifier.\nName one with --verifier."),
        ({"lowest": 0.0}, "--lowest is 0.0; it must be above 0 and at most 1."),
        ({"alpha": 1.5}, "--alpha is 1.5; it must be from 0 to 1."),
        (
            {"entropy": "top"},
            "unknown entropy 'top'.\nKnown: auto, full, raw, renormalised, rest.",
        ),
        (
            {"critique": "ours"},
            "unknown critique 'ours'. Did you mean 'ours-5'?\n"
            "Known: ours-1, ours-2, ours-3, ours-4, ours-5, published.",
        ),
        ({"target": "answer"}, "unknown target 'answer'.\nKnown: gold, prompt, response."),
    ],
)
def test_values_that_cannot_be_are_refused(given, message):
    with pytest.raises(BadInput) as caught:
        Options(**given)
    assert str(caught.value) == message


def test_rising_and_falling_values_rank_upwards_as_scores():
    assert (rising(0.25), falling(0.25)) == (0.25, -0.25)
