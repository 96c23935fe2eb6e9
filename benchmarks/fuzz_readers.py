"""Damage logs of every format at random, and see that only clean errors come of it.

    python benchmarks/fuzz_readers.py [--inputs 100000] [--seed 0] [--readers verl,plain]

Input n is a function of seed and n alone: a fault is printed with the command that shows it again.
A clean error is a BadInput that names the file. The logs are those of the tests; those of Inspect
are made by Inspect, and are fewer, since reading one takes a hundred times as long.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))

from foreign_logs import LOGS, Log, reader_of, written
from wellworn.errors import BadInput
from wellworn.readers import Layout, read_completions

VALUES = [
    *(None, True, False, 0, -1, 1.5, 1e308, 2**63, 2**70, "", " ", "x", "[", "{}", "[]", "\ud800"),
    *("</think>", "<think>", [], [None], [[]], [{}], {}, {"a": 1}, {"content": []}, [1, "a"]),
    *({"role": "user", "content": None}, [{"role": "assistant", "content": "a"}], "attachment://1"),
]
INSPECT_SHARE = 0.002


def damaged_bytes(rng: random.Random, data: bytes) -> bytes:
    """Return data after a few bytes were changed, left out, doubled, or all cut off."""
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(data) + 1), rng.randint(0, 40)
        kind = rng.randrange(5)
        if kind == 0:
            data = data[:place]
        elif kind == 1:
            data = data[:place] + data[place + length :]
        elif kind == 2:
            data = data[:place] + data[place : place + length] * 2 + data[place + length :]
        elif kind == 3:
            data = data[:place] + rng.randbytes(rng.randint(1, 4)) + data[place + 1 :]
        else:
            data = data[:place] + rng.choice(b'{}[]",:\n\\').to_bytes(1, "big") + data[place:]
    return data


def damaged_value(rng: random.Random, value: object, depth: int = 0) -> object:
    """Return a JSON value in which something, somewhere inside, is another."""
    if rng.random() < 0.25 + 0.1 * depth:
        return rng.choice(VALUES)
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        if rng.random() < 0.2:
            return {name: held for name, held in value.items() if name != key}
        return {**value, key: damaged_value(rng, value[key], depth + 1)}
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        return [*value[:place], damaged_value(rng, value[place], depth + 1), *value[place + 1 :]]
    return rng.choice(VALUES)


def damaged(rng: random.Random, log: Log) -> Log:
    """Return a log with a damaged file, or with something in its rows changed."""
    names = [log.name, *log.beside]
    name = log.name if rng.random() < 0.8 else rng.choice(names)
    data = log.data if name == log.name else log.beside[name]
    structured = name.endswith((".jsonl", ".json"))
    if structured and rng.random() < 0.7:
        lines = data.splitlines()
        place = rng.randrange(len(lines))
        value = damaged_value(rng, json.loads(lines[place]))
        lines[place] = json.dumps(value).encode()
        data = b"\n".join(lines)
    else:
        data = damaged_bytes(rng, data)
    if name == log.name:
        return log._replace(data=data)
    return log._replace(beside={**log.beside, name: data})


def outcome(path: Path, rng: random.Random, reader: str) -> str:
    """Return what came of reading a log: read, or a clean error."""
    layout = Layout(skip_bad_rows=rng.random() < 0.3, chat=rng.random() < 0.2)
    named = reader if rng.random() < 0.5 else "auto"
    try:
        reading = read_completions([path], layout, reader=named)
        for prompt, _ in reading:
            prompt.id  # noqa: B018  # must be there
        reading.generation.id  # noqa: B018
        return "read" if not reading.notes else "read, with notes"
    except BadInput as error:
        folder = str(path.parents[0])
        return "clean error" if folder in str(error) else f"an error without its place: {error}"


def inspect_logs() -> dict[str, Log]:
    """Return logs of Inspect, made by it; none where it is not installed."""
    try:
        import inspect_ai  # noqa: F401

        import inspect_mock
    except ImportError:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        inspect_mock.run(folder, ["What is 2 + 2?", "Name a colour."])
        path = next(Path(folder).glob("*.eval"))
        return {"inspect": Log("log.eval", path.read_bytes())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--readers", default="")
    options = parser.parse_args()
    wanted = options.readers.split(",") if options.readers else []
    logs = {n: log for n, log in LOGS.items() if not wanted or reader_of(n) in wanted}
    slow = inspect_logs() if not wanted or "inspect" in wanted else {}
    found: Counter[str] = Counter()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.start, options.start + options.inputs):
            rng = random.Random(f"{options.seed} {number}")
            pool = slow if slow and (not logs or rng.random() < INSPECT_SHARE) else logs
            name = rng.choice(sorted(pool))
            path = written(folder, damaged(rng, pool[name]))
            try:
                said = outcome(path, rng, reader_of(name))
            except Exception:
                traceback.print_exc()
                said = "traceback"
            if said not in ("read", "read, with notes", "clean error"):
                print(f"--seed {options.seed} --start {number} --inputs 1  # {name}: {said}")
                said = "fault"
            found[said] += 1
            if number % 1_000 == 999:
                print(
                    f"{number + 1:,}: {dict(found)}, {time.monotonic() - begin:.0f} s", flush=True
                )
    print(dict(found))
    sys.exit(bool(found["fault"]))


if __name__ == "__main__":
    main()
