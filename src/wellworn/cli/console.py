"""Where the command line writes: reports to stdout, all else to stderr."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_EVERY = 30.0
"""Seconds between two lines where stderr is no terminal."""

stdout = Console()
stderr = Console(stderr=True)


@contextmanager
def progress() -> Iterator["Stages"]:
    """Show a bar for each stage on stderr, once it begins, if that is a terminal."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[said]}"),
    )
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal) as bars:
        yield Stages(bars)


class Stages:
    """The bars of a command: told how far each stage has come."""

    def __init__(self, bars: "Progress") -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._said = monotonic()

    def __call__(self, stage: str, done: int, total: int, said: str = "") -> None:
        """Show that `done` of `total` are done; where no bar can, say so twice a minute.

        Args:
            stage: What is under way.
            done: So many are done …
            total: … of so many.
            said: What else there is to say of it.
        """
        if not stderr.is_terminal:
            now = monotonic()
            if now - self._said >= _EVERY:
                self._said = now
                stderr.print(f"{stage}: {done} of {total}  {said}".rstrip(), highlight=False)
            return
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total, said=said)
        self._bars.update(self._tasks[stage], completed=done, total=total, said=said)
