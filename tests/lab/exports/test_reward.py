"""The written reward gives the verdicts of the task's own check, in both trainers' forms."""

import importlib.util
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.lab.exports import reward
from wellworn.lab.tasks import TASKS, load_task
from wellworn.lab.verifiers import gold

ITEMS = {name: load_task(name).generate(11, 12) for name in TASKS}
every_task = pytest.mark.parametrize("task", [load_task(name) for name in TASKS], ids=TASKS)


@pytest.fixture(scope="session")
def written(exported):
    """Return the reward of an export, loaded from its file."""
    path = exported["verl", "sat"] / "reward.py"
    spec = importlib.util.spec_from_file_location("written_reward", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def both(written, task, item, text):
    """Return the reward as verl asks for it, and twice as TRL does: of a chat and of a text."""
    columns = {"data_source": [f"wellworn/{task.name}"], "ground_truth": [gold(item)]}
    chat = [{"role": "assistant", "content": text}]
    return [
        written.compute_score(f"wellworn/{task.name}", text, gold(item), {"index": 3}),
        *written.task_reward(prompts=[[]], completions=[chat], **columns, trainer_state=None),
        *written.task_reward(completions=[text], completion_ids=[[1]], **columns),
    ]


@every_task
def test_it_agrees_with_the_task_on_right_and_wrong_traces(written, task):
    rng, items = Random(2), ITEMS[task.name]
    traces = [task.trace(item, rng) for item in items]
    verdicts = []
    for item in items:
        for text in (*traces, "", item.prompt, item.answer, traces[0][:-1]):
            verdict = float(task.verify(item, text))
            assert both(written, task, item, text) == [verdict] * 3
            verdicts.append(verdict)
    assert 2 * len(items) <= sum(verdicts) < 0.5 * len(verdicts)


@every_task
def test_the_answer_is_what_follows_the_chain_of_thought(written, task):
    rng = Random(5)
    item = ITEMS[task.name][0]
    wrong = next(
        t for t in (task.trace(i, rng) for i in ITEMS[task.name]) if not task.verify(item, t)
    )
    right = task.trace(item, rng)
    for text, expected in {
        f"<think>\n{wrong}\n</think>\n\n{right}": 1.0,
        f"{wrong}</think>{right}\n": 1.0,
        f"<think>{right}</think>{wrong}": 0.0,
        f"<think>{right}</think>": 0.0,
        f"<think>{right}": 0.0,
    }.items():
        assert both(written, task, item, text) == [expected] * 3, text


PIECES = (
    *("<think>", "</think>", "=", "A", "b", "so ", "A=knight", "####", "-1", "9" * 30, "ok", "\n"),
    *("def f(x,y):", " return ", "return ", "__import__('os')", "x", "(", ")", "1+2=3", "\ud800"),
)


@every_task
@settings(deadline=None, max_examples=60)
@given(text=st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_no_text_of_a_model_raises_anything_and_untagged_ones_agree(task, text):
    item = ITEMS[task.name][0]
    verdicts = both(reward, task, item, text)
    assert verdicts in ([0.0] * 3, [1.0] * 3)
    if "think>" not in text:
        assert verdicts[0] == float(task.verify(item, text))


def test_the_written_file_is_the_module_that_was_tested(exported):
    texts = {(folder / "reward.py").read_text() for folder in exported.values()}
    assert len(texts) == 1
    assert texts == {Path(reward.__file__).read_text()}


def test_a_message_without_text_earns_nothing(written):
    [item, *_] = ITEMS["sat"]
    completions = [[{"role": "assistant", "content": None}], [{"role": "assistant", "content": []}]]
    columns = {"data_source": ["wellworn/sat"] * 2, "ground_truth": [gold(item)] * 2}
    assert written.task_reward(completions, **columns) == [0.0, 0.0]


def test_rewards_keep_the_order_of_the_completions(written):
    first, second, *_ = ITEMS["arithmetic"]
    columns = {
        "data_source": ["wellworn/arithmetic"] * 3,
        "ground_truth": [gold(first), gold(second), gold(second)],
    }
    texts = [first.answer, "#### 100000", second.answer]
    assert written.task_reward(texts, **columns) == [1.0, 0.0, 1.0]
