"""Do all engines give the same distances? Random sets, until one differs or all agree.

    python benchmarks/fuzz_distance.py [--sets 100000] [--seed 0]

Small sets are compared with the textbook programme too, all others among the engines.
"""

import argparse
import random
import sys
import time

import numpy as np

from wellworn.distance import oracle
from wellworn.distance.engines import _engine, _native
from wellworn.distance.symbols import as_strings

ENGINES = ["rapidfuzz", *(_native.kernels() if _native else [])]
ALPHABETS = ["a", "ab", "abcd", "".join(map(chr, range(97, 123))), "aé\ud800🙂\x00z"]


def sequence(rng: random.Random, base: list, letters: str, length: int) -> list:
    if base and rng.random() < 0.5:
        changed = list(base)
        for _ in range(rng.randint(0, 1 + len(base) // 8)):
            at = rng.randrange(len(changed) + 1)
            changed[at : at + rng.randint(0, 2)] = rng.choices(letters, k=rng.randint(0, 2))
        return changed
    return rng.choices(letters, k=rng.choice([0, 1, length // 7, length, length]))


def random_set(rng: random.Random) -> list[str]:
    letters = rng.choice(ALPHABETS)
    length = rng.choice([0, 3, 10, 63, 64, 65, 130, 400])
    m = rng.choice([2, 3, 5, 9, 17] if length < 400 else [2, 3, 9])
    base = rng.choices(letters, k=length)
    found = [sequence(rng, base, letters, length) for _ in range(m)]
    if rng.random() < 0.2:
        found = [[ord(symbol) * 2**40 for symbol in one] for one in found]
    return as_strings(found)


def disagreement(strings: list[str], k: int) -> str | None:
    """Return which engine differs from the first, or from the textbook."""
    unique = list(dict.fromkeys(strings))
    if len(unique) < 2:
        return None
    k = min(k, len(unique))
    expected = None
    if sum(map(len, unique)) < 200:
        expected = sorted(oracle.nearest_distances(unique))[:k]
    for name in ENGINES:
        bounds = np.full(len(unique), np.inf)
        _engine(name).search(unique, k, bounds)
        found = np.sort(bounds)[:k].tolist()
        expected = expected or found
        if found != expected:
            return f"{name}: {found} is not {expected}"
        if (_engine(name).matrix(unique) != _engine(ENGINES[0]).matrix(unique)).any():
            return f"{name}: another matrix"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    for number in range(options.sets):
        rng = random.Random(f"{options.seed} {number}")
        strings = random_set(rng)
        fault = disagreement(strings, rng.randint(1, 20))
        if fault:
            sys.exit(f"set {number} of seed {options.seed}: {fault}")
    seconds = time.monotonic() - start
    print(f"{options.sets:,} sets, {', '.join(ENGINES)}: all agree ({seconds:.0f} s)")


if __name__ == "__main__":
    main()
