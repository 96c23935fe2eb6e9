"""Training that can be stopped and gone on with, whatever is trained and how.

A trainer takes steps, and gives all that a later one needs to go on from there. That state is
kept in a file that is replaced in one move, so that a kill at any moment costs the steps since
then and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)
StepT = TypeVar("StepT", covariant=True)


class Trainer(Protocol[StepT]):
    """What takes steps, and can be put where another one of its kind was."""

    done: int
    """Steps so far."""

    def steps(self) -> Iterator[StepT]:
        """Train to the end; yield what each step was like."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that a later trainer needs to go on from here."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        ...


def train(
    trainer: Trainer[S],
    state: Path,
    every: int,
    on_step: Callable[[S], None],
    on_kept: Callable[[int], None] = lambda done: None,
) -> None:
    """Train to the end, from the state in a file if there is one.

    Args:
        trainer: What trains.
        state: The file that its state is kept in, every `every` steps and at the end.
        every: How often.
        on_step: Is told of each step; steps since the last state are taken again after a kill.
        on_kept: Is told, with the steps so far, before a state is kept.
    """
    import torch

    if state.exists():
        trainer.restore(torch.load(state, weights_only=False))
    for step in trainer.steps():
        on_step(step)
        if trainer.done % every == 0:
            _keep(trainer, state, on_kept)
    if trainer.done % every:
        _keep(trainer, state, on_kept)


def _keep(trainer: Trainer[Any], state: Path, on_kept: Callable[[int], None]) -> None:
    import torch

    on_kept(trainer.done)
    part = state.with_name(f"{state.name}.part")
    torch.save(trainer.state(), part)
    part.replace(state)
