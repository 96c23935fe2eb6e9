from itertools import permutations, product
from random import Random

import pytest

from wellworn.lab.tasks.sat import TASK, Problem, canonical, final, solutions

TRIANGLE = Problem("Ab aC cB", "= a b c", ("Ab", "aC", "cB"))


@pytest.mark.parametrize("text", ["= a b c", "= A B C", "?a = c b a", "= A B c = ABC", "=A B C\n"])
def test_any_solution_is_right(text):
    assert TASK.verify(TRIANGLE, text)


@pytest.mark.parametrize(
    "text",
    ["", "a b c", "= a b", "= a b c d", "= a A b c", "= a b C", "= a b c.", "= a b c = A b c", "="],
)
def test_all_else_is_wrong(text):
    assert not TASK.verify(TRIANGLE, text)


@pytest.mark.parametrize("level", ["standard", "easy", "short", "long"])
def test_exactly_the_solutions_pass(level):
    for problem in TASK.generate(2, 5, level):
        letters = problem.variables
        clauses = problem.prompt.split()
        right = set()
        for bits in product((True, False), repeat=len(letters)):
            world = dict(zip(letters, bits, strict=True))
            holds = all(any(world[x.upper()] == x.isupper() for x in c) for c in clauses)
            answer = "".join(x if world[x] else x.lower() for x in letters)
            assert TASK.verify(problem, f"= {answer}") == holds
            right |= {answer} if holds else set()
        assert right == set(solutions(problem))
        assert final(problem.answer) in right


def test_formulas_have_the_size_that_is_told():
    for problem in TASK.generate(1, 20):
        assert problem.variables == "ABCDE"
        assert len({frozenset(clause) for clause in problem.clauses}) == 13
        assert {len(set(clause.upper())) for clause in problem.clauses} == {3}
    assert min(len(solutions(item)) for item in TASK.generate(1, 20, "easy")) >= 8


def least(clauses):
    """Return the least of all renamings and negations, by trying each of them."""
    letters = "ABCD"
    found = []
    for order in permutations(letters):
        for flips in product((True, False), repeat=len(letters)):
            names = {}
            for old, new, flip in zip(letters, order, flips, strict=True):
                pair = (new.lower(), new) if flip else (new, new.lower())
                names |= {old: pair[0], old.lower(): pair[1]}
            found.append(sorted("".join(sorted(names[x] for x in clause)) for clause in clauses))
    return tuple(min(found))


def test_two_formulas_share_the_canonical_form_exactly_if_a_renaming_makes_them_one():
    rng = Random(8)
    problems = [TASK.draw(rng, "short") for _ in range(60)]
    ours = [canonical(problem) for problem in problems]
    slow = [least(problem.clauses) for problem in problems]
    for i in range(60):
        for j in range(60):
            assert (ours[i] == ours[j]) == (slow[i] == slow[j])
    assert len(set(slow)) < 60
