"""Single prompts against the references: conformal p-values, and which of them stand out.

A suspect's p-value is the share of scores, its own among the references', that are at least
as high. If it is no different from the references, it is at or below any level at most that
often, whatever the distribution of scores (Vovk, Gammerman and Shafer 2005). It cannot be
below 1 / (1 + references), so that a small reference set cannot flag anything once there are
many suspects; that limit is said beforehand.

Such p-values say that a prompt is unlike the references, not why. They share references, and
are positively dependent for it; Benjamini and Hochberg's procedure is valid for them (Bates,
Candes, Lei, Romano and Sesia, Annals of Statistics 51, 2023). Over several detectors that is
no theorem, but the usual practice.
"""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from wellworn.statistics.multiplicity import benjamini_hochberg, least_flagged


class ItemTest(msgspec.Struct, frozen=True, kw_only=True):
    """One suspect under one detector."""

    prompt_id: str
    detector: str
    p: float
    """Conformal p-value."""
    q: float
    """The same after Benjamini and Hochberg, over all prompts and detectors of the audit."""


class ItemTests(msgspec.Struct, frozen=True, kw_only=True):
    """All suspects under all detectors."""

    items: tuple[ItemTest, ...]
    smallest_p: float | None
    """The smallest p-value that any could have."""
    least_flagged: int | None
    """How many would have to have that p-value for any to have a q of at most 0.1."""


def conformal_p(score: float, references: Sequence[float]) -> float:
    """Return (1 + how many references score at least as high) / (1 + how many there are).

    >>> conformal_p(3.0, [1.0, 2.0, 3.0])
    0.5
    """
    higher = int((np.asarray(references, dtype=float) >= score).sum())
    return (1 + higher) / (1 + len(references))


def item_tests(
    suspects: Mapping[str, Mapping[str, float]], references: Mapping[str, Sequence[float]]
) -> ItemTests:
    """Return the tests of all suspects.

    Args:
        suspects: Of each detector, the score of each prompt by its id.
        references: Of each detector, the scores of the references; detectors without one
            are not tested.
    """
    tested = [
        (prompt_id, detector, conformal_p(score, references[detector]))
        for detector, scores in suspects.items()
        if references.get(detector)
        for prompt_id, score in scores.items()
    ]
    q_values = benjamini_hochberg([p for *_, p in tested])
    smallest = min((1 / (1 + len(r)) for r in references.values() if r), default=None)
    return ItemTests(
        items=tuple(
            ItemTest(prompt_id=prompt_id, detector=detector, p=p, q=q)
            for (prompt_id, detector, p), q in zip(tested, q_values, strict=True)
        ),
        smallest_p=smallest if tested else None,
        least_flagged=least_flagged(smallest, len(tested)) if tested and smallest else None,
    )
