"""Probes: the questions that a detector needs answered about a prompt.

A probe is a pure function from the prompt to what the model is asked. Detectors declare
which probes they read and how many answers of each; the sampler asks for the union once.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from wellworn.records import Prompt


class Probe(NamedTuple):
    """One way to ask."""

    ask: Callable[[Prompt], Prompt]
    """Turns the prompt into what the model is asked."""
    summary: str


class Need(NamedTuple):
    """What a detector reads of every record."""

    probe: str
    """A name in `PROBES`."""
    completions: int
    """How many of them."""


def _as_it_is(prompt: Prompt) -> Prompt:
    return prompt


PROBES: dict[str, Probe] = {
    "sample": Probe(_as_it_is, "the prompt itself, sampled at the run's temperature"),
}


def union(needs: Iterable[Need]) -> dict[str, int]:
    """Return how many completions of each probe satisfy all `needs` at once.

    >>> union([Need("sample", 8), Need("sample", 32)])
    {'sample': 32}
    """
    counts: dict[str, int] = {}
    for need in needs:
        counts[need.probe] = max(need.completions, counts.get(need.probe, 0))
    return counts
