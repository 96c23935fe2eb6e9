"""How much of a score is the luck of its samples.

The score of a prompt is taken again without each of its samples in turn, which gives its
standard error (`wellworn.statistics.reliability`), and of each half of them, which gives the
reliability of the detector over all prompts. No model is asked for that.
"""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import NamedTuple

from msgspec.structs import replace

from wellworn.detectors import Detector, Measured, Options
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record
from wellworn.scoring.matrices import from_one_matrix

LEAST = 4
"""Samples from which a half is a set of samples."""


class Noise(NamedTuple):
    """The scores of a prompt that other samples might have given."""

    without: tuple[float, ...]
    """Without each of the samples."""
    halves: tuple[float, float]
    """Of the first half, and of the rest."""


def noise_of(record: Record, detector: Detector, options: Options) -> Noise | None:
    """Return the scores of parts of the samples; None where a part has none.

    Args:
        record: Its `sample` probe is all that the detector reads.
        detector: Measures the parts.
        options: k follows from the size of the whole, and for halves from theirs.
    """
    samples = record.completions("sample")
    if len(samples) < LEAST:
        return None
    part = from_one_matrix(detector, samples)
    half = len(samples) // 2

    def measured(kept: Sequence[Completion], m: int) -> float:
        found = part.measure(_with(record, kept), **part.parameters(options, m))
        value = found.value if isinstance(found, Measured) else found
        if not isfinite(value):
            raise Unscorable(f"{value} is no number")
        return part.score(value)

    try:
        return _noise(samples, half, measured)
    except Unscorable:
        return None


def _noise(
    samples: Sequence[Completion],
    half: int,
    measured: Callable[[Sequence[Completion], int], float],
) -> Noise:
    every = range(len(samples))
    return Noise(
        without=tuple(
            measured([*samples[:place], *samples[place + 1 :]], len(samples)) for place in every
        ),
        halves=(measured(samples[:half], half), measured(samples[half : 2 * half], half)),
    )


def _with(record: Record, samples: Sequence[Completion]) -> Record:
    return replace(record, probes={"sample": tuple(samples)})
