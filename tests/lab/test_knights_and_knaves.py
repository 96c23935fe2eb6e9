"""Puzzles are solved here from their English, by a method that shares no code with ours."""

import re
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.lab.knights_and_knaves import (
    Compound,
    Is,
    Puzzle,
    canonical,
    generate,
    holds,
    solutions,
    verify,
)

POOLS = {people: generate(40, people=people, seed=5) for people in (2, 3, 4)}
every_size = pytest.mark.parametrize("people", POOLS)


def read(text):
    """Return the claims of a puzzle's text: by speaker, a Python expression on `knights`."""
    said = {}
    for line in text.split("\n")[1:-1]:
        before, sentence = re.fullmatch(r'(.+): "(.+)\."', line).groups()
        [speaker] = re.findall(r"\b(?!Word)[A-Z]\w+", before)
        sentence = re.sub(r"\bI am\b", f"{speaker} is", sentence, flags=re.IGNORECASE)
        sentence = re.sub(r"(\w+) is a knight", r"('\1' in knights)", sentence)
        sentence = re.sub(r"(\w+) is a knave", r"('\1' not in knights)", sentence)
        sentence = re.sub(r"^If (.+), then (.+)", r"(not \1 or \2)", sentence)
        sentence = sentence.removesuffix(", or both").replace(" if and only if ", " == ")
        said[speaker] = re.sub(r"^It is not true that", "not", sentence)
    return said


def consistent(said, knights):
    return all(
        (name in knights) == eval(claim, {"knights": knights}) for name, claim in said.items()
    )


def answers(text):
    """Return every answer that fits the text, in the form of a gold answer."""
    said = read(text)
    found = []
    for size in range(len(said) + 1):
        for knights in combinations(said, size):
            if consistent(said, knights):
                roles = {name: "knight" if name in knights else "knave" for name in said}
                found.append("\n".join(f"{name} is a {role}" for name, role in roles.items()))
    return found


@every_size
def test_the_text_alone_has_the_gold_answer_and_no_other(people):
    for puzzle in POOLS[people]:
        assert len(puzzle.names) == people
        assert answers(puzzle.text) == [puzzle.gold]


@every_size
def test_gold_passes_its_own_verifier_and_no_other_answer_does(people):
    for puzzle in POOLS[people]:
        for roles in product(("knight", "knave"), repeat=people):
            told = zip(puzzle.names, roles, strict=True)
            answer = "\n".join(f"{name} is a {role}" for name, role in told)
            assert verify(puzzle.gold, answer) == (answer == puzzle.gold)


@every_size
def test_no_two_puzzles_of_a_pool_are_one_puzzle_renamed(people):
    assert len({canonical(puzzle.claims) for puzzle in POOLS[people]}) == len(POOLS[people])
    forms = [renamings(puzzle.text) for puzzle in POOLS[people]]
    assert all(one.isdisjoint(other) for one, other in combinations(forms, 2))


def renamings(text):
    """Return a puzzle's claims under all numberings of its people.

    A claim is the sets of people that make it true if they, and only they, are knights.
    """
    said = read(text)
    groups = [set(some) for size in range(len(said) + 1) for some in combinations(said, size)]
    true = {
        name: [group for group in groups if eval(claim, {"knights": group})]
        for name, claim in said.items()
    }
    return {
        tuple(
            frozenset(frozenset(map(order.index, group)) for group in true[name]) for name in order
        )
        for order in permutations(said)
    }


CLAIMS = st.integers(0, 10_000).map(lambda seed: generate(1, people=3, seed=seed)[0].claims)


@settings(deadline=None)
@given(CLAIMS, st.permutations(range(3)))
def test_renaming_and_reordering_people_keeps_the_canonical_form(claims, places):
    def rename(claim):
        if isinstance(claim, Is):
            return Is(places[claim.person], claim.knight)
        return Compound(claim.operator, tuple(map(rename, claim.parts)))

    moved = [rename(claims[places.index(place)]) for place in range(3)]
    assert canonical(moved) == canonical(claims)


def test_the_canonical_form_ignores_wording_and_keeps_meaning():
    both, knave = (Is(0, True), Is(1, False)), Is(0, False)
    assert canonical([Compound("and", both), knave]) == canonical(
        [Compound("and", both[::-1]), Compound("not", (Is(0, True),))]
    )
    assert canonical([Compound("and", both), knave]) != canonical([Compound("or", both), knave])
    assert canonical([Compound("implies", both), knave]) != canonical(
        [Compound("implies", both[::-1]), knave]
    )


def test_every_claim_of_the_grammar_occurs_and_none_is_a_confession():
    kinds = set()
    for puzzle in (puzzle for pool in POOLS.values() for puzzle in pool):
        assert "I am a knave" not in puzzle.text
        for claim in puzzle.claims:
            kinds.add(claim.operator if isinstance(claim, Compound) else "simple")
            parts = claim.parts if isinstance(claim, Compound) else (claim,)
            assert len(parts) == len(set(parts)) <= 2
    assert kinds == {"simple", "not", "and", "or", "implies", "iff"}


@pytest.mark.parametrize(
    ("operator", "true_where"),
    [
        ("and", {(True, True)}),
        ("or", {(True, True), (True, False), (False, True)}),
        ("implies", {(True, True), (False, True), (False, False)}),
        ("iff", {(True, True), (False, False)}),
    ],
)
def test_what_each_operator_means(operator, true_where):
    claim = Compound(operator, (Is(0, True), Is(1, True)))
    worlds = product((True, False), repeat=2)
    assert {world for world in worlds if holds(claim, world)} == true_where


def test_a_puzzle_solved_by_hand():
    # Were Agnes a knave, "if I am a knight, then …" would be true of her, yet knaves only lie.
    # So she is a knight, and what she says makes Bruno a knave. His claim is false, so Celia
    # is a knave, and hers is false too, as Bruno is no knight.
    claims = (
        Compound("implies", (Is(0, True), Is(1, False))),
        Is(2, True),
        Compound("and", (Is(0, True), Is(1, True))),
    )
    puzzle = Puzzle(
        names=("Agnes", "Bruno", "Celia"),
        claims=claims,
        solution=(True, False, False),
        reports=("{} says:", "{} says:", "{} says:"),
    )
    assert solutions(claims) == [(True, False, False)]
    assert puzzle.gold == "Agnes is a knight\nBruno is a knave\nCelia is a knave"
    assert puzzle.text == (
        "A knight speaks only truth, a knave only lies. "
        "Agnes, Bruno and Celia are each one or the other.\n"
        'Agnes says: "If I am a knight, then Bruno is a knave."\n'
        'Bruno says: "Celia is a knight."\n'
        'Celia says: "Agnes is a knight and Bruno is a knight."\n'
        "Who is what? Reason step by step, then end with one line for each person: "
        '"NAME is a knight" or "NAME is a knave".'
    )


def test_a_puzzle_with_two_solutions_is_refused():
    twins = (Is(1, True), Is(0, True))
    with pytest.raises(BadInput, match=r"Agnes, Bruno is solved by .* not by .* alone"):
        Puzzle(("Agnes", "Bruno"), twins, (True, True), ("{}:", "{}:"))


GOLD = "Agnes is a knight\nBruno is a knave"


@pytest.mark.parametrize(
    "answer",
    [
        GOLD,
        "Bruno is a knave\nAgnes is a knight",
        f"Suppose it is the other way round:\nAgnes is a knave\nBruno is a knight\nNo.\n\n{GOLD}",
        "- **Agnes** is a knight.\n\n- **Bruno** is a **knave**.\n\nThat is the only way.",
        "1. agnes is a Knight,\r\n2) bruno is a Knave;\r\n",
        f"{GOLD}\n{GOLD}\nAgnes is a kni",
    ],
)
def test_a_right_answer_is_taken(answer):
    assert verify(GOLD, answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Agnes is a knight",
        "Agnes is a knave\nBruno is a knight",
        "Agnes is a knight\nBruno is a knight",
        "Agnes is a knight\nAgnes is a knave\nBruno is a knave",
        "Agnes is a knight\nBruno is a knave\nBruno is a knight",
        "Agnes is a knight\nBruno is a knave\nCelia is a knave",
        "Agnes is a knight or a knave\nBruno is a knave",
        "Agnes is a knight?\nBruno is a knave?",
        "Agnes is not a knave\nBruno is not a knight",
        "Agnes is a knight and Bruno is a knave",
        f"{GOLD}\nBut let me check.\nAgnes is a knight",
        f"{GOLD}\nOr else:\nAgnes is a knave\nBruno is a knight",
        '"NAME is a knight" or "NAME is a knave"',
    ],
)
def test_a_wrong_answer_is_refused(answer):
    assert not verify(GOLD, answer)


def test_a_gold_answer_that_names_nobody_is_an_error():
    with pytest.raises(BadInput, match="'42' has no line 'NAME is a knight'"):
        verify("42", "42")


def test_a_seed_gives_one_pool_and_another_seed_another():
    assert generate(5, people=4, seed=1) == generate(5, people=4, seed=1)
    assert generate(5, people=4, seed=1) != generate(5, people=4, seed=2)


def test_asking_for_more_puzzles_than_exist_says_how_many_were_found():
    with pytest.raises(BadInput, match="only 41 different puzzles of 2 people were found; 99 were"):
        generate(99, people=2)


@pytest.mark.parametrize("people", [1, 5])
def test_other_numbers_of_people_are_refused(people):
    with pytest.raises(BadInput, match=f"people is {people}"):
        generate(1, people=people)
