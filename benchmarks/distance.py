"""How fast is the distance kernel? Ratios against public libraries, in the same run.

    python benchmarks/distance.py [--quick] [--only min-knn|matrix|long|tokens|kernel|threads]

Every figure is the median over sets of (seconds of rapidfuzz.process.cdist / seconds), all on
one thread and in turn on the same set, in CPU time, so that a busy machine slows both. Texts
have about 3,500 characters, m = 32, k = 10, in four regimes:

    collapsed  variants of one text, 4 % of the words changed
    mixed      half of them so, half diverse
    diverse    words drawn at random from a vocabulary of prose
    prose      excerpts of the language reference that Python carries
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pydoc_data.topics import topics

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from wellworn.distance import distance_matrix, engine_name, min_knn_distance
from wellworn.distance.engines import _engine, _native
from wellworn.distance.nearest import nearest_bounds

M, K, LENGTH = 32, 10, 3_500
PROSE = " ".join(" ".join(topics.values()).split())
VOCABULARY = PROSE.split()[:20_000]

Job = Callable[[list], object]


def diverse(rng: random.Random, length: int) -> str:
    return " ".join(rng.choices(VOCABULARY, k=length // 5))[: rng.randint(length * 9 // 10, length)]


def variant(rng: random.Random, text: str) -> str:
    words = text.split(" ")
    for _ in range(len(words) // 25):
        words[rng.randrange(len(words))] = rng.choice(VOCABULARY)
    return " ".join(words)


def prose(rng: random.Random, length: int) -> str:
    start = rng.randrange(len(PROSE) - length)
    return PROSE[start : start + rng.randint(length * 9 // 10, length)]


def texts(regime: str, rng: random.Random, length: int = LENGTH, m: int = M) -> list[str]:
    base = diverse(rng, length)
    if regime == "prose":
        return [prose(rng, length) for _ in range(m)]
    share = {"collapsed": 1.0, "mixed": 0.5, "diverse": 0.0}[regime]
    near = round(share * m)
    return [variant(rng, base) if i < near else diverse(rng, length) for i in range(m)]


def tokens(rng: random.Random) -> list[list[int]]:
    """Return token ids, about 1,200 each, with the frequencies of words."""
    codes = {word: i for i, word in enumerate(dict.fromkeys(VOCABULARY))}
    return [[codes[w] for w in rng.choices(VOCABULARY, k=1_200)] for _ in range(M)]


def by_cdist(sequences: list) -> float:
    """Return the Min-kNN Distance by way of the full matrix."""
    lengths = np.array([len(s) for s in sequences])
    matrix = cdist(sequences, sequences, scorer=Levenshtein.distance, dtype=np.int32)
    shares = matrix / np.maximum.outer(lengths, lengths)
    np.fill_diagonal(shares, np.inf)
    return float(np.sort(shares.min(axis=1))[:K].mean())


def by_pairs(distance: Callable[[str, str], int]) -> Job:
    """Return how a library without a search computes all pairs."""
    return lambda s: [distance(s[i], s[j]) for i in range(len(s)) for j in range(i)]


def fallback(sequences: list) -> float:
    """Return the Min-kNN Distance by the engine without a compiler."""
    bounds = np.full(len(sequences), np.inf)
    _engine("rapidfuzz").search(sequences, K, bounds)
    return float(np.sort(bounds)[:K].mean())


def public() -> dict[str, Job]:
    """Return the public libraries that are installed."""
    found: dict[str, Job] = {}
    for module, call in (
        ("Levenshtein", lambda lib: lib.distance),
        ("edlib", lambda lib: lambda a, b: lib.align(a, b)["editDistance"]),
        ("stringzilla", _stringzilla),
    ):
        try:
            found[module] = by_pairs(call(import_module(module)))
        except ImportError:
            print(f"({module} is not installed)")
    return found


def _stringzilla(library: object) -> Callable[[str, str], int]:
    import stringzillas

    compute = stringzillas.LevenshteinDistancesUTF8()
    texts_of = library.Strs  # type: ignore[attr-defined]
    return lambda a, b: int(np.ravel(compute(texts_of([a]), texts_of([b])))[0])


def seconds(job: Job, data: list) -> float:
    start = time.thread_time()
    job(data)
    return time.thread_time() - start


def ratios(jobs: dict[str, Job], sets: list[list]) -> dict[str, float]:
    """Return the median of cdist's seconds over each job's, in turn on each set."""
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for data in sets:
        reference = seconds(by_cdist, data)
        for name, job in jobs.items():
            found[name].append(reference / seconds(job, data))
    return {name: statistics.median(values) for name, values in found.items()}


def line(what: str, figures: dict[str, float]) -> None:
    print(f"{what:<28}" + "".join(f"{name} x{ratio:<8.3g}" for name, ratio in figures.items()))


def bench_min_knn(count: int, rng: random.Random) -> None:
    libraries = public()
    for regime in ("collapsed", "mixed", "diverse", "prose"):
        sets = [texts(regime, rng) for _ in range(count)]
        for data in sets:
            assert abs(by_cdist(data) - min_knn_distance(data, K)) < 1e-12
        jobs = {"wellworn": lambda s: min_knn_distance(s, K), "fallback": fallback, **libraries}
        line(f"Min-kNN, {regime}", ratios(jobs, sets))


def bench_matrix(count: int, rng: random.Random) -> None:
    for regime in ("collapsed", "mixed", "diverse", "prose"):
        sets = [texts(regime, rng) for _ in range(count)]
        line(f"matrix, {regime}", ratios({"wellworn": distance_matrix}, sets))


def bench_long(count: int, rng: random.Random) -> None:
    sets = [texts("diverse", rng, 60_000, 8) for _ in range(max(1, count // 4))]
    jobs: dict[str, Job] = {"wellworn": lambda s: min_knn_distance(s, 3)}
    line("60,000 characters, m = 8", ratios(jobs, sets))


def bench_tokens(count: int, rng: random.Random) -> None:
    sets = [tokens(rng) for _ in range(count)]
    line("token ids, 1,200, diverse", ratios({"wellworn": lambda s: min_knn_distance(s, K)}, sets))


def bench_kernel(count: int, rng: random.Random) -> None:
    """Compare the unbanded kernel on diverse texts with what its arithmetic alone would reach."""
    if _native is None:
        print("(no native engine here)")
        return
    for kernel in _native.kernels():
        shares = []
        for _ in range(3 * count):
            data = [diverse(rng, LENGTH)[:3_100] for _ in range(8)]
            cells, spent = _raw(kernel, data)
            shares.append((cells / spent / 1e9, _native.ceiling(kernel, 4_000_000) / 1e9))
        speed, ceiling = max(s for s, _ in shares), max(c for _, c in shares)
        print(f"kernel {kernel:<21}{speed:.0f} G cells/s, {speed / ceiling:.0%} of {ceiling:.0f}")


def _raw(kernel: str, data: list[str]) -> tuple[int, float]:
    """Return the cells that a matrix took, and the seconds."""
    out = np.empty((len(data), len(data)), np.int32)
    begin = time.thread_time()
    cells = _native.matrix(data, out, kernel)
    return cells, time.thread_time() - begin


def bench_threads(count: int, rng: random.Random) -> None:
    """Compare two threads with one, in wall-clock time; needs two idle cores."""
    sets = [texts("diverse", rng) for _ in range(4 * count)]
    gains = []
    for _ in range(3):
        times = []
        for threads in (1, 2):
            start = time.perf_counter()
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda s: nearest_bounds(s, K), sets))
            times.append(time.perf_counter() - start)
        gains.append(times[0] / times[1])
    print(f"two threads against one     x{statistics.median(gains):.2f}")


BENCHES = {
    "min-knn": bench_min_knn,
    "matrix": bench_matrix,
    "long": bench_long,
    "tokens": bench_tokens,
    "kernel": bench_kernel,
    "threads": bench_threads,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=BENCHES)
    parser.add_argument("--quick", action="store_true", help="fewer sets")
    options = parser.parse_args()
    print(f"engine: {engine_name()}; m = {M}, k = {K}, {LENGTH:,} characters; x = against cdist")
    for name, bench in BENCHES.items():
        if options.only in (None, name):
            bench(3 if options.quick else 12, random.Random(name))


if __name__ == "__main__":
    main()
