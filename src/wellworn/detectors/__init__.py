"""Detectors: one file each, listed here. `load` imports the one that is asked for.

A new detector is a module with a `DETECTOR` and a line in this table. The contract tests
then hold it to its promises: higher scores mean more likely trained on, the order of
completions does not matter, and a record without completions has no score but a reason.
"""

from importlib import import_module

from wellworn.detectors.base import Detector, Options
from wellworn.errors import BadInput, unknown

__all__ = ["DETECTORS", "Detector", "Options", "load"]

DETECTORS: dict[str, str] = {
    "min-knn": "wellworn.detectors.min_knn:DETECTOR",
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
