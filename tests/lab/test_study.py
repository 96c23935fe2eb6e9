"""What a study says of an experiment that ended early."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from wellworn.errors import BadInput
from wellworn.lab.study import finished


def ended(error):
    future = Future()
    future.set_exception(error) if error else future.set_result(None)
    return future


def test_an_experiment_that_cannot_be_made_is_named():
    with pytest.raises(BadInput, match=r"^sat-ppo-1A: rl\.steps is 0"):
        finished("sat-ppo-1A", ended(BadInput("rl.steps is 0; give 1 or more.")))


def test_a_killed_process_says_what_to_do():
    with pytest.raises(BadInput, match=r"sat-ppo-1A.* was killed(.|\n)*fewer --jobs need less"):
        finished("sat-ppo-1A", ended(BrokenProcessPool("a process was terminated abruptly")))


def test_other_errors_are_passed_on_and_no_error_is_none():
    with pytest.raises(ZeroDivisionError):
        finished("sat-ppo-1A", ended(ZeroDivisionError()))
    finished("sat-ppo-1A", ended(None))
