"""Bits against clauses, by hand and by trying all assignments."""

from itertools import product

import pytest

from wellworn.errors import BadInput
from wellworn.records import Prompt, chat
from wellworn.verifiers.sat import Problem, final_bits, load, problem_of, restored, satisfies

CORRECT = load().correct
EXAMPLE = '{"n_sat": 3, "k": 4, "clause": "!B!C!D & A!B!D & AB!D"}'
ASKED = chat(
    f'Solve it.\n{EXAMPLE}\n\\boxed{{1101}}\n{{"n_sat": 2, "k": 2, "clause": "AB & !A"}}\n'
)


def test_the_problem_is_the_last_one_of_the_prompt():
    ab, not_a = ((0, "1"), (1, "1")), ((0, "0"),)
    assert problem_of(ASKED) == Problem(2, (ab, not_a))
    assert problem_of(Prompt(text=EXAMPLE)).k == 4


def test_the_published_example_satisfies_its_clauses():
    assert satisfies(problem_of(chat(EXAMPLE)), "1101")


def test_every_assignment_is_judged_as_python_judges_it():
    problem = problem_of(chat(EXAMPLE))
    for a, b, c, d in product((False, True), repeat=4):
        true = (not b or not c or not d) and (a or not b or not d) and (a or b or not d)
        assert satisfies(problem, "".join(str(int(bit)) for bit in (a, b, c, d))) == true


@pytest.mark.parametrize("said", ["01", "0 1", "0,1", r"\text{01}", "{01}", r"0\,1"])
def test_the_only_solution_however_it_is_written(said):
    assert CORRECT(rf"Hence $\boxed{{{said}}}$.", ASKED)


@pytest.mark.parametrize(
    "text",
    [
        *("01", r"\boxed{}", r"\boxed{1}", r"\boxed{010}", r"\boxed{0b01}", r"\boxed{A=0,B=1}"),
        *(r"\boxed{01} or \boxed{11}", r"\boxed{0x}", r"\boxed{01", r"\boxed{01 or 11}"),
    ],
)
def test_no_box_or_bits_of_another_number_or_form(text):
    assert not CORRECT(text, ASKED)


def test_an_empty_box_is_wrong_even_where_all_false_is_right():
    all_false = chat('{"n_sat": 2, "k": 2, "clause": "!A!B"}')
    assert CORRECT(r"\boxed{00}", all_false)
    assert not CORRECT(r"\boxed{}", all_false)


def test_a_stored_integer_gets_its_zeros_back():
    assert [restored(number, 5) for number in (1111, 11, 0, 10101)] == [
        *("01111", "00011", "00000", "10101")
    ]


def test_the_bits_of_a_completion():
    assert final_bits(r"\boxed{0 1}") == "01"
    assert final_bits(r"\boxed{02}") is None


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("What is 2 + 2?", "it holds no JSON object with 'k' and 'clause'"),
        ('{"k": 2}', "it holds no JSON object with 'k' and 'clause'"),
        ('{"clause": "AB"}', "the problem in it cannot be read: "),
        ('{"k": 1, "clause": "AB"}', "the problem in it cannot be read: "),
        ('{"k": 2, "clause": "AB | A"}', "the problem in it cannot be read: "),
        ('{"k": 2, "clause": ""}', "the problem in it cannot be read: "),
        ('{"k": "2", "clause": "AB"}', "the problem in it cannot be read: "),
    ],
)
def test_a_prompt_without_a_problem(text, fact):
    with pytest.raises(BadInput, match=f": {fact}"):
        CORRECT(r"\boxed{01}", chat(text))
