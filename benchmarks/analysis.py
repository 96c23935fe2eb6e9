"""How long does `wellworn analyze` take, without the models that read? Where does it go?

    python benchmarks/analysis.py [--prompts 300] [--completions 32] [--tokens 1000] [--jobs 2]

A run is made of chains of thought that share phrases, as sampled ones do, and analysed whole:
diversity at every size within and across prompts, n-grams, the choice of the cut, modes, skeletons.
Wall-clock time depends on what else the machine does; processor time does not. The target is two
minutes on two cores.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from wellworn.analysing import analyse
from wellworn.analysis.design import Design
from wellworn.records import Completion, Generation, chat
from wellworn.store import Store

TARGET = 120
GENERATION = Generation(model="made up", temperature=0.7, top_p=0.95, max_tokens=1024)
PHRASES = (
    "we have that {a} + {b} = {c} .",
    "so the sum of {a} and {b} is {c} ,",
    "let x = {a} and note that x ^ 2 = {c} .",
    r"therefore \frac {{ {a} }} {{ {b} }} is at most {c} ,",
    "which means that the number of ways is {a} * {b} .",
    "we check the case n = {a} again :",
    "it follows from this that {w} {v} {w} must hold ,",
    "this contradicts the assumption that {w} has {a} {v} .",
)
WORDS = [first + second for first in "bcdfghklmnprst" for second in ("ane", "ole", "ite", "ure")]


def chain(random: Random, tokens: int) -> list[str]:
    """Return the phrases of a chain of about so many tokens."""
    phrases: list[str] = []
    count = 0
    while count < tokens:
        a, b = random.randrange(100), random.randrange(1, 100)
        names = {"a": a, "b": b, "c": a + b}
        words = {"w": random.choice(WORDS), "v": random.choice(WORDS)}
        phrases.append(random.choice(PHRASES).format(**names, **words))
        count += len(phrases[-1].split())
    return phrases


def completions(random: Random, number: int, tokens: int) -> Iterator[str]:
    """Yield chains that go one of four ways, each with a third of its phrases its own."""
    ways = [chain(random, tokens) for _ in range(4)]
    for _ in range(number):
        own = iter(chain(random, tokens))
        way = random.choice(ways)
        yield "\n".join(next(own, p) if random.random() < 1 / 3 else p for p in way)


def make(folder: Path, prompts: int, number: int, tokens: int) -> None:
    random = Random(0)
    with Store(folder, create=True) as store:
        store.use(GENERATION)
        asked = [chat(f"Problem {place}: {chain(random, 30)}") for place in range(prompts)]
        store.put_set("suspects", asked[::2])
        store.put_set("references", asked[1::2])
        for prompt in asked:
            store.add(
                (prompt.id, "sample", Completion(text=text, index=i, generation=GENERATION))
                for i, text in enumerate(completions(random, number, tokens))
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prompts", type=int, default=300)
    parser.add_argument("--completions", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "run"
        make(folder, options.prompts, options.completions, options.tokens)
        start, used = time.perf_counter(), time.process_time()
        with Store(folder) as store:
            found = analyse([store], design=Design(jobs=options.jobs))
        wall, processor = time.perf_counter() - start, time.process_time() - used
    length = found.checkpoints[0].means["length"]["suspects"].value
    print(f"{options.prompts} prompts x {options.completions} completions x {length:.0f} tokens")
    print(f"{wall:.0f} s by the clock, {processor:.0f} s of processors, {options.jobs} threads")
    print(f"target {TARGET} s by the clock, on two cores that do nothing else")


if __name__ == "__main__":
    main()
