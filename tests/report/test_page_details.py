"""What the page shows of one prompt, against values by hand and the distances by their textbook."""

import numpy as np
import pytest

from wellworn.distance.oracle import distance
from wellworn.records import Completion, Record, chat
from wellworn.report.page.details import COMPLETIONS, TEXT, detail_of
from wellworn.report.page.likeness import CUT, likeness

TWINS = ("aaaaaaaa", "aaaaaaab", "zzzzzzzz", "zzzzzzyz", "qqqqqqqq")


def record(texts, **fields):
    samples = tuple(Completion(text=text, index=i, **fields) for i, text in enumerate(texts))
    return Record(prompt=chat("Which?", system="Be brief."), probes={"sample": samples})


def matrix(rows):
    return np.array(rows, dtype=float)


def test_groups_by_hand():
    """0 and 1 are near, 2 and 3 too, 4 is far from all."""
    found = likeness(
        matrix(
            [
                [0.0, 0.1, 0.9, 0.9, 1.0],
                [0.1, 0.0, 0.9, 0.9, 1.0],
                [0.9, 0.9, 0.0, 0.2, 1.0],
                [0.9, 0.9, 0.2, 0.0, 1.0],
                [1.0, 1.0, 1.0, 1.0, 0.0],
            ]
        )
    )
    assert sorted(map(sorted, found.groups)) == [[0, 1], [2, 3], [4]]
    assert found.pairs == [(0, 1), (2, 3)]


@pytest.mark.parametrize(("third", "groups"), [(0.4, 1), (0.8, 2)])
def test_linkage_is_by_the_mean(third, groups):
    """0 and 1 join at 0.2; 2 is at 0.5 of one of them, so the mean decides: (0.5 + third) / 2."""
    distances = matrix([[0, 0.2, 0.5], [0.2, 0, third], [0.5, third, 0]])
    assert len(likeness(distances).groups) == groups
    assert (0.5 + third) / 2 > CUT or groups == 1


def test_the_largest_group_comes_first():
    distances = matrix([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    assert [len(group) for group in likeness(distances).groups] == [2, 1]


def test_the_second_pair_shares_no_member_with_the_first():
    distances = matrix(
        [[0, 0.1, 0.15, 0.9], [0.1, 0, 0.2, 0.9], [0.15, 0.2, 0, 0.4], [0.9, 0.9, 0.4, 0]]
    )
    assert likeness(distances).pairs == [(0, 1), (2, 3)]


def test_three_completions_have_one_pair():
    assert likeness(matrix([[0, 1, 1], [1, 0, 0.5], [1, 0.5, 0]])).pairs == [(1, 2)]


def test_distances_are_those_of_all_pairs_in_thousandths():
    found = detail_of(record(TWINS), {"samples": 5})
    by_hand = [
        round(1000 * distance(a, b) / 8)
        for place, a in enumerate(TWINS)
        for b in TWINS[place + 1 :]
    ]
    assert found.distances == by_hand
    assert found.distances[0] == 125
    assert sorted(map(sorted, found.groups)) == [[0, 1], [2, 3], [4]]
    assert found.pairs == [(0, 1), (2, 3)]


def test_distances_are_in_the_unit_of_the_audit():
    texts = ("one two", "one six", "one two")
    assert detail_of(record(texts), {"unit": "word"}).distances == [500, 0, 500]


def test_texts_are_cut_and_distances_are_not():
    long = "x" * TEXT
    found = detail_of(record((long + "a" * TEXT, long + "b" * TEXT)), {})
    assert [len(text.text) for text in found.completions] == [TEXT, TEXT]
    assert [text.length for text in found.completions] == [2 * TEXT, 2 * TEXT]
    assert found.distances == [500]


def test_only_the_completions_that_were_scored_are_shown():
    found = detail_of(record(TWINS), {"samples": 3})
    assert [text.text for text in found.completions] == list(TWINS[:3])
    assert found.notes == ["2 further completions not shown here."]


def test_many_completions_are_cut():
    found = detail_of(record([str(i) for i in range(COMPLETIONS + 6)]), {})
    assert len(found.completions) == COMPLETIONS
    assert len(found.distances) == COMPLETIONS * (COMPLETIONS - 1) // 2
    assert found.notes == ["6 further completions not shown here."]


def test_the_prompt_is_shown_turn_by_turn():
    turns = detail_of(record(TWINS), {}).prompt
    assert [(turn.by, turn.text) for turn in turns] == [("system", "Be brief."), ("user", "Which?")]


def test_the_view_of_the_audit_is_shown():
    found = detail_of(record(("a", "b"), reasoning="so"), {"view": "full"})
    assert [text.text for text in found.completions] == ["so\na", "so\nb"]
    found = detail_of(record(("a", "b"), reasoning="so"), {"view": "answer"})
    assert [text.text for text in found.completions] == ["a", "b"]


def test_hidden_reasoning_has_answers_and_no_distances():
    found = detail_of(record(("a", "b"), reasoning_hidden=True), {"view": "full"})
    assert [text.text for text in found.completions] == ["a", "b"]
    assert found.distances == found.groups == found.pairs == []
    assert found.notes[0].startswith("No distances: the reasoning of completion 0 is hidden")


def test_answers_to_other_probes_are_shown_where_there_are_no_samples():
    greedy = Record(
        prompt=chat("Which?"),
        probes={"greedy": (Completion(text="This."),), "critique": (Completion(text="That."),)},
    )
    found = detail_of(greedy, {"model": "m"})
    assert [(text.by, text.text) for text in found.completions] == [
        ("greedy", "This."),
        ("critique", "That."),
    ]
    assert not found.distances


@pytest.mark.parametrize("texts", [(), ("a",)])
def test_fewer_than_two_completions_have_no_distances(texts):
    found = detail_of(record(texts), {})
    assert len(found.completions) == len(texts)
    assert not found.distances
    assert not found.pairs


def test_equal_and_empty_completions():
    found = detail_of(record(("", "", "a")), {})
    assert found.distances == [0, 1000, 1000]
    assert found.pairs == [(0, 1)]
