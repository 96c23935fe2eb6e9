"""Results come in order from any number of threads, and so do errors."""

import threading
import time

import pytest

from wellworn.threads import ordered_map


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("count", [0, 1, 5, 100])
def test_results_come_in_order(jobs, count):
    def late(number):
        time.sleep(0.001 * (number % 3))
        return number * number

    assert list(ordered_map(late, range(count), jobs)) == [n * n for n in range(count)]


def test_items_are_not_read_far_ahead():
    read = []

    def source():
        for number in range(1000):
            read.append(number)
            yield number

    results = ordered_map(abs, source(), 2)
    assert next(results) == 0
    assert len(read) <= 10
    results.close()


def test_threads_work_at_once():
    barrier = threading.Barrier(3, timeout=10)
    assert list(ordered_map(lambda _: barrier.wait() >= 0, range(3), 3)) == [True] * 3


def test_an_error_comes_where_its_result_would_have():
    results = ordered_map(lambda n: 1 // n, [1, 0, 1], 2)
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_an_error_waits_for_what_is_under_way():
    begun, done = threading.Barrier(2, timeout=10), threading.Event()

    def late(number):
        begun.wait()
        if number == 0:
            raise KeyError(number)
        time.sleep(0.2)
        done.set()

    with pytest.raises(KeyError):
        list(ordered_map(late, range(2), 2))
    assert done.is_set()


def test_threads_end_when_the_results_are_done_with():
    before = threading.active_count()
    results = ordered_map(abs, range(1000), 4)
    next(results)
    results.close()
    for _ in range(100):
        if threading.active_count() <= before:
            return
        time.sleep(0.02)
    pytest.fail("threads are left over")
