"""Completions that a file brings although they are held already, or twice in itself.

A log is imported while it grows and again when it is finished; shards overlap; an export comes
back into its run; a log is joined with itself. What is counted twice has distance 0, the mark of
a collapsed model. But a collapsed model repeats itself too. So a file is judged as a whole, by the
prompts that it shares with the run, and by how often it repeats itself:

* For every prompt, the completions that are held and those of the file begin alike, until one of
  the two ends: the file is the same log. What follows in it is added, no more. One completion a
  prompt says too little for that, unless the file brings further prompts.
* Long texts recur that the file, and the run, hardly ever have twice: samples of one model would
  repeat within a file as often as across two. The files overlap, and what recurs is left out.
* Many recur, and repeat within the file too: it cannot be told what the file is, and it is
  refused, until the user says whether repeats count (`--repeats`).
* Else the file is another sample, and counts. The report says how often a text recurs.

A file whose every prompt has the same completions again, in the same order, though they differ
among themselves, was joined with itself: one copy counts.

White space does not tell texts apart, reasoning and answer are one text, and texts of different
seeds are different completions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from wellworn.errors import BadInput
from wellworn.records import Completion, digest
from wellworn.tables.values import counted, without_surrogates

_LONG = 20
"""Texts of more characters hardly occur twice by chance."""
_MANY = 5
"""So many recur by chance only where some repeat within a file too."""
_RARE = 10
"""Repeats within a file are rare if those across files are so many times as many."""

Repeats = Literal["auto", "count", "drop"]
"""What becomes of texts that are held already: judged, counted, or left out."""


class Key(NamedTuple):
    """Tells texts apart without holding them."""

    mark: str
    long: bool


Keys = dict[str, list[Key]]
"""The completions of prompts by the prompts' ids."""


class Overlap(NamedTuple):
    """What a file brings that is held."""

    skip: dict[str, frozenset[int]]
    """By prompt: which of its completions in the file, from 0, are not added."""
    note: str | None = None


def key_of(completion: Completion) -> Key:
    """Return the key of a completion's text."""
    text = " ".join(f"{completion.reasoning or ''} {completion.text}".split())
    seed = "" if completion.seed is None else f"{completion.seed} "
    return Key(digest(seed + without_surrogates(text)), len(text) > _LONG)


def own_copies(brought: Keys, place: str) -> Overlap:
    """Return what a file holds again because it was joined with itself."""
    keys = [held for held in brought.values() if held]
    times = _common_times(keys)
    apart = sum(len(set(held[: len(held) // times])) > 1 for held in keys)
    if times < 2 or 2 * apart < len(keys):
        return Overlap({})
    skip = {
        prompt: frozenset(range(len(held) // times, len(held)))
        for prompt, held in brought.items()
        if held
    }
    return Overlap(
        skip,
        f"{place}: every prompt has the same completions {times} times in the same order, as in a "
        f"log that was joined with itself; one copy counts.",
    )


def _common_times(keys: Sequence[Sequence[Key]]) -> int:
    """Return how often each of the lists is its own beginning, at most."""
    most = min(map(len, keys), default=1)
    fits = (
        times
        for times in range(most, 1, -1)
        if all(
            len(held) % times == 0 and list(held) == list(held[: len(held) // times]) * times
            for held in keys
        )
    )
    return next(fits, 1)


def judged(
    held: Keys, brought: Keys, place: str, shown: Mapping[str, str], repeats: Repeats
) -> Overlap:
    """Return what of a file is not added: its own copies, and what the run holds already.

    Raises:
        BadInput: As `overlap`.
    """
    own = Overlap({}) if repeats == "count" else own_copies(brought, place)
    once = {
        prompt: [n for n in range(len(keys)) if n not in own.skip.get(prompt, ())]
        for prompt, keys in brought.items()
    }
    rest = {prompt: [brought[prompt][n] for n in places] for prompt, places in once.items()}
    found = overlap(held, rest, place, shown, repeats)
    skip = {
        prompt: own.skip.get(prompt, frozenset()) | {places[n] for n in found.skip.get(prompt, ())}
        for prompt, places in once.items()
    }
    return Overlap(skip, "\n".join(filter(None, [own.note, found.note])) or None)


def overlap(
    held: Keys,
    brought: Keys,
    place: str,
    shown: Mapping[str, str],
    repeats: Repeats = "auto",
) -> Overlap:
    """Return what of the completions that a file brings is held already.

    Args:
        held: What the run holds.
        brought: What the file holds.
        place: The file, for messages.
        shown: What a person recognises each prompt by.
        repeats: What the user says of them.

    Raises:
        BadInput: It cannot be told whether they are the same.
    """
    shared = [prompt for prompt, keys in brought.items() if keys and held.get(prompt)]
    again = {prompt: _again(held[prompt], brought[prompt]) for prompt in shared}
    if repeats == "drop":
        return Overlap(again, _left_out(again, place))
    recurring = {prompt: _long(again[prompt], brought[prompt]) for prompt in shared}
    if repeats == "auto":
        alike = {prompt for prompt in shared if _begin_alike(held[prompt], brought[prompt])}
        if len(alike) == len(shared) and not _says_too_little(held, brought, shared):
            return Overlap(again, _left_out(again, place))
        if _overlaps(held, brought, recurring):
            return Overlap(again, _left_out(again, place))
        _check(held, brought, alike, recurring, place, shown)
    return Overlap({}, _counted_again(recurring.values(), place))


def _again(held: Sequence[Key], brought: Sequence[Key]) -> frozenset[int]:
    """Return which of those that are brought are held, each of those counting once."""
    left = Counter(held)
    found = set()
    for place, key in enumerate(brought):
        if left[key] > 0:
            left[key] -= 1
            found.add(place)
    return frozenset(found)


def _long(places: Iterable[int], brought: Sequence[Key]) -> int:
    return sum(brought[place].long for place in places)


def _begin_alike(held: Sequence[Key], brought: Sequence[Key]) -> bool:
    return all(a == b for a, b in zip(held, brought, strict=False))


def _says_too_little(held: Keys, brought: Keys, shared: Sequence[str]) -> bool:
    """Tell whether a collapsed model, sampled anew, would begin alike as well."""
    single = all(len(brought[prompt]) == 1 for prompt in shared)
    return bool(shared) and single and not brought.keys() - held.keys()


def _overlaps(held: Keys, brought: Keys, recurring: Mapping[str, int]) -> bool:
    across = sum(recurring.values())
    long = sum(_long(range(len(brought[prompt])), brought[prompt]) for prompt in recurring)
    pairs = any(min(len(held[prompt]), len(brought[prompt])) > 1 for prompt in recurring)
    within = sum(_within(held[prompt]) + _within(brought[prompt]) for prompt in recurring)
    enough = across >= _MANY or (across > 1 and 2 * across >= long)
    return pairs and enough and _RARE * within <= across


def _within(keys: Sequence[Key]) -> int:
    """Return how many long texts are there again."""
    long = Counter(key for key in keys if key.long)
    return long.total() - len(long)


def _check(
    held: Keys,
    brought: Keys,
    alike: Iterable[str],
    recurring: Mapping[str, int],
    place: str,
    shown: Mapping[str, str],
) -> None:
    """Refuse a file of which many completions are held, and nothing tells why."""
    much = {
        prompt: count
        for prompt, count in recurring.items()
        if count and 2 * count >= _long(range(len(brought[prompt])), brought[prompt])
    }
    doubtful = [prompt for prompt in recurring if prompt in alike or prompt in much]
    several = [prompt for prompt in doubtful if much.get(prompt, 0) > 1]
    if doubtful and (several or 2 * len(doubtful) >= len(recurring)):
        prompt = (several or doubtful)[0]
        raise BadInput(_refusal(place, shown[prompt], held[prompt], brought[prompt]))


def _left_out(again: Mapping[str, frozenset[int]], place: str) -> str | None:
    counts = [len(places) for places in again.values() if places]
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
        f"Say `--repeats drop` if they are the same completions, or `--repeats count` if they are "
        f"others that happen to be equal."
    )
