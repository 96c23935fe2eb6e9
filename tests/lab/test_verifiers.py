"""The tasks' own checks as verifiers of an audit."""

from random import Random

import pytest
from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.lab.tasks import TASKS, load_task
from wellworn.lab.verifiers import gold
from wellworn.records import chat
from wellworn.verifiers import load_verifier


@pytest.mark.parametrize("name", TASKS)
def test_a_verifier_says_what_the_reward_says(name):
    task, verifier = load_task(name), load_verifier(f"wellworn.lab.verifiers:{name}")
    rng = Random(0)
    items = [task.draw(rng, "standard") for _ in range(8)]
    texts = [task.trace(item, rng) for item in items]
    asked = [replace(chat(item.prompt), answer=gold(item)) for item in items]
    found = [[verifier.correct(text, prompt) for text in texts] for prompt in asked]
    assert found == [[task.verify(item, text) for text in texts] for item in items]
    assert all(found[place][place] for place in range(8))
    assert not all(map(all, found))
    assert verifier.final(texts[0]) == task.final(texts[0])
    assert verifier.explicit(texts[0])
    assert not verifier.explicit("")


def test_a_gold_answer_that_is_no_item_says_which_prompt():
    verifier = load_verifier("wellworn.lab.verifiers:countdown")
    with pytest.raises(BadInput, match=r"(?s)mine\.jsonl:3.*no countdown item"):
        verifier.correct("1+1=2 ok", replace(chat("1 1 -> 2"), answer="2", source="mine.jsonl:3"))
    with pytest.raises(BadInput, match="no gold answer"):
        verifier.correct("1+1=2 ok", chat("1 1 -> 2"))
