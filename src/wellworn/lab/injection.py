"""Injection: which prompts a model is trained on, and which it is not.

A pool of fresh problems is shuffled and cut into two halves, A and B: one is trained on, the
other is held out, and nothing else tells them apart. The reversed model swaps them, so that
whatever a half has by chance cancels out. Easier problems that nobody is trained on stand
beside: a detector that calls them seen mistakes ease for exposure.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec

from wellworn.lab.ranges import Count
from wellworn.lab.tasks import Item, Level, Task, pools
from wellworn.lab.tasks.draws import shuffled
from wellworn.lab.verifiers import gold
from wellworn.records import chat

Half = Literal["A", "B"]

REWORDINGS = 8
"""Paraphrases tried until one has other words than the item: four fives have none."""


class Pools(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many prompts there are of each kind."""

    half: Count = 64
    """In each half."""
    easy: Count = 64
    """Easier ones, which nobody is trained on."""
    seed: int = 0
    """Another one draws other problems, and so asks for another base model."""


class Injection(NamedTuple):
    """The prompts of an experiment."""

    members: list[Item]
    held_out: list[Item]
    """The other half."""
    easy: list[Item]
    """Easier ones, which the model is not trained on either."""
    member_twins: list[Item]
    """The members in other words, where there are any."""
    held_out_twins: list[Item]


def pool_of(task: Task[Any], level: Level, sizes: Pools) -> tuple[list[Item], list[Item]]:
    """Return both halves together, not yet cut, and the easier problems."""
    levels: dict[str, Level] = {"pool": level, "easy": "easy"}
    drawn = pools(task, sizes.seed, {"pool": 2 * sizes.half, "easy": sizes.easy}, levels)
    return drawn["pool"], drawn["easy"]


def inject(
    task: Task[Any],
    level: Level,
    sizes: Pools,
    split: int,
    half: Half = "A",
    members: int | None = None,
) -> Injection:
    """Return the prompts of an experiment.

    Args:
        task: What to draw problems of.
        level: How hard they are.
        sizes: How many there are.
        split: Another one cuts the pool into other halves.
        half: The one that is trained on.
        members: So many prompts of each half, and so many easier ones; all, if not given.
    """
    pool, easy = pool_of(task, level, sizes)
    twins = _twins(task, pool, Random(f"twins {sizes.seed}"))
    order = shuffled(Random(f"split {split}"), range(len(pool)))
    halves = order[: sizes.half][:members], order[sizes.half :][:members]
    trained, held_out = halves if half == "A" else halves[::-1]
    return Injection(
        [pool[place] for place in trained],
        [pool[place] for place in held_out],
        easy[:members],
        [twins[place] for place in trained if place in twins],
        [twins[place] for place in held_out if place in twins],
    )


def _twins(task: Task[Any], items: Sequence[Item], rng: Random) -> dict[int, Item]:
    """Return each item in other words, by its place, where there are other words."""
    known = {item.prompt for item in items}
    found: dict[int, Item] = {}
    for place, item in enumerate(items):
        tries = [task.paraphrase(item, rng) for _ in range(REWORDINGS)]
        if new := [twin for twin in tries if twin.prompt not in known]:
            found[place] = new[0]
    return found


def write(folder: Path, injection: Injection) -> None:
    """Write each set as a prompt file, and who is a member as labels.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, items in injection._asdict().items():
        write_prompts(folder / f"{name}.jsonl", items)
    with (folder / "labels.csv").open("w", newline="") as file:
        labels = csv.writer(file)
        labels.writerow(["prompt_id", "member"])
        labels.writerows(labels_of(injection).items())


def write_prompts(path: Path, items: Sequence[Item]) -> None:
    """Write items as a prompt file; each prompt once."""
    rows = {item.prompt: json.dumps(row(item)) + "\n" for item in items}
    path.write_text("".join(rows.values()), encoding="utf-8")


def labels_of(injection: Injection) -> dict[str, int]:
    """Return 1 for members and 0 for the other half, by prompt id."""
    halves = {1: injection.members, 0: injection.held_out}
    return {prompt_id(item): label for label, items in halves.items() for item in items}


def prompt_id(item: Item) -> str:
    """Return the id by which audits know the prompt of an item."""
    return chat(item.prompt).id


def row(item: Item) -> dict[str, Any]:
    """Return an item as a row of a prompt file, with the answer that the verifiers read."""
    return {"prompt": [{"role": "user", "content": item.prompt}], "answer": gold(item)}
