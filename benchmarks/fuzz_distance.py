"""Compare every engine with the textbook or with rapidfuzz on random sets.

    python benchmarks/fuzz_distance.py [--sets 100000] [--seed 0] [--engines avx2,rapidfuzz]

Set n is a function of seed and n alone: a difference is printed with the command that shows
it again. Small sets are compared with the textbook, others with rapidfuzz pair by pair.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from wellworn.distance import distance_matrix, min_knn_distance, nearest_distances, oracle
from wellworn.distance.engines import _native
from wellworn.distance.symbols import as_strings

ENGINES = [*(_native.kernels() if _native else []), "rapidfuzz"]
SMALL = 20_000  # cells of all pairs, up to which the textbook is quick enough

UNICODE = "".join(map(chr, [0, 65, 0xE9, 0x301, 0x4E00, 0xD800, 0xDFFF, 0xFFFF, 0x1F642, 0x10FFFF]))
ALPHABETS: list[Sequence[Hashable]] = [
    "x",
    "ab",
    "abcdefghijklmnopqrstuvwxyz ",
    UNICODE,
    "".join(map(chr, range(0x3400, 0xA000))),
    ["the", "of", "o", "f", "", "thef"],
    [0, 1, -1, -2, 2**61 - 1, -(2**61) + 1, 2**63 - 1, -(2**63)],
    [0, 1, 2**63, -(2**64), 2**100],
    range(5_000),
    range(-40, 200_000),
]
LENGTHS = [0, 1, 47, 48, 49, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 383, 384]


def length(rng: random.Random, most: int) -> int:
    near = [n for n in LENGTHS if n <= most]
    return rng.choice(near) if rng.random() < 0.3 else rng.randint(0, most)


def variant(rng: random.Random, sequence: list, alphabet: Sequence[Hashable]) -> list:
    """Return a sequence after some random edits: few, or many."""
    found = list(sequence)
    for _ in range(int(len(found) * rng.random() ** 4) + rng.randint(0, 2)):
        place = rng.randint(0, len(found))
        found[place : place + rng.randint(0, 1)] = [rng.choice(alphabet)] * rng.randint(0, 1)
    return found


def some_set(rng: random.Random) -> list:
    """Return a set of sequences: some variants of one, some on their own, some twice."""
    m, most = rng.choice([(4, 12), (8, 30), (20, 8), (6, 130), (12, 200), (5, 400), (36, 60)])
    if rng.random() < 0.01:
        m, most = 9, 3_000
    alphabet, near = rng.choice(ALPHABETS), rng.random()
    base = rng.choices(alphabet, k=length(rng, most))
    found: list = []
    for _ in range(rng.randint(2, m)):
        if found and rng.random() < 0.05:
            found.append(list(rng.choice(found)))
        elif rng.random() < near:
            found.append(variant(rng, base, alphabet))
        else:
            found.append(rng.choices(alphabet, k=length(rng, most)))
    return ["".join(s) for s in found] if isinstance(alphabet, str) else found


def is_small(sequences: list) -> bool:
    return sum(map(len, sequences)) ** 2 // 2 <= SMALL


def expected_matrix(sequences: list) -> np.ndarray:
    if is_small(sequences):
        distance, compared = oracle.distance, sequences
    else:
        distance, compared = Levenshtein.distance, as_strings(sequences)
    matrix = np.zeros((len(sequences), len(sequences)), np.int32)
    for i, a in enumerate(compared):
        for j, b in enumerate(compared[:i]):
            matrix[i, j] = matrix[j, i] = distance(a, b)
    return matrix


def differences(sequences: list, k: int, engines: list[str]) -> list[str]:
    """Return which results of which engines differ from what is expected, to the last bit."""
    matrix = expected_matrix(sequences)
    lengths = np.array([len(s) for s in sequences])
    shares = matrix / np.maximum(np.maximum.outer(lengths, lengths), 1)
    np.fill_diagonal(shares, np.inf)
    nearest = shares.min(axis=1)
    smallest = np.sort(nearest)[:k]
    kept = np.where(nearest <= smallest[-1], nearest, np.nan)
    found = []
    for engine in engines:
        os.environ["WELLWORN_ENGINE"] = engine
        same = {
            "matrix": np.array_equal(distance_matrix(sequences), matrix),
            "nearest": np.array_equal(nearest_distances(sequences), nearest),
            "k smallest": np.array_equal(nearest_distances(sequences, k), kept, equal_nan=True),
            "mean": min_knn_distance(sequences, k) == float(smallest.mean()),
        }
        found += [f"{engine}: {what}" for what, is_same in same.items() if not is_same]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engines", default=",".join(ENGINES))
    options = parser.parse_args()
    engines, start, bad = options.engines.split(","), time.monotonic(), 0
    seen: Counter[str] = Counter()
    for n in range(options.first, options.first + options.sets):
        rng = random.Random(f"{options.seed}/{n}")
        sequences = some_set(rng)
        k = rng.randint(1, len(sequences) + 1)
        seen["textbook" if is_small(sequences) else "rapidfuzz"] += 1
        for difference in differences(sequences, k, engines):
            bad += 1
            print(f"{difference} differs: --seed {options.seed} --first {n} --sets 1", flush=True)
        if (n + 1) % 10_000 == 0:
            print(
                f"{n + 1:,} sets, {bad} differences, {time.monotonic() - start:.0f} s", flush=True
            )
    print(
        f"{options.sets:,} sets ({', '.join(f'{c:,} against {w}' for w, c in seen.items())}) on "
        f"{', '.join(engines)}: {bad} differences in {time.monotonic() - start:.0f} s"
    )
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
