"""Other means of the distances between samples, to compare Min-kNN Distance with.

They read the same samples and cost nothing more. The mean over all pairs asks whether the
samples lie together as a whole, the mean over all nearest distances whether each has a near
twin, the smallest pair whether any two do. If one of them separates the sets as well as
Min-kNN Distance does, the choice of k explains nothing. All share its faults.
"""

from math import fsum

import numpy as np

from wellworn.detectors.base import Detector, Measured, Unit, of_samples
from wellworn.detectors.sequences import compared, compared_by
from wellworn.distance import distance_matrix, min_knn_distance
from wellworn.records import Record, View


def mean_pairwise(record: Record, *, unit: Unit, view: View) -> Measured:
    """Return the mean normalised distance over all pairs of samples, in [0, 1]."""
    found = compared(record, unit, view)
    pairs = distance_matrix(found.sequences, normalized=True)[np.triu_indices(len(found.texts), 1)]
    return Measured(fsum(pairs) / len(pairs), found.parts)


def mean_nearest(record: Record, *, unit: Unit, view: View) -> Measured:
    """Return the mean nearest-neighbour distance over all samples, in [0, 1]: k is m."""
    found = compared(record, unit, view)
    return Measured(min_knn_distance(found.sequences, len(found.texts)), found.parts)


def smallest_pair(record: Record, *, unit: Unit, view: View) -> Measured:
    """Return the distance of the two samples most like each other, in [0, 1]: k is 1."""
    found = compared(record, unit, view)
    return Measured(min_knn_distance(found.sequences, 1), found.parts)


PAIRWISE = Detector(
    name="mean-pairwise",
    summary="mean edit distance over all pairs of m samples",
    paper="ours",
    measure=mean_pairwise,
    score=lambda distance: 1 - distance,
    orientation="1 - value",
    parameters=compared_by,
    needs=of_samples,
)
NEAREST = PAIRWISE._replace(
    name="mean-nearest",
    summary="mean nearest-neighbour distance of all m samples",
    measure=mean_nearest,
)
SMALLEST = PAIRWISE._replace(
    name="smallest-pair",
    summary="edit distance of the two samples most alike",
    measure=smallest_pair,
)
