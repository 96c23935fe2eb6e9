"""What computes the distances: the native kernel, or rapidfuzz where that is not there.

Both give the same results; that the slower one runs is logged once. `WELLWORN_ENGINE`
forces one: `native`, `rapidfuzz`, or a kernel of the native engine, such as `avx2`.
"""

import logging
import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from wellworn.distance import rapid
from wellworn.errors import BadInput, unknown

try:
    from wellworn.distance import _native
except ImportError:
    _native = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

_SLOWER = (
    "Distances are computed by rapidfuzz, about ten times slower than by the native engine, "
    "which was not built here: install wellworn again where a C++ compiler is."
)


class Engine(NamedTuple):
    """A way to compute distances."""

    name: str
    search: Callable[[Sequence[str], int, np.ndarray], None]
    """search(different strings, k, bounds): see `wellworn.distance.nearest`."""
    matrix: Callable[[Sequence[str]], np.ndarray]
    """matrix(strings): int32[m, m]."""


def engine() -> Engine:
    """Return the engine that runs: the one that `WELLWORN_ENGINE` names, or the best.

    Raises:
        BadInput: The variable names none that is here.
    """
    return _engine(os.environ.get("WELLWORN_ENGINE") or "auto")


@cache
def _engine(wanted: str) -> Engine:
    kernels: list[str] = _native.kernels() if _native else []
    best = {"auto": kernels[0], "native": kernels[0]} if kernels else {}
    known = {**best, **{name: name for name in kernels}}
    if wanted in known:
        return _with_kernel(known[wanted])
    if wanted in ("auto", "rapidfuzz"):
        if wanted == "auto":
            logger.warning(_SLOWER)
        return Engine("rapidfuzz", rapid.search, rapid.matrix)
    if wanted == "native":
        raise BadInput(
            "WELLWORN_ENGINE is 'native', but the native engine was not built here.\n"
            "Install the package again where a C++ compiler is, or leave the variable out."
        )
    raise BadInput(f"WELLWORN_ENGINE: {unknown('engine', wanted, {*known, 'rapidfuzz'})}")


def _with_kernel(kernel: str) -> Engine:
    def search(strings: Sequence[str], k: int, bounds: np.ndarray) -> None:
        _native.search(list(strings), k, bounds, kernel)

    def matrix(strings: Sequence[str]) -> np.ndarray:
        distances = np.empty((len(strings), len(strings)), np.int32)
        _native.matrix(list(strings), distances, kernel)
        return distances

    return Engine(f"native ({kernel})", search, matrix)
