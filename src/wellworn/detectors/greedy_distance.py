"""Distance to the greedy answer: how far the samples stray from the model's first choice.

A star, where the mean over all pairs is a web: cheaper, and the form that CDD uses. A model
that has one way to answer samples near its greedy answer. Use it beside Min-kNN Distance; it
misses prompts whose samples fall into several tight groups, and shares the fault that easy
prompts have one way too.
"""

from math import fsum

from wellworn.detectors.answers import answer_to
from wellworn.detectors.base import Detector, Measured, Options, Unit
from wellworn.detectors.sequences import compared, compared_by, sequence_of
from wellworn.distance import distance
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Record, View


def greedy_distance(record: Record, *, unit: Unit, view: View) -> Measured:
    """Return the mean normalised distance of the samples to the greedy answer, in [0, 1].

    Raises:
        Unscorable: As Min-kNN Distance, or there is no greedy answer, or it is blank.
    """
    greedy = answer_to(record, "greedy")
    found = compared(record, unit, view)
    centre = sequence_of(greedy, unit, view)
    if not centre or not greedy.view(view).strip():
        raise Unscorable(f"the greedy answer is empty in the {view} view")
    distances = [
        distance(centre, sequence) / max(len(centre), len(sequence)) for sequence in found.sequences
    ]
    return Measured(fsum(distances) / len(distances), found.parts)


def _needs(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("sample", m), Need("greedy"))


DETECTOR = Detector(
    name="greedy-distance",
    summary="mean edit distance of m samples to the greedy answer",
    paper="ours",
    measure=greedy_distance,
    score=lambda distance: 1 - distance,
    orientation="1 - value",
    parameters=compared_by,
    needs=_needs,
)
