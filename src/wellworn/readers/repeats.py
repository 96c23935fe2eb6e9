"""Completions that a file brings although the run holds them already.

A log is imported while it grows and again when it is finished; an export comes back into its
run. What is counted twice has distance 0, the mark of a collapsed model. But a collapsed
model repeats itself too, in files of one completion a prompt for example, and what repeats
within one file always counts. So a file is judged as a whole, by the prompts that it shares
with the run:

* For every one, the completions that are held and those of the file begin alike, until one
  of the two ends: the file is the same log. What follows in it is added, no more.
* Some prompt brings two long texts or more that are held, which are half of its long texts
  or more; or half of the prompts or more begin alike, or bring as many that are held: it
  cannot be told what the file is, and it is refused.
* Else the file is another sample, and counts. The report says how often a text recurs.

White space does not tell texts apart, and reasoning and answer are one text.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from wellworn.errors import BadInput
from wellworn.records import Completion, digest
from wellworn.tables.values import counted, without_surrogates

_LONG = 20
"""Texts of more characters hardly occur twice by chance."""


class Key(NamedTuple):
    """Tells texts apart without holding them."""

    mark: str
    long: bool


Keys = dict[str, list[Key]]
"""The completions of prompts by the prompts' ids."""


class Overlap(NamedTuple):
    """What a file brings that is held."""

    skip: dict[str, int]
    """By prompt: how many of its first completions in the file are not added."""
    note: str | None = None


def key_of(completion: Completion) -> Key:
    """Return the key of a completion's text."""
    text = " ".join(f"{completion.reasoning or ''} {completion.text}".split())
    return Key(digest(without_surrogates(text)), len(text) > _LONG)


def overlap(held: Keys, brought: Keys, place: str, shown: Mapping[str, str]) -> Overlap:
    """Return what of the completions that a file brings is held already.

    Args:
        held: What the run holds.
        brought: What the file holds.
        place: The file, for messages.
        shown: What a person recognises each prompt by.

    Raises:
        BadInput: It cannot be told whether they are the same.
    """
    shared = [prompt for prompt, keys in brought.items() if keys and held.get(prompt)]
    alike = {prompt for prompt in shared if _begin_alike(held[prompt], brought[prompt])}
    if len(alike) == len(shared):
        skip = {prompt: min(len(held[prompt]), len(brought[prompt])) for prompt in shared}
        return Overlap(skip, _left_out(skip.values(), place))
    recurring = {prompt: _recurring(held[prompt], brought[prompt]) for prompt in shared}
    doubtful = [prompt for prompt in shared if prompt in alike or recurring[prompt]]
    several = [prompt for prompt in doubtful if recurring[prompt] > 1]
    if several or 2 * len(doubtful) >= len(shared):
        prompt = (several or doubtful)[0]
        raise BadInput(_refusal(place, shown[prompt], held[prompt], brought[prompt]))
    return Overlap({}, _counted_again(recurring.values(), place))


def _begin_alike(held: Sequence[Key], brought: Sequence[Key]) -> bool:
    return all(a == b for a, b in zip(held, brought, strict=False))


def _recurring(held: Sequence[Key], brought: Sequence[Key]) -> int:
    """Return how many long texts are held, where they are half of all that are brought."""
    long = Counter(key for key in brought if key.long)
    count = (long & Counter(held)).total()
    return count if 2 * count >= long.total() else 0


def _left_out(counts: Iterable[int], place: str) -> str | None:
    counts = list(counts)
    if not counts:
        return None
    return (
        f"{place}: {counted(sum(counts), 'completion')} of {counted(len(counts), 'prompt')} "
        f"that the run held already; not added again."
    )


def _counted_again(counts: Iterable[int], place: str) -> str | None:
    total = sum(counts)
    if not total:
        return None
    return (
        f"{place}: {counted(total, 'completion')} with a text that the run held already from "
        f"elsewhere; counted, since the file is another sample on the whole."
    )


def _refusal(place: str, shown: str, held: Sequence[Key], brought: Sequence[Key]) -> str:
    both = (Counter(held) & Counter(brought)).total()
    return (
        f"{place}: of its {counted(len(brought), 'completion')} of the prompt {shown!r:.60}, "
        f"{both} are among the {len(held)} that the run holds of it. If these are the same, "
        f"they would count twice, and look like a collapsed model.\n"
        f"Import this file alone into a run of its own; or, if they are other completions that "
        f"happen to be equal, put both files together into one and import that."
    )
