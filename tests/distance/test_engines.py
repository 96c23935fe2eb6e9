"""Every engine gives what the textbook gives, to the last bit."""

import random
import signal
import subprocess
import sys
import threading
import time
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.distance import distance, distance_matrix, min_knn_distance, nearest_distances, oracle
from wellworn.distance.engines import _SLOWER, _engine, _native, engine
from wellworn.errors import BadInput

KERNELS = _native.kernels() if _native else []
needs_native = pytest.mark.skipif(not KERNELS, reason="the native engine was not built here")
every_engine = pytest.mark.parametrize("name", ["rapidfuzz", *KERNELS])

few_letters = st.text("ab", max_size=200)
any_text = st.text(st.characters(exclude_categories=()), max_size=80)
token_ids = st.lists(st.integers(-(2**70), 2**70) | st.integers(0, 3), max_size=60)
edges = st.sampled_from([1, 47, 48, 49, 63, 64, 65, 127, 128, 129, 191, 192, 193, 320])
edge_texts = edges.flatmap(lambda n: st.text("abc", min_size=n, max_size=n))
one_symbol = st.integers(0, 200).map("x".__mul__)
short_or_long = st.text("xy", max_size=3) | st.text("xy", min_size=120, max_size=200)
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
    | sets_of(one_symbol)
    | sets_of(short_or_long)
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
        smallest = sorted(expected)[:k]
        mean = sum(smallest) / len(smallest)
        assert min_knn_distance(sequences, k) == pytest.approx(mean, abs=1e-15)
        found = nearest_distances(sequences, k).tolist()
        assert [None if isnan(x) else x for x in found] == [
            x if x <= smallest[-1] else None for x in expected
        ]


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


def variant(rng, text, letters, edits):
    """Return a text after so many random edits."""
    symbols = list(text)
    for _ in range(edits):
        place = rng.randrange(len(symbols))
        symbols[place : place + rng.randint(0, 1)] = rng.choice(["", rng.choice(letters)])
    return "".join(symbols)


def agrees_with_rapidfuzz(kernel, texts, k):
    bounds = {name: np.full(len(texts), np.inf) for name in (kernel, "rapidfuzz")}
    for name, found in bounds.items():
        _engine(name).search(texts, k, found)
    smallest = [np.sort(found)[:k].tolist() for found in bounds.values()]
    matrices = [_engine(name).matrix(texts) for name in bounds]
    return smallest[0] == smallest[1] and (matrices[0] == matrices[1]).all()


ASIAN = "".join(map(chr, range(0x3400, 0xA000)))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("m", "length", "letters"),
    [
        (40, 700, "abcdefgh"),
        (9, 4_000, ASIAN),  # mostly symbols without a row of their own
        (5, 17_000, "abcd"),  # the longer stride
        (2, 64 * 64, "a"),
    ],
)
def test_larger_sets_agree_with_rapidfuzz(kernel, m, length, letters):
    rng = random.Random(m)
    texts = [prose(rng, rng.randint(length * 3 // 4, length), letters) for _ in range(m)]
    texts[-1] = texts[0][: length // 2] + "x" + texts[0][length // 2 :]
    assert agrees_with_rapidfuzz(kernel, texts, max(1, m // 3))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("m", "length", "edits"), [(11, 5_000, 100), (11, 5_000, 1_500), (6, 20_000, 300)]
)
def test_near_twins_of_mostly_rare_symbols_agree_with_rapidfuzz(kernel, m, length, edits):
    rng = random.Random(edits)
    common = prose(rng, length, ASIAN)
    texts = [variant(rng, common, ASIAN, rng.randint(1, edits)) for _ in range(m)]
    texts += [prose(rng, 400, ASIAN), ""]  # groups of other sizes, on the same memory
    assert agrees_with_rapidfuzz(kernel, texts, m // 2)


@pytest.mark.parametrize("kernel", KERNELS)
def test_twins_of_all_degrees_agree_with_rapidfuzz(kernel):
    for seed in range(150):
        rng = random.Random(seed)
        letters = rng.choice(["ab", "abcdefghijklmnopqrst", ASIAN])
        common = prose(rng, rng.randint(50, 500), letters)
        edits = [round(len(common) * rng.random() ** 3) for _ in range(8)]
        texts = [variant(rng, common, letters, count) for count in edits]
        assert agrees_with_rapidfuzz(kernel, list(dict.fromkeys(texts)), 3)


@needs_native
def test_more_groups_than_are_held_at_once():
    rng = random.Random(5)
    length, letters = 190_000, "".join(map(chr, range(0x100, 0x1C8)))
    common, edits = prose(rng, length, letters), [1 + i % 7 for i in range(64)]
    texts = []
    for i, count in enumerate(edits):  # each has its own places, and a symbol of its own
        text = list(common)
        for n in range(count):
            text[2_500 * i + 10 * n] = chr(0x10000 + i)
        texts.append("".join(text))
    expected = [(e + min(edits[:i] + edits[i + 1 :])) / length for i, e in enumerate(edits)]
    assert nearest_distances(texts).tolist() == expected


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


@needs_native
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


@needs_native
def test_an_interrupt_is_answered_soon():
    process = subprocess.Popen(
        [sys.executable, "-c", _LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "go\n"
    time.sleep(1)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - start < 3
    assert "KeyboardInterrupt" in err


@every_engine
def test_the_engine_is_the_one_that_is_named(forced):
    assert engine().name == ("rapidfuzz" if forced == "rapidfuzz" else f"native ({forced})")


def test_an_unknown_engine(monkeypatch):
    monkeypatch.setenv("WELLWORN_ENGINE", "rapidfuz")
    with pytest.raises(BadInput, match=r"unknown engine 'rapidfuz'. Did you mean 'rapidfuzz'\?"):
        engine()


def test_without_the_native_engine(monkeypatch, caplog):
    monkeypatch.setattr("wellworn.distance.engines._native", None)
    _engine.cache_clear()
    try:
        assert [_engine("auto").name for _ in range(2)] == ["rapidfuzz"] * 2
        assert [record.message for record in caplog.records] == [_SLOWER]
        with pytest.raises(BadInput, match="the native engine was not built here"):
            _engine("native")
    finally:
        _engine.cache_clear()


@pytest.mark.parametrize(("cutoff", "found"), [(None, 3), (5, 3), (3, 3), (2, 3), (1, 2), (0, 1)])
def test_a_distance_above_its_cutoff_is_the_cutoff_and_one(cutoff, found):
    assert distance("kitten", "sitting", cutoff) == found


FIT = {"strings": ["ab", "cd"], "k": 1, "bounds": np.full(2, np.inf), "kernel": "generic"}


@needs_native
@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"strings": ("ab", "cd")}, TypeError, "must be list"),
        ({"strings": ["ab", b"cd"]}, TypeError, "item 1 is not a string"),
        ({"strings": ["ab", None]}, TypeError, "item 1 is not a string"),
        ({"strings": ["ab"]}, ValueError, "a buffer of 1 items is needed; this one has 2"),
        ({"strings": []}, ValueError, "a buffer of 0 items is needed; this one has 2"),
        ({"k": 0}, ValueError, "k is 0, of 2 bounds above 0"),
        ({"k": -1}, ValueError, "k is -1, of 2 bounds above 0"),
        ({"k": 3}, ValueError, "k is 3, of 2 bounds above 0"),
        ({"k": 2**40}, OverflowError, "greater than maximum"),
        ({"bounds": np.zeros(2)}, ValueError, "k is 1, of 0 bounds above 0"),
        ({"bounds": np.full(3, np.inf)}, ValueError, "a buffer of 2 items is needed"),
        (
            {"bounds": np.full(2, np.inf, np.float32)},
            TypeError,
            "'d' is needed; this one is of 'f'",
        ),
        ({"bounds": np.full(2, 1)}, TypeError, "'d' is needed; this one is of 'l'"),
        ({"bounds": np.full(4, np.inf)[::2]}, ValueError, "not C-contiguous"),
        ({"bounds": [np.inf, np.inf]}, TypeError, "bytes-like object is required"),
        ({"bounds": np.full(2, np.inf).tobytes()}, BufferError, "not writable"),
        ({"kernel": "mmx"}, ValueError, "this processor has no kernel 'mmx'"),
    ],
)
def test_the_native_search_refuses_what_it_cannot_read(changes, error, text):
    with pytest.raises(error, match=text):
        _native.search(*{**FIT, **changes}.values())


@needs_native
@pytest.mark.parametrize(
    ("distances", "error", "text"),
    [
        (np.empty(3, np.int32), ValueError, "a buffer of 4 items is needed; this one has 3"),
        (np.empty((2, 2), np.int64), TypeError, "'i' is needed; this one is of 'l'"),
        (np.empty((2, 4), np.int32)[:, ::2], ValueError, "not C-contiguous"),
    ],
)
def test_the_native_matrix_refuses_what_it_cannot_write(distances, error, text):
    with pytest.raises(error, match=text):
        _native.matrix(["ab", "cd"], distances, "generic")


@needs_native
def test_speed_and_ceiling_are_numbers_of_cells_a_second():
    for kernel in KERNELS:
        assert _native.speed(["ab" * 5_000], kernel) > 1e8
        assert _native.ceiling(kernel) > 1e8
    with pytest.raises(ValueError, match="at least one string is needed"):
        _native.speed([], "generic")
    with pytest.raises(ValueError, match="no kernel 'mmx'"):
        _native.ceiling("mmx")
