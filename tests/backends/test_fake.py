"""A scripted model says what its script says."""

import json

import pytest

from wellworn.backends import Request, Target, open_backend
from wellworn.errors import BackendError, BadInput
from wellworn.records import Generation, Prompt, chat


def opened(tmp_path, script):
    path = tmp_path / "script.json"
    path.write_text(script if isinstance(script, str) else json.dumps(script))
    return open_backend(Target(model=f"fake/{path}"))


def ask(backend, prompt, count):
    generation = Generation(model=backend.identity)
    return backend.complete(
        [Request(prompt=prompt, generation=generation, index=i, seed=i) for i in range(count)]
    )


def test_answers_come_in_turn(tmp_path):
    backend = opened(tmp_path, {"answers": {"a?": ["one", "two"]}, "default": ["three"]})
    assert [c.text for c in ask(backend, chat("a?"), 3)] == ["one", "two", "one"]
    assert [c.text for c in ask(backend, Prompt(text="b?"), 2)] == ["three", "three"]


def test_an_answer_can_say_all_about_itself(tmp_path):
    line = {"text": "4", "reasoning": "hm", "reasoning_hidden": True, "finish_reason": "length"}
    backend = opened(tmp_path, {"default": [line, "<think>hm</think>4"]})
    first, second = ask(backend, chat("?"), 2)
    assert (first.reasoning, first.text, first.reasoning_hidden) == ("hm", "4", True)
    assert first.finish_reason == "length"
    assert (second.reasoning, second.text, second.finish_reason) == ("hm", "4", "stop")


def test_a_prompt_without_an_answer(tmp_path):
    with pytest.raises(BackendError, match=r"the script has no answer to 'c\?'"):
        ask(opened(tmp_path, {"answers": {"a?": ["one"]}}), chat("c?"), 1)


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("{", "Input data was truncated"),
        ({"answer": {}}, "unknown field `answer`"),
        ({"default": [1]}, r"Expected `str \| object`, got `int`"),
    ],
)
def test_a_script_that_is_none(tmp_path, script, fault):
    with pytest.raises(BadInput, match=f"this is no script of answers .*{fault}"):
        opened(tmp_path, script)
