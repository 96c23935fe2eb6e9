"""Every engine gives what the textbook gives, to the last bit."""

import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.distance import distance, distance_matrix, min_knn_distance, nearest_distances, oracle
from wellworn.distance.engines import _engine, _native, engine
from wellworn.errors import BadInput

KERNELS = _native.kernels() if _native else []
every_engine = pytest.mark.parametrize("name", ["rapidfuzz", *KERNELS])

few_letters = st.text("ab", max_size=200)
any_text = st.text(st.characters(exclude_categories=()), max_size=80)
token_ids = st.lists(st.integers(-(2**70), 2**70) | st.integers(0, 3), max_size=60)
edges = st.sampled_from([59, 60, 61, 63, 64, 65, 127, 128, 129, 191, 192, 193, 320])
edge_texts = edges.flatmap(lambda n: st.text("abc", min_size=n, max_size=n))
words = st.lists(st.sampled_from(["so", "then", "x", "=", "3"]), max_size=40)
near = st.tuples(edge_texts, st.integers(0, 319), st.text("abc", max_size=3)).map(
    lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] + 1 :]
)


def sets_of(sequences, most=20):
    return st.lists(sequences, min_size=2, max_size=most)


any_set = (
    sets_of(few_letters)
    | sets_of(any_text)
    | sets_of(token_ids)
    | sets_of(words)
    | sets_of(edge_texts, most=10)
    | sets_of(near, most=10)
)


@pytest.fixture
def forced(monkeypatch, name):
    monkeypatch.setenv("WELLWORN_ENGINE", name)
    return name


@every_engine
@settings(max_examples=60, deadline=None)
@given(sequences=any_set, k=st.integers(1, 25))
def test_the_k_smallest_are_those_of_the_textbook(name, sequences, k):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WELLWORN_ENGINE", name)
        expected = oracle.nearest_distances(sequences)
        assert nearest_distances(sequences).tolist() == expected
        cut = min(k, len(sequences))
        smallest = sorted(expected)[:cut]
        assert min_knn_distance(sequences, k) == pytest.approx(sum(smallest) / cut, abs=1e-15)
        found = nearest_distances(sequences, k)
        exact = ~np.isnan(found)
        assert found[exact].tolist() == [e for e, kept in zip(expected, exact, strict=True) if kept]
        assert sorted(found[exact].tolist())[:cut] == smallest


@every_engine
@settings(max_examples=25, deadline=None)
@given(sequences=any_set)
def test_the_matrix_is_that_of_the_textbook(name, sequences):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WELLWORN_ENGINE", name)
        found = distance_matrix(sequences)
    assert found.dtype == np.int32
    assert found.tolist() == [[oracle.distance(a, b) for b in sequences] for a in sequences]


def prose(rng, length, letters):
    return "".join(rng.choices(letters, k=length))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("m", "length", "letters"),
    [
        (40, 700, "abcdefgh"),
        (9, 4_000, "".join(map(chr, range(0x4E00, 0x4E00 + 3_000)))),  # mostly rare symbols
        (5, 17_000, "abcd"),  # the longer stride
        (2, 64 * 64, "a"),
    ],
)
def test_larger_sets_agree_with_rapidfuzz(kernel, m, length, letters):
    rng = random.Random(m)
    texts = [prose(rng, rng.randint(length * 3 // 4, length), letters) for _ in range(m)]
    texts[-1] = texts[0][: length // 2] + "x" + texts[0][length // 2 :]
    k = max(1, m // 3)
    bounds = {name: np.full(m, np.inf) for name in (kernel, "rapidfuzz")}
    for name, found in bounds.items():
        _engine(name).search(texts, k, found)
    smallest = [np.sort(found)[:k].tolist() for found in bounds.values()]
    assert smallest[0] == smallest[1]
    assert (_engine(kernel).matrix(texts) == _engine("rapidfuzz").matrix(texts)).all()


def test_several_threads_at_once_give_the_same():
    rng = random.Random(3)
    sets = [[prose(rng, 300, "abcde") for _ in range(12)] for _ in range(40)]
    expected = [min_knn_distance(s, 4) for s in sets]
    found = [None] * len(sets)

    def work(start):
        for place in range(start, len(sets), 4):
            found[place] = min_knn_distance(sets[place], 4)

    threads = [threading.Thread(target=work, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


@pytest.mark.skipif(not KERNELS, reason="the native engine was not built here")
def test_others_run_while_it_computes():
    rng = random.Random(4)
    texts = [prose(rng, 20_000, "abcdefghijklmnop") for _ in range(24)]
    done = threading.Event()
    ticks = []

    def tick():
        while not done.wait(0.005):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    min_knn_distance(texts, 8)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert end - start > 0.1
    assert sum(start < at < end for at in ticks) >= 5


_LONG = """
import random
from wellworn.distance import min_knn_distance
rng = random.Random(1)
texts = ["".join(rng.choices("abcdefghijklmnopqrst", k=40_000)) for _ in range(64)]
print("go", flush=True)
min_knn_distance(texts, 64)
"""


@pytest.mark.skipif(not KERNELS, reason="the native engine was not built here")
def test_an_interrupt_is_answered_soon():
    process = subprocess.Popen(
        [sys.executable, "-c", _LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "go\n"
    time.sleep(0.5)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - start < 5
    assert "KeyboardInterrupt" in err


@every_engine
def test_the_engine_is_the_one_that_is_named(forced):
    assert engine().name == ("rapidfuzz" if forced == "rapidfuzz" else f"native ({forced})")


def test_an_unknown_engine(monkeypatch):
    monkeypatch.setenv("WELLWORN_ENGINE", "rapidfuz")
    with pytest.raises(BadInput, match=r"unknown engine 'rapidfuz'. Did you mean 'rapidfuzz'\?"):
        engine()


def test_without_the_native_engine(monkeypatch):
    monkeypatch.setattr("wellworn.distance.engines._native", None)
    _engine.cache_clear()
    try:
        assert _engine("auto").name == "rapidfuzz"
        with pytest.raises(BadInput, match="the native engine was not built here"):
            _engine("native")
    finally:
        _engine.cache_clear()


@pytest.mark.parametrize(("cutoff", "found"), [(None, 3), (5, 3), (3, 3), (2, 3), (1, 2), (0, 1)])
def test_a_distance_above_its_cutoff_is_the_cutoff_and_one(cutoff, found):
    assert distance("kitten", "sitting", cutoff) == found


def native(**changes):
    """Call the native search on "ab" and "cd", with some argument changed."""
    arguments = {
        "symbols": np.array([0, 1, 2, 3], np.int32),
        "start": np.array([0, 2, 4], np.int64),
        "alphabet": 4,
        "k": 1,
        "bounds": np.full(2, np.inf),
        "kernel": KERNELS[0],
    }
    _native.search(*{**arguments, **changes}.values())


@pytest.mark.skipif(not KERNELS, reason="the native engine was not built here")
@pytest.mark.parametrize(
    "changes",
    [
        {"symbols": np.array([0, 1, 2, 3], np.int64)},
        {"symbols": np.array([0, 1, 2, 4], np.int32)},
        {"symbols": np.array([0, 1, 2, -1], np.int32)},
        {"start": np.array([0, 3, 2], np.int64)},
        {"start": np.array([0, 2, 5], np.int64)},
        {"start": np.array([1, 2, 4], np.int64)},
        {"start": np.array([], np.int64)},
        {"alphabet": 0},
        {"k": 0},
        {"k": 3},
        {"bounds": np.full(3, np.inf)},
        {"bounds": np.zeros(2)},
        {"bounds": np.full(2, np.inf, np.float32)},
        {"kernel": "mmx"},
        {"symbols": "text"},
    ],
)
def test_the_native_search_refuses_what_it_cannot_read(changes):
    with pytest.raises((ValueError, TypeError)):
        native(**changes)
