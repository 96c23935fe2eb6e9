"""Tasks whose answers a program checks, to train models on: one file each, listed here.

Each has any number of items of one distribution, a verifier that is also the reward, and
traces that reach the answer on different ways. A new task is a module with a `TASK` and a
line in this table; the contract tests then hold it to its promises.
"""

from importlib import import_module
from typing import Any

from wellworn.errors import BadInput, unknown
from wellworn.lab.tasks.base import LEVELS, Item, Level, Task
from wellworn.lab.tasks.pools import pools

__all__ = ["LEVELS", "TASKS", "Item", "Level", "Task", "load_task", "pools"]

TASKS: dict[str, str] = {
    "countdown": "wellworn.lab.tasks.countdown:TASK",
    "tries": "wellworn.lab.tasks.tries:TASK",
    "knights": "wellworn.lab.tasks.knights:TASK",
    "sat": "wellworn.lab.tasks.sat:TASK",
    "arithmetic": "wellworn.lab.tasks.arithmetic:TASK",
    "code": "wellworn.lab.tasks.code:TASK",
}


def load_task(name: str) -> Task[Any]:
    """Return the task called `name`.

    Raises:
        BadInput: There is none.
    """
    if name not in TASKS:
        raise BadInput(unknown("task", name, TASKS))
    module, _, attribute = TASKS[name].partition(":")
    task: Task[Any] = getattr(import_module(module), attribute)
    return task
