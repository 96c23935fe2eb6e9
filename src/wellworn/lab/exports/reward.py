"""The reward of training: 1 where the task's own check takes the answer, else 0.

The answer is what follows the chain of thought, if think tags set one apart, by the rule that
audits read completions by; without tags it is the whole text. Text cut off while thinking has no
answer. No text is run, and none raises anything: what cannot be read is wrong.

This file is written into every export, and needs an installed wellworn, but neither torch nor a
GPU. The ground truth of a row is its whole problem, in JSON.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from wellworn.backends.reasoning import split_reasoning
from wellworn.lab.tasks import load_task

Turns = Sequence[dict[str, Any]]
"""A completion of a chat: messages, of which the last one is the answer."""


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None, **_: Any
) -> float:
    """Return the reward of one completion, as verl asks for it.

    Args:
        data_source: wellworn/TASK.
        solution_str: What the model wrote.
        ground_truth: The problem.
        extra_info: Not read.
    """
    task = load_task(data_source.removeprefix("wellworn/"))
    item = msgspec.json.decode(ground_truth, type=task.kind)
    return task.reward(item, split_reasoning(solution_str)[1])


def task_reward(
    completions: Sequence[Turns | str],
    data_source: Sequence[str],
    ground_truth: Sequence[str],
    **_: Any,
) -> list[float]:
    """Return the rewards of completions, as TRL asks for them; columns come as lists."""
    texts = [_text(completion) for completion in completions]
    return list(map(compute_score, data_source, texts, ground_truth))


def _text(completion: Turns | str) -> str:
    said: object = completion if isinstance(completion, str) else completion[-1]["content"]
    return said if isinstance(said, str) else ""
