import re
from random import Random

import pytest

from wellworn.lab.tasks.arithmetic import SIZES, TASK
from wellworn.records import Prompt
from wellworn.verifiers import load_verifier

every_level = pytest.mark.parametrize("level", SIZES)


def answered(prompt):
    """Return the answer to a story, read by another program than ours."""
    story, question = prompt.split(". ", 1)
    total = 0
    for part in story.split(", "):
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        value = numbers[0] if len(numbers) == 1 else numbers[0] * numbers[1]
        total += -value if re.match("gives|loses|sells", part) else value
        assert total > 0
    price = re.search(r"Each costs (\d+)", question)
    return total * int(price[1]) if price else total


@every_level
def test_the_story_alone_has_the_gold_answer(level):
    for item in TASK.generate(3, 60, level):
        assert item.answer == f"#### {answered(item.prompt)}"
        assert item.prompt.count(", ") == SIZES[level].parts - 1


@every_level
def test_every_step_of_a_trace_is_right_and_uses_what_is_there(level):
    rng = Random(1)
    for item in TASK.generate(3, 30, level):
        *steps, last = TASK.trace(item, rng).split(";")
        known = [int(number) for number in re.findall(r"\d+", item.prompt)]
        for step in steps:
            left, result = step.split("=")
            assert eval(left) == int(result) > 0
            assert all(int(number) in known for number in re.findall(r"\d+", left))
            known.append(int(result))
        assert last == f"#### {result}"


@pytest.mark.parametrize("text", ["#### 24", "####24", "#### 12; no: #### 24.0", "3*8=24;#### 24."])
def test_a_right_number_is_taken(text):
    [item] = [item for item in TASK.generate(1, 500) if item.total == 24][:1]
    assert TASK.verify(item, text)
    assert load_verifier("number").correct(text, Prompt(text=item.prompt, answer=item.answer))


@pytest.mark.parametrize(
    "text", ["24", "#### 25", "#### 24; no: #### 25", "3*8=24;####", "#### -24"]
)
def test_a_wrong_number_is_refused(text):
    [item] = [item for item in TASK.generate(1, 500) if item.total == 24][:1]
    assert not TASK.verify(item, text)
