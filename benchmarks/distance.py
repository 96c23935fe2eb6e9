"""How fast is the distance kernel? Ratios against public libraries, in the same run.

    python benchmarks/distance.py [--quick] [--only min-knn|matrix|long|tokens|kernel|threads]
    WELLWORN_ENGINE=avx2 python benchmarks/distance.py     # or another engine

Every figure is the median over sets of (seconds of rapidfuzz.process.cdist / seconds), all on
one thread and in turn on the same set, in CPU time, so that a busy machine slows both. Texts
have about 3,500 characters, m = 32, k = 10, in four regimes:

    collapsed  variants of one text, 4 % of the words changed
    mixed      half of them so, half diverse
    diverse    words drawn at random from a vocabulary of prose
    prose      excerpts of the language reference that Python carries

The public libraries that are compared where they are installed: Levenshtein, edlib, and
stringzillas-cpus (whose name within Python is stringzillas).
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pydoc_data.topics import topics
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from wellworn.distance import distance_matrix, engine_name, min_knn_distance
from wellworn.distance.engines import _engine, _native
from wellworn.distance.nearest import nearest_bounds

M, K, LENGTH = 32, 10, 3_500
PROSE = " ".join(" ".join(topics.values()).split())
VOCABULARY = PROSE.split()[:20_000]
REGIMES = {"collapsed": 1.0, "mixed": 0.5, "diverse": 0.0, "prose": 0.0}
"""Which share of a set are variants of one text."""
TARGETS = {"collapsed": 50, "mixed": 40, "diverse": 9, "prose": 9}

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
    base, near = diverse(rng, length), round(REGIMES[regime] * m)
    other = prose if regime == "prose" else diverse
    return [variant(rng, base) if i < near else other(rng, length) for i in range(m)]


def tokens(rng: random.Random) -> list[list[int]]:
    """Return token ids, 1,200 each, with the frequencies of words."""
    codes = {word: i for i, word in enumerate(dict.fromkeys(VOCABULARY))}
    return [[codes[w] for w in rng.choices(VOCABULARY, k=1_200)] for _ in range(M)]


def by_cdist(sequences: list, k: int = K) -> float:
    """Return the Min-kNN Distance by way of the full matrix."""
    lengths = np.array([len(s) for s in sequences])
    matrix = cdist(sequences, sequences, scorer=Levenshtein.distance, dtype=np.int32)
    shares = matrix / np.maximum.outer(lengths, lengths)
    np.fill_diagonal(shares, np.inf)
    return float(np.sort(shares.min(axis=1))[:k].mean())


def by_pairs(distance: Callable[[str, str], int]) -> Job:
    """Return how a library that compares two strings computes all pairs."""
    return lambda s: [distance(s[i], s[j]) for i in range(len(s)) for j in range(i)]


def by_stringzillas(library: Any) -> Job:
    """Return how stringzillas computes all pairs: at once, in its symmetric form."""
    strings, core = import_module("stringzilla").Strs, library.DeviceScope(cpu_cores=1)
    compute = library.LevenshteinDistancesUTF8(capabilities=core)
    return lambda s: compute(strings(s), device=core)


def fallback(sequences: list) -> float:
    """Return the Min-kNN Distance by the engine without a compiler."""
    bounds = np.full(len(sequences), np.inf)
    _engine("rapidfuzz").search(sequences, K, bounds)
    return float(np.sort(bounds)[:K].mean())


def public() -> dict[str, Job]:
    """Return the public libraries that are installed."""
    found: dict[str, Job] = {}
    for module, job in (
        ("Levenshtein", lambda lib: by_pairs(lib.distance)),
        ("edlib", lambda lib: by_pairs(lambda a, b: lib.align(a, b)["editDistance"])),
        ("stringzillas", by_stringzillas),
    ):
        try:
            found[module] = job(import_module(module))
        except ImportError:
            print(f"({module} is not installed)")
    return found


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


def line(what: str, target: float, figures: dict[str, float]) -> None:
    """Print figures, of which the first is ours and has a target."""
    ours, *others = figures.items()
    met = "met" if ours[1] >= target else "NOT MET"
    print(f"{what:<26} x{ours[1]:<6.3g} {f'(target x{target:g}: {met})':<24}", end="")
    print("  ".join(f"{name} x{ratio:.3g}" for name, ratio in others), flush=True)


def bench_min_knn(count: int, rng: random.Random) -> None:
    libraries = public()
    for regime, target in TARGETS.items():
        sets = [texts(regime, rng) for _ in range(count)]
        assert all(abs(by_cdist(data) - min_knn_distance(data, K)) < 1e-12 for data in sets[:2])
        jobs = {"wellworn": lambda s: min_knn_distance(s, K), "fallback": fallback, **libraries}
        line(f"Min-kNN, {regime}", target, ratios(jobs, sets))


def bench_matrix(count: int, rng: random.Random) -> None:
    for regime in REGIMES:
        sets = [texts(regime, rng) for _ in range(count)]
        line(f"matrix, {regime}", 5, ratios({"wellworn": distance_matrix}, sets))


def bench_long(count: int, rng: random.Random) -> None:
    sets = [texts("diverse", rng, 60_000, 8) for _ in range(max(1, count // 3))]
    line(
        "60,000 characters, m = 8", 10, ratios({"wellworn": lambda s: min_knn_distance(s, 3)}, sets)
    )


def bench_tokens(count: int, rng: random.Random) -> None:
    sets = [tokens(rng) for _ in range(2 * count)]
    jobs = {"wellworn": lambda s: min_knn_distance(s, K)}
    line("1,200 token ids, diverse", 10, ratios(jobs, sets))


def bench_kernel(count: int, rng: random.Random) -> None:
    """Compare the kernels without a band with what their arithmetic alone reaches."""
    data = [diverse(rng, 20_000) for _ in range(9)]
    kernels = _native.kernels() if _native else []
    for kernel in kernels:
        pairs = [(_native.speed(data, kernel), _native.ceiling(kernel)) for _ in range(3 * count)]
        speed, ceiling = map(max, zip(*pairs, strict=True))
        share = f"{speed / ceiling:.0%} of its ceiling of {ceiling / 1e9:.0f}"
        note = "(target 90 %)" if kernel == kernels[0] else ""
        print(f"kernel {kernel:<19} {speed / 1e9:.0f} G cells a second, {share} {note}", flush=True)


def bench_threads(count: int, rng: random.Random) -> None:
    """Compare two threads with one, in wall-clock time; needs two idle cores."""
    sets = [texts("diverse", rng) for _ in range(8 * count)]
    best = (0.0, 0.0)
    for _ in range(4):
        (one, _), (two, processors) = _in_threads(1, sets), _in_threads(2, sets)
        best = max(best, (one / two, processors))
    print(
        f"two threads against one    x{best[0]:.2f}   (target x1.8; they got {best[1]:.2f} cores)"
    )


def _in_threads(threads: int, sets: list[list[str]]) -> tuple[float, float]:
    """Return wall-clock seconds, and how many processors were at work."""
    start, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda s: nearest_bounds(s, K), sets))
    spent = time.perf_counter() - start
    return spent, (time.process_time() - cpu) / spent


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
    print(
        f"{engine_name()}; m = {M}, k = {K}, {LENGTH:,} characters; x = against cdist; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    for name, bench in BENCHES.items():
        if options.only in (None, name):
            bench(2 if options.quick else 8, random.Random(name))


if __name__ == "__main__":
    main()
