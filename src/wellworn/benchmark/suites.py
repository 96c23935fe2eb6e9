"""The suites of RL-MIA (arXiv 2510.09259), without what gives their labels away.

The published rows carry the label in plain sight, and again in their split, their index and,
for Knights and Knaves, in their order. Here a prompt holds what the model is asked and the
gold answer, no more; the prompts are sorted by id, and the labels are kept apart from them.
What the texts themselves give away cannot be taken out, so it is measured and said: all
members of the satisfiability suite have 13 clauses, all others 20.
"""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from wellworn.benchmark.fetching import fetch_file
from wellworn.errors import BadInput, unknown
from wellworn.prompts.chats import as_messages
from wellworn.records import Prompt
from wellworn.tables import read_rows
from wellworn.tables.formats import Row
from wellworn.tables.values import counted, value_at
from wellworn.verifiers.sat import problem_of, restored


class Source(NamedTuple):
    """Where a suite comes from, and how its answers are checked."""

    upstream: str
    """Path of its file in the public repository."""
    verifier: str
    gold: str = "reward_model.ground_truth"
    """Field that holds the gold answer, by its dotted name."""
    sizes: str = "characters"
    """What the blind look at the texts counts."""


SUITES: dict[str, Source] = {
    "kk": Source(
        "benchmarks/KK/RLMIA_kk.parquet",
        "knights",
        gold="reward_model.ground_truth.solution_text_format",
    ),
    "sat": Source("benchmarks/SAT/RLMIA_SAT.parquet", "sat", sizes="clauses"),
    "gsm8k": Source("benchmarks/GSM8k/gsm8k_mia.parquet", "number"),
    "aime24": Source("benchmarks/AIME24/RLMIA_aime24.parquet", "math"),
    "aime25": Source("benchmarks/AIME25/RLMIA_aime25.parquet", "math"),
}
"""Name: where the suite comes from. Its file in a folder is NAME.parquet."""

HELD_OUT = "sat_test", "RL_Contaminate/data/sat_mia/test.parquet"
"""Problems with 13 clauses that were not trained on: the name of their file, and its path."""

_SIZES: dict[str, Callable[[Prompt], int]] = {
    "characters": lambda prompt: len(prompt.shown),
    "clauses": lambda prompt: len(problem_of(prompt).clauses),
}


class Suite(NamedTuple):
    """Prompts, and apart from them which ones were trained on."""

    name: str
    prompts: tuple[Prompt, ...]
    """Sorted by id."""
    labels: dict[str, bool]
    """By the id of a prompt: whether it is a member of the training set."""
    verifier: str
    """Name of the verifier that checks its answers."""
    warnings: tuple[str, ...]
    """What tells members from others without a model."""


def load_suite(
    name: str, folder: str | Path, *, repaired: bool = False, fetch: bool = False
) -> Suite:
    """Return a suite of RL-MIA.

    Args:
        name: One of `SUITES`.
        folder: Holds NAME.parquet, or is a clone of the public repository.
        repaired: Compare the members of `sat` with the held-out problems of their size.
        fetch: Fetch a file that the folder lacks from the public repository.

    Raises:
        BadInput: There is no such suite, its file is missing or cannot be fetched, or holds
            something else.
    """
    if name not in SUITES:
        raise BadInput(unknown("suite", name, SUITES))
    source = SUITES[name]
    labelled = list(_read(_file(Path(folder), name, source.upstream, fetch), name))
    if repaired:
        if name != "sat":
            raise BadInput(f"only 'sat' has a repair; '{name}' is whole. Leave out --repaired.")
        held_out = _read(_file(Path(folder), *HELD_OUT, fetch), name)
        labelled = [item for item in labelled if item[1]] + list(held_out)
    labels = {prompt.id: member for prompt, member in labelled}
    if len(labels) < len(labelled):
        more = counted(len(labelled) - len(labels), "prompt")
        raise BadInput(f"{folder}: {more} of '{name}' stand there twice.\nGet the file anew.")
    return Suite(
        name,
        tuple(sorted((prompt for prompt, _ in labelled), key=lambda prompt: prompt.id)),
        dict(sorted(labels.items())),
        source.verifier,
        tuple(_shortcuts(name, labelled)),
    )


def _file(folder: Path, name: str, upstream: str, fetch: bool) -> Path:
    plain = folder / f"{name}.parquet"
    held = next((path for path in (plain, folder / upstream) if path.is_file()), None)
    if held is None and not fetch:
        raise BadInput(
            f"{folder}: there is neither {plain.name} nor {upstream}.\n"
            f"Give the folder that holds it, or fetch it with --fetch."
        )
    return held or fetch_file(upstream, plain)


def _read(path: Path, name: str) -> Iterator[tuple[Prompt, bool]]:
    for row in read_rows(path):
        chat, member = row.fields.get("prompt"), row.fields.get("member")
        if not isinstance(chat, list) or not chat or member not in (False, True):
            raise BadInput(
                f"{row.place}: a row of RL-MIA has a chat in 'prompt' and 0 or 1 in 'member'; "
                f"this one has {chat!r:.40} and {member!r:.40}.\nGet the file anew."
            )
        messages = as_messages(chat, row.place)
        answer = _answer(row, SUITES[name].gold)
        yield Prompt(messages=messages, source=f"RL-MIA {name}", answer=answer), bool(member)


def _answer(row: Row, field: str) -> str:
    """Return the gold answer; where it is bits stored as an integer, with the zeros it lost."""
    gold: Any = value_at(row.fields, field)
    if gold is None:
        raise BadInput(f"{row.place}: there is no gold answer in '{field}'.\nGet the file anew.")
    return restored(gold, value_at(row.fields, "extra_info.k_vars") or 0)


def _shortcuts(name: str, labelled: Sequence[tuple[Prompt, bool]]) -> Iterator[str]:
    """Yield a warning if the size of the texts alone tells members from others.

    It does where its AUC lies outside the 95 % band of chance.
    """
    counts = SUITES[name].sizes
    sizes: dict[bool, list[int]] = {True: [], False: []}
    for prompt, member in labelled:
        sizes[member].append(_SIZES[counts](prompt))
    pairs = len(sizes[True]) * len(sizes[False])
    if not pairs:
        return
    wins = sum((a > b) + (a == b) / 2 for a in sizes[True] for b in sizes[False])
    if abs(wins / pairs - 0.5) > 1.96 * sqrt((len(labelled) + 1) / (12 * pairs)):
        members, others = (_spread(sizes[member]) for member in (True, False))
        yield (
            f"{name}: the number of {counts} alone tells members ({members}) from others "
            f"({others}), at AUC {max(wins, pairs - wins) / pairs:.2f} without any model. "
            f"A detector that feels difficulty gains from it."
            + (" --repaired compares problems of one size." if name == "sat" else "")
        )


def _spread(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low}" if low == high else f"{low} to {high}"
