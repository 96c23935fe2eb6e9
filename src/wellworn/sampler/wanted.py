"""What a run lacks, as requests: one for each completion that a detector needs and none has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.backends import Backend, Request
from wellworn.errors import Unscorable
from wellworn.probes import PROBES, Need
from wellworn.records import Generation, Prompt, digest
from wellworn.store import Store

KEPT = 0.8
"""The share of a quoted answer that is kept when it does not fit, again and again."""


class Place(NamedTuple):
    """Where a completion belongs in a run file, beside its generation parameters."""

    prompt_id: str
    probe: str
    number: int
    """Which of the completions of the prompt and probe, from 0."""


class Wanted(NamedTuple):
    """A completion that a run lacks."""

    place: Place
    request: Request
    prompt: Prompt
    """The prompt that the probe asks about."""
    quote: str = ""
    """The earlier answer that the request quotes, and that can be cut."""
    cut: int = 0
    """Characters of it that have been cut."""

    @property
    def shortened(self) -> Wanted | None:
        """The same with less of the quoted answer; None if nothing can be cut."""
        quote = self.quote[: int(KEPT * len(self.quote))]
        if not quote or self.request.reads is not None:
            return None
        question = PROBES[self.place.probe].ask(self.prompt, quote)
        return self._replace(
            request=replace(self.request, prompt=question.prompt),
            quote=quote,
            cut=self.cut + len(self.quote) - len(quote),
        )


def seed_of(seed: int, place: Place) -> int:
    """Return the seed of one completion, from 0 to 2**31 - 1: a function of its place."""
    return int(digest([seed, *place]), 16) % 2**31


def missing(store: Store, need: Need, setting: Generation) -> Iterator[Wanted]:
    """Yield what the run lacks of a need, prompt by prompt.

    What cannot be asked, for want of an earlier answer or of a gold one, becomes a failure.
    """
    generation = store.generation_of(need.probe, setting)
    for prompt_id in store.prompt_ids():
        stored = store.indices(prompt_id, need.probe, generation)
        if len(stored) >= need.completions:
            continue
        prompt = store.prompt(prompt_id)
        for index in sorted(set(range(need.completions)) - stored):
            place = Place(prompt_id, need.probe, index)
            try:
                yield _wanted(place, prompt, _earlier(store, place, setting), generation)
            except Unscorable as error:
                store.add_failure(place, generation, str(error))


def _earlier(store: Store, place: Place, setting: Generation) -> str:
    """Return the answer that a probe builds on; nothing for one that builds on none."""
    first = PROBES[place.probe].after
    if first is None:
        return ""
    answer = store.answer(place.prompt_id, first, setting)
    if answer is None:
        raise Unscorable(f"there is no {first} answer to build on")
    return answer.view("full")


def _wanted(place: Place, prompt: Prompt, earlier: str, generation: Generation) -> Wanted:
    question = PROBES[place.probe].ask(prompt, earlier)
    request = Request(
        prompt=question.prompt,
        generation=generation,
        index=place.number,
        seed=seed_of(generation.seed or 0, place),
        reads=question.reads,
        quotes=bool(earlier) and question.reads is None,
    )
    return Wanted(place, request, prompt, earlier)


def batches(wanted: Iterable[Wanted], backend: Backend) -> Iterator[list[Wanted]]:
    """Yield what is `wanted` in calls of `backend.batch`, of one prompt where it must be."""
    of_one = (lambda _: None) if backend.mixes_prompts else (lambda item: item.place.prompt_id)
    for _, group in groupby(wanted, key=of_one):
        while batch := list(islice(group, backend.batch)):
            yield batch
