"""Training that is stopped and gone on with: no step is lost, none is counted twice."""

from contextlib import suppress

import msgspec
import pytest

pytest.importorskip("torch", reason="`make test` installs torch and transformers")

from wellworn.lab.training import train


class Step(msgspec.Struct):
    step: int


class Counter:
    """Counts to seven, and may be killed on the way."""

    def __init__(self, killed_at=None):
        self.done, self._killed_at = 0, killed_at

    def steps(self):
        while self.done < 7:
            if self.done == self._killed_at:
                raise KeyboardInterrupt
            self.done += 1
            yield Step(self.done)

    def state(self):
        return {"done": self.done}

    def restore(self, state):
        self.done = state["done"]


def run(folder, trainer, every=2):
    steps, kept = [], []
    with suppress(KeyboardInterrupt):
        train(trainer, folder / "state.pt", every, lambda s: steps.append(s.step), kept.append)
    return steps, kept


def test_states_are_kept_every_so_many_steps_and_at_the_end(tmp_path):
    assert run(tmp_path, Counter()) == ([1, 2, 3, 4, 5, 6, 7], [2, 4, 6, 7])


def test_the_last_state_is_kept_once(tmp_path):
    assert run(tmp_path, Counter(), every=7) == ([1, 2, 3, 4, 5, 6, 7], [7])


def test_after_a_kill_steps_since_the_last_state_are_taken_again(tmp_path):
    assert run(tmp_path, Counter(killed_at=5)) == ([1, 2, 3, 4, 5], [2, 4])
    assert run(tmp_path, Counter()) == ([5, 6, 7], [6, 7])


def test_what_is_done_is_not_done_again(tmp_path):
    run(tmp_path, Counter())
    assert run(tmp_path, Counter())[0] == []


def test_a_state_is_whole_or_the_one_before(tmp_path):
    run(tmp_path, Counter(killed_at=3))

    class Broken(Counter):
        def state(self):
            return {"done": lambda: None}  # cannot be written

    with pytest.raises(Exception, match="pickle"):
        train(Broken(), tmp_path / "state.pt", 2, lambda step: None)
    assert run(tmp_path, Counter())[0] == [3, 4, 5, 6, 7]
