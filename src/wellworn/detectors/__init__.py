"""Detectors: one file each, listed here. `load` imports the one that is asked for.

A new detector is a module with a `DETECTOR` and a line in this table. The contract tests
then hold it to its promises: higher scores mean more likely trained on, the order of
completions does not matter, and a record without completions has no score but a reason.
"""

from importlib import import_module

from wellworn.detectors.base import Detector, Measured, Options
from wellworn.errors import BadInput, unknown

__all__ = ["DETECTORS", "Detector", "Measured", "Options", "load"]

DETECTORS: dict[str, str] = {
    # of the two papers
    "min-knn": "wellworn.detectors.min_knn:DETECTOR",
    "self-critique": "wellworn.detectors.self_critique:DETECTOR",
    "self-critique-unanchored": "wellworn.detectors.self_critique:UNANCHORED",
    # the same samples, measured otherwise
    "mean-pairwise": "wellworn.detectors.spread:PAIRWISE",
    "mean-nearest": "wellworn.detectors.spread:NEAREST",
    "smallest-pair": "wellworn.detectors.spread:SMALLEST",
    "greedy-distance": "wellworn.detectors.greedy_distance:DETECTOR",
    "cdd": "wellworn.detectors.cdd:DETECTOR",
    "distinct-share": "wellworn.detectors.counting:DISTINCT",
    "mean-length": "wellworn.detectors.counting:LENGTH",
    "sample-entropy": "wellworn.detectors.sample_signals:ENTROPY",
    "sample-nll": "wellworn.detectors.sample_signals:NLL",
    # entropies of answers
    "entropy-noise": "wellworn.detectors.entropy_noise:DETECTOR",
    "entropy-temp": "wellworn.detectors.entropy_temp:DETECTOR",
    "lne": "wellworn.detectors.lne:DETECTOR",
    # likelihoods of texts
    "perplexity": "wellworn.detectors.perplexity:DETECTOR",
    "min-k": "wellworn.detectors.min_k:MIN_K",
    "min-k++": "wellworn.detectors.min_k:PLUS_PLUS",
    "zlib": "wellworn.detectors.compression:DETECTOR",
    "reference-ratio": "wellworn.detectors.readings:REFERENCE",
    "lowercase": "wellworn.detectors.readings:LOWERCASE",
    "recall": "wellworn.detectors.readings:RECALL",
    # of pretraining
    "partial-prompt": "wellworn.detectors.partial_prompt:DETECTOR",
    # published code, with its signs and quirks
    "perplexity-published": "wellworn.detectors.published:PERPLEXITY",
    "min-k-published": "wellworn.detectors.published:MIN_K",
    "min-k++-published": "wellworn.detectors.published:PLUS_PLUS",
    "recall-published": "wellworn.detectors.published:RECALL",
    "cdd-published": "wellworn.detectors.published:CDD",
    "entropy-noise-published": "wellworn.detectors.published_curves:NOISE",
    "entropy-temp-published": "wellworn.detectors.published_curves:TEMP",
    "self-critique-published": "wellworn.detectors.published_curves:CRITIQUE",
    "self-critique-unanchored-published": "wellworn.detectors.published_curves:UNANCHORED",
}


def load(name: str) -> Detector:
    """Return the detector called `name`.

    Raises:
        BadInput: There is none.
    """
    if name not in DETECTORS:
        raise BadInput(unknown("detector", name, DETECTORS))
    module, _, attribute = DETECTORS[name].partition(":")
    detector: Detector = getattr(import_module(module), attribute)
    return detector
