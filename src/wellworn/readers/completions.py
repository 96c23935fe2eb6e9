"""Completions of a log as those of ours: reasoning set apart, why it ended, signals checked."""

from collections.abc import Sequence
from typing import NamedTuple

from wellworn.backends.reasoning import finish_reason, split_reasoning
from wellworn.readers.shapes import Part, hides_reasoning
from wellworn.readers.signals import taken
from wellworn.records import Completion, Signals


class Made(NamedTuple):
    """The completions of an item."""

    completions: tuple[Completion, ...]
    absent: int
    """How many have no text, or failed."""
    refused: tuple[str, ...]
    """Why log-probabilities were not taken, once for each completion with such."""


def made_of(parts: Sequence[Part | None], *, split: bool = True) -> Made:
    """Return completions of parts; `split` sets reasoning between think tags apart.

    A part that ended in an error is none.
    """
    completions, refused = [], []
    for part in parts:
        if part is not None:
            completion, signals = _completion(part, split=split)
            if completion.finish_reason != "error":
                completions.append(completion)
                refused += [signals] if isinstance(signals, str) else []
    return Made(tuple(completions), len(parts) - len(completions), tuple(refused))


def _completion(part: Part, *, split: bool) -> tuple[Completion, Signals | str | None]:
    text, reasoning = part.text, part.reasoning
    if reasoning is None and split:
        reasoning, text = split_reasoning(text)
    signals = taken(part.steps, text, reasoning) if part.steps else None
    completion = Completion(
        text=text,
        reasoning=reasoning,
        reasoning_hidden=hides_reasoning(part, text, reasoning),
        finish_reason=finish_reason(part.finish_reason),
        token_ids=part.token_ids,
        signals=signals if isinstance(signals, Signals) else None,
        seed=part.seed,
    )
    return completion, signals
