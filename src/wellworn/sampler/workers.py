"""A backend asked from several threads, with the answers in one."""

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from typing import Any

from wellworn.backends import Backend, Request
from wellworn.errors import BackendError, Refused
from wellworn.records import Completion

Batch = Sequence[tuple[Any, Request]]
"""What is asked for in one call: requests, each with whatever its caller knows it by."""


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
        yield batch, backend.complete([request for _, request in batch])
    except Refused as error:
        by_prompt = [list(group) for _, group in groupby(batch, key=lambda item: item[1].prompt.id)]
        if len(by_prompt) == 1:
            yield batch, error
        else:
            for part in by_prompt:
                yield from _ask(backend, part)
    except Exception as error:
        yield batch, error
