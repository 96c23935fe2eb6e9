"""A backend asked from several threads, with the answers in one."""

import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from typing import Any

from msgspec.structs import replace

from wellworn.backends import Backend
from wellworn.errors import BackendError, Refused, TooLong
from wellworn.records import Completion
from wellworn.sampler.wanted import Wanted

Batch = Sequence[Wanted]
"""What is asked for in one call."""


def answers(
    backend: Backend, todo: Iterator[Batch]
) -> Iterator[tuple[Batch, list[Completion] | BackendError]]:
    """Yield each batch with its answer, as they come; `todo` is read from this thread.

    After an interrupt, answers that are there already are yielded before it goes on its
    way; calls under way are left behind.
    """
    workers = _Workers(backend)
    under_way = 0
    try:
        for batch in islice(todo, 2 * backend.concurrency):
            workers.give(batch)
            under_way += 1
        while under_way:
            yield from workers.take()
            under_way -= 1
            for batch in islice(todo, 1):
                workers.give(batch)
                under_way += 1
    except KeyboardInterrupt:
        yield from workers.arrived()
        raise
    finally:
        workers.stop()


class _Workers:
    """Threads that ask a backend; they do not keep the process alive."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._tasks: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[list[tuple[Batch, Any]]] = queue.SimpleQueue()
        for _ in range(backend.concurrency):
            threading.Thread(target=self._work, daemon=True).start()

    def give(self, batch: Batch) -> None:
        self._tasks.put(batch)

    def take(self) -> Iterator[tuple[Batch, list[Completion] | BackendError]]:
        """Wait for the next answers; raise here what is a bug there."""
        for batch, answer in self._results.get():
            if isinstance(answer, BaseException) and not isinstance(answer, BackendError):
                raise answer
            yield batch, answer

    def arrived(self) -> Iterator[tuple[Batch, list[Completion] | BackendError]]:
        while not self._results.empty():
            yield from self.take()

    def stop(self) -> None:
        """Drop what has not begun, and let every thread end after its call."""
        with suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
        for _ in range(self._backend.concurrency):
            self._tasks.put(None)

    def _work(self) -> None:
        while (batch := self._tasks.get()) is not None:
            self._results.put(list(_ask(self._backend, batch)))


def _ask(backend: Backend, batch: Batch) -> Iterator[tuple[Batch, Any]]:
    """Yield the batch with its answer or its error; one refused prompt fails no other."""
    try:
        answers = backend.complete([wanted.request for wanted in batch])
        yield batch, [_with_cut(each) for each in zip(batch, answers, strict=True)]
    except TooLong as error:
        shorter = _shortened(batch, error.positions)
        yield from _ask(backend, shorter) if shorter else _apart(backend, batch, error)
    except Refused as error:
        yield from _apart(backend, batch, error)
    except Exception as error:
        yield batch, error


def _apart(backend: Backend, batch: Batch, error: Refused) -> Iterator[tuple[Batch, Any]]:
    """Ask prompt by prompt, if there are several."""
    prompts = groupby(batch, key=lambda wanted: wanted.place.prompt_id)
    by_prompt = [list(group) for _, group in prompts]
    if len(by_prompt) == 1:
        yield batch, error
    else:
        for part in by_prompt:
            yield from _ask(backend, part)


def _shortened(batch: Batch, positions: Iterable[int]) -> Batch | None:
    """Return the batch with less of what is quoted at these positions, if all can be cut."""
    cut = {position: batch[position].shortened for position in positions}
    if None in cut.values():
        return None
    return [cut.get(position) or wanted for position, wanted in enumerate(batch)]


def _with_cut(answered: tuple[Wanted, Completion]) -> Completion:
    """Return a completion that knows how much of the quoted answer was left out."""
    wanted, completion = answered
    return replace(completion, cut=wanted.cut) if wanted.cut else completion
