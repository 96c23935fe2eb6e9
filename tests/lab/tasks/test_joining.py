"""Joining numbers: what the ways to a target are, counted by another program than ours."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from wellworn.lab.tasks.joining import line, result, solved, ways


def counted(numbers):
    """Return the ways to each target, by trying every order of every pair with every sign."""
    if len(numbers) == 1:
        return {(): numbers[0]}
    found = {}
    for a, b, *rest in permutations(numbers):
        results = {"+": a + b, "-": a - b, "*": a * b, "/": Fraction(a, b)}
        for sign, end in results.items():
            trivial = sign in "*/" and (b == 1 or (sign == "*" and a == 1))
            if end == int(end) and 1 <= end <= 30 and not trivial:
                for steps, last in counted((*rest, int(end))).items():
                    found[(f"{a}{sign}{b}", *steps)] = last
    return found


@pytest.mark.parametrize("numbers", [(2, 3), (1, 1, 5), (3, 4, 6), (2, 2, 7, 9), (1, 3, 8, 10)])
def test_ways_are_counted_as_by_trying_everything(numbers):
    assert dict(ways(numbers)) == dict(Counter(counted(numbers).values()))


def test_solutions_are_drawn_evenly_from_all_ways():
    right = {steps for steps, end in counted((2, 3, 6)).items() if end == 12}
    rng = Random(2)
    drawn = Counter(line(solved(rng, (2, 3, 6), 12)) for _ in range(200 * len(right)))
    assert len(drawn) == len(right)
    assert all(130 < count < 280 for count in drawn.values())


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("3*4=12;12+2=14", 14),
        ("2+3=5;5*4=20", 20),
        ("3*4=12", None),
        ("3*4=12;12+2=15", None),
        ("3*4=12;12+3=15", None),
        ("3*4=12; 12+2=14", None),
        ("", None),
    ],
)
def test_a_line_is_worth_what_its_steps_make_of_all_numbers(text, end):
    assert result((2, 3, 4), text) == end


def test_longer_lists_are_solved_too():
    rng = Random(3)
    numbers = (2, 5, 7, 9, 10)
    assert {result(numbers, line(solved(rng, numbers, 24))) for _ in range(50)} == {24}
