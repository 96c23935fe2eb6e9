"""Min-kNN Distances of many subsets of a prompt's completions, from one matrix of distances.

An audit searches for the k nearest neighbours alone, which is faster than all distances. An
ablation asks for many k and many subsets of the same completions; then all distances, once,
are cheaper, and each of those numbers follows from them exactly.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from wellworn.detectors import Detector, Measured
from wellworn.detectors.base import Unit
from wellworn.detectors.min_knn import DETECTOR
from wellworn.detectors.sequences import compared, sequence_of
from wellworn.distance import distance_matrix
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record, View


def from_one_matrix(detector: Detector, samples: Sequence[Completion]) -> Detector:
    """Return a detector for subsets of a prompt's `samples`: a faster one, if it is Min-kNN."""
    if detector is not DETECTOR:
        return detector
    return detector._replace(measure=_Matrices(samples).min_knn)


class _Matrix(NamedTuple):
    """The distances of different sequences, [n, n], and the place of each."""

    places: dict[Hashable, int]
    distances: np.ndarray


class _Matrices:
    """The distances of samples by unit and view, made when they are first asked for."""

    def __init__(self, samples: Sequence[Completion]) -> None:
        self._samples = samples
        self._made: dict[tuple[Unit, View], _Matrix] = {}

    def min_knn(self, record: Record, *, k: int, unit: Unit, view: View) -> Measured:
        """Return what the measure of Min-kNN does, of a record with some of the samples."""
        found = compared(record, unit, view)
        if (unit, view) not in self._made:
            self._made[unit, view] = _matrix(self._samples, unit, view)
        matrix = self._made[unit, view]
        rows = [matrix.places[_key(sequence)] for sequence in found.sequences]
        distances = matrix.distances[np.ix_(rows, rows)]
        np.fill_diagonal(distances, np.inf)
        return Measured(float(np.sort(distances.min(axis=1))[:k].mean()), found.parts)


def _matrix(samples: Sequence[Completion], unit: Unit, view: View) -> _Matrix:
    """Return the distances of all samples that can be read."""
    different: dict[Hashable, Sequence[Hashable]] = {}
    for sample in samples:
        try:
            sequence = sequence_of(sample, unit, view)
        except Unscorable:
            continue  # whatever record has it has no score
        different[_key(sequence)] = sequence
    return _Matrix(
        places={key: place for place, key in enumerate(different)},
        distances=distance_matrix(list(different.values()), normalized=True),
    )


def _key(sequence: Sequence[Hashable]) -> Hashable:
    return sequence if isinstance(sequence, str) else tuple(sequence)
