import re
from itertools import product

import pytest

from wellworn.lab.tasks.knights import TASK
from wellworn.records import Prompt
from wellworn.verifiers import load_verifier


def solved(prompt):
    """Return every answer that fits the prompt, read by another program than ours."""
    lines = [line.split(": ") for line in prompt.split("\n")]
    found = []
    for roles in product((True, False), repeat=len(lines)):
        world = {f"is{name}": role for (name, _), role in zip(lines, roles, strict=True)}
        fits = True
        for name, claim in lines:
            python = re.sub(r"(\w) knight", r"is\1", claim)
            python = re.sub(r"(\w) knave", r"(not is\1)", python)
            python = re.sub(r"if (.+) then (.+)", r"(not \1) or \2", python).replace("iff", "==")
            fits &= world[f"is{name}"] == eval(python, {}, world)
        if fits:
            found.append(roles)
    return found


@pytest.mark.parametrize("level", ["standard", "easy", "short", "long"])
def test_the_prompt_alone_has_the_gold_answer_and_no_other(level):
    for item in TASK.generate(6, 40, level):
        [roles] = solved(item.prompt)
        told = [f"{x}={'knight' if r else 'knave'}" for x, r in zip("ABCD", roles, strict=False)]
        assert item.answer == " ".join(told)


def test_any_changed_role_is_wrong():
    for item in TASK.generate(2, 20):
        for name in "ABCD":
            wrong = re.sub(
                rf"{name}=(\w+)",
                lambda m: m[0][:2] + ("knave" if m[1] == "knight" else "knight"),
                item.answer,
            )
            assert wrong != item.answer
            assert not TASK.verify(item, f"so {wrong}")
        assert not TASK.verify(item, item.answer.rpartition(" ")[0])


def test_the_verifier_of_audits_gives_the_same_verdict():
    correct = load_verifier("knights").correct
    for item in TASK.generate(2, 20):
        prompt = Prompt(text=item.prompt, answer=item.answer)
        assert correct(f"?A=knave B!\nso {item.answer}", prompt)
        assert not correct(f"so {item.answer.replace('A=kn', 'A=no')}", prompt)


def test_people_and_claims_are_as_told():
    assert {item.prompt.count("\n") for item in TASK.generate(1, 60)} == {3}
    assert {item.prompt.count("\n") for item in TASK.generate(1, 60, "short")} == {1, 2}
    assert not re.search("if| or ", "".join(item.prompt for item in TASK.generate(1, 60, "easy")))
