"""How fast plain JSON Lines are read, against json + pandas, in megabytes a second on one core.

    python benchmarks/readers.py [--megabytes 200] [--characters 4000] [--tries 3]

Ours reads rows into items: prompts with their ids' material, completions with reasoning set apart,
parameters checked. The yardsticks make less of them: `json` only parses, and `pandas` groups the
texts by prompt, as a script of a user's would.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pandas

from wellworn.readers import read_completions

WORDS = ["so", "the", "sum", "of", "x", "and", "y", "is", "not", "even,", "but", "then", "z"]


def write(path: Path, megabytes: float, characters: int) -> int:
    """Write a log of such a size, with 16 samples a prompt; return the number of rows."""
    rng = random.Random(0)
    text = " ".join(rng.choices(WORDS, k=4 * characters))
    rows = size = 0
    with path.open("w", encoding="utf-8") as file:
        while size < megabytes * 1e6:
            start = rng.randrange(2 * characters)
            completion = text[start : start + characters]
            row = {"prompt": f"Problem {rows // 16}: {text[:200]}", "completion": completion}
            size += file.write(
                json.dumps({**row, "temperature": 0.7, "finish_reason": "stop"}) + "\n"
            )
            rows += 1
    return rows


def ours(path: Path) -> int:
    reading = read_completions([path])
    return sum(len(completions) for _, completions in reading)


def ids_too(path: Path) -> int:
    reading = read_completions([path])
    return len({prompt.id for prompt, _ in reading})


def with_json(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        return sum(1 for line in file if json.loads(line))


def with_pandas(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        frame = pandas.DataFrame([json.loads(line) for line in file])
    return int(frame.groupby("prompt")["completion"].apply(list).map(len).sum())


def seconds(read: Callable[[Path], int], path: Path, tries: int) -> float:
    """Return the shortest processor time of several tries."""
    found = []
    for _ in range(tries):
        start = time.process_time()
        read(path)
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--characters", type=int, default=4000)
    parser.add_argument("--tries", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        rows = write(path, options.megabytes, options.characters)
        size = path.stat().st_size / 1e6
        print(f"{rows:,} rows, {size:.0f} MB, {options.characters:,} characters a completion")
        for name, read in (
            ("ours", ours),
            ("ours, with prompt ids", ids_too),
            ("json", with_json),
            ("json + pandas", with_pandas),
        ):
            taken = seconds(read, path, options.tries)
            print(f"{name:24}{size / taken:8.0f} MB/s{1e6 * taken / rows:10.1f} µs a row")


if __name__ == "__main__":
    main()
