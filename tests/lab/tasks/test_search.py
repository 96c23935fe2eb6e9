from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.lab.tasks.search import Constraint, Fails, Follows, Supposed, explore

VARIABLES = 4


@st.composite
def constraints(draw):
    scope = tuple(sorted(draw(st.sets(st.integers(0, VARIABLES - 1), min_size=1, max_size=3))))
    rows = st.frozensets(st.tuples(*[st.booleans()] * len(scope)), min_size=1)
    return Constraint(draw(st.sampled_from("abc")), scope, draw(rows))


def hold(given_constraints, world):
    return all(tuple(world[v] for v in c.scope) in c.allowed for c in given_constraints)


@given(st.lists(constraints(), max_size=8), st.integers(0, 1000))
def test_a_solution_is_found_exactly_where_there_is_one(some, seed):
    worlds = [w for w in product((True, False), repeat=VARIABLES) if hold(some, w)]
    events, found = explore(some, VARIABLES, Random(seed))
    assert bool(found) == bool(worlds)
    assert not found or tuple(found[v] for v in range(VARIABLES)) in worlds
    assert isinstance(events[0], Supposed)


@given(st.lists(constraints(), max_size=8), st.integers(0, 1000))
def test_every_step_follows_from_those_before(some, seed):
    known = []
    labelled = [c._replace(label=str(i)) for i, c in enumerate(some)]
    for event in explore(labelled, VARIABLES, Random(seed))[0]:
        if isinstance(event, Supposed):
            places = [i for i, (variable, _) in enumerate(known) if variable == event.variable]
            known = known[: places[0]] if places else known
            known.append((event.variable, event.value))
            continue
        constraint = labelled[int(event.label)]
        rows = [
            row
            for row in constraint.allowed
            if all(dict(known).get(v, x) == x for v, x in zip(constraint.scope, row, strict=True))
        ]
        if isinstance(event, Follows):
            place = constraint.scope.index(event.variable)
            assert {row[place] for row in rows} == {event.value}
            known.append((event.variable, event.value))
        else:
            assert isinstance(event, Fails)
            assert not rows


@pytest.mark.parametrize("seed", range(5))
def test_a_contradiction_turns_the_assumption_round(seed):
    events, found = explore([Constraint("a", (0,), frozenset({(True,)}))], 1, Random(seed))
    right = [Supposed(0, True)]
    assert events in (right, [Supposed(0, False), Fails("a"), *right])
    assert found == {0: True}
