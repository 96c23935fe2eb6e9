"""A function over many items, from several threads, with the results in order.

A thread that is inside native code when the process ends is stopped there by the interpreter,
which C++ takes for a fault, and aborts. So an error waits for what the other threads are at.
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""Items under way for each thread, so that none waits and few are held in memory."""


def ordered_map(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """Yield function(item) for each item, in order, computed by `jobs` threads.

    `items` is read from the calling thread, not far ahead of what is yielded. An error comes
    once no thread computes any more. The threads do not keep the process alive, so an interrupt
    need not wait for what they compute.

    >>> list(ordered_map(abs, [-3, 1, -2], jobs=2))
    [3, 1, 2]
    """
    if jobs == 1:
        yield from map(function, items)
        return
    tasks: queue.SimpleQueue[tuple[Future[R], T] | None] = queue.SimpleQueue()
    under_way: deque[Future[R]] = deque()
    source = iter(items)

    def give(count: int) -> None:
        for item in islice(source, count):
            under_way.append(Future())
            tasks.put((under_way[-1], item))

    for _ in range(jobs):
        threading.Thread(target=_work, args=(function, tasks), daemon=True).start()
    try:
        give(_AHEAD * jobs)
        while under_way:
            result = under_way.popleft().result()
            give(1)
            yield result
    except Exception:
        wait(_cancelled(under_way))
        raise
    finally:
        _cancelled(under_way)
        for _ in range(jobs):
            tasks.put(None)


def _cancelled(futures: Iterable[Future[R]]) -> list[Future[R]]:
    """Cancel what has not begun; return the others."""
    return [future for future in futures if not future.cancel()]


def _work(function: Callable[[T], R], tasks: queue.SimpleQueue[tuple[Future[R], T] | None]) -> None:
    while (task := tasks.get()) is not None:
        future, item = task
        if not future.set_running_or_notify_cancel():
            continue
        try:
            future.set_result(function(item))
        except Exception as error:
            future.set_exception(error)
