"""What a task is: items of one distribution, a reward that checks exactly, varied traces.

The reward of training and the judge of an evaluation are one function, `verify`. No text of
a model raises anything in it: what cannot be read is wrong.
"""

from collections.abc import Callable, Hashable
from random import Random
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

import msgspec

from wellworn.errors import BadInput, unknown

Level = Literal["standard", "easy", "short", "long"]
"""How hard items are: easy ones have the form and length of standard ones."""
LEVELS: tuple[Level, ...] = get_args(Level)

PATIENCE = 20_000  # draws in a row that may bring nothing new


class Item(msgspec.Struct, frozen=True):
    """One problem; each task adds what its verifier and its traces need."""

    prompt: str
    """What the model is asked, without a line end after it."""
    answer: str
    """A right answer, in the shortest form that `verify` takes."""


I = TypeVar("I", bound=Item)  # noqa: E741


class Task(NamedTuple, Generic[I]):
    """A task, as the table holds it."""

    name: str
    summary: str
    instruction: str
    """What a model that never saw the task has to be told before the prompt."""
    kind: type[I]
    """The type of its items; msgspec writes it to JSON and back."""
    draw: Callable[[Random, Level], I]
    """draw(rng, level): one item."""
    canonical: Callable[[I], Hashable]
    """canonical(item): what it shares with all items that say the same, names and order aside."""
    paraphrase: Callable[[I, Random], I]
    """paraphrase(item, rng): the same problem in another order, under other names."""
    trace: Callable[[I, Random], str]
    """trace(item, rng): one of many right ways to work it out, ending with the answer."""
    verify: Callable[[I, str], bool]
    """verify(item, text): whether the completion solves the item."""
    final: Callable[[str], str | None]
    """final(text): the answer, normalised, so that equal ones count once; None where none is."""

    def reward(self, item: I, text: str) -> float:
        """Return 1 for a completion that solves the item, else 0."""
        return float(self.verify(item, text))

    def generate(self, seed: int, count: int, level: Level = "standard") -> list[I]:
        """Return `count` different items, which depend on the arguments alone.

        Raises:
            BadInput: There are fewer, or there is no such level.
        """
        return self.fresh(seed, count, level, set())

    def fresh(self, seed: int, count: int, level: Level, taken: set[Hashable]) -> list[I]:
        """Return `count` items whose canonical forms are not in `taken`, and add them there.

        They are shuffled: draws without repetition turn up common items first, and a list
        cut in two would differ.
        """
        if level not in LEVELS:
            raise BadInput(unknown("level", level, LEVELS))
        rng = Random(f"{self.name} {level} {seed}")
        found: list[I] = []
        idle = 0
        while len(found) < count:
            item = self.draw(rng, level)
            form = self.canonical(item)
            idle = idle + 1 if form in taken else 0
            if not idle:
                taken.add(form)
                found.append(item)
            elif idle == PATIENCE:
                raise BadInput(
                    f"{self.name}, level {level}: only {len(found)} different items were found; "
                    f"{count} were asked for. Ask for fewer, or for another level."
                )
        return sorted(found, key=lambda _: rng.random())
