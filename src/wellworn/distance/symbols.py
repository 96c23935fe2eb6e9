"""Sequences of any symbols as strings, which all engines compare.

Strings are kept. Token ids become characters of the same number where they fit; other
symbols, such as words, are numbered as they appear. rapidfuzz itself would compare them by
hash, where 2**61 - 1 equals 0.
"""

import struct
from collections.abc import Hashable, Sequence

import numpy as np

CHARACTERS = 0x110000
"""How many different symbols a set may have."""

Symbols = Sequence[Hashable] | np.ndarray


def as_strings(sequences: Sequence[Symbols]) -> list[str]:
    """Return strings with the same equalities between symbols.

    Raises:
        ValueError: The sequences hold more than 1,114,112 different symbols.
    """
    if all(isinstance(sequence, str) for sequence in sequences):
        return [str(sequence) for sequence in sequences]
    numbers = [_integers(sequence) for sequence in sequences]
    if all(array is not None for array in numbers):
        return _from_integers([array for array in numbers if array is not None])
    codes: dict[Hashable, str] = {}
    return [
        "".join([codes.get(s) or codes.setdefault(s, chr(len(codes))) for s in sequence])
        for sequence in sequences
    ]


def _integers(sequence: Symbols) -> np.ndarray | None:
    """Return a sequence as int64[n], if it holds integers that fit; None otherwise."""
    if isinstance(sequence, str):
        return None
    if isinstance(sequence, np.ndarray):
        kind = sequence.dtype
        fits = sequence.ndim == 1 and np.issubdtype(kind, np.integer) and kind != np.uint64
        return sequence.astype(np.int64, copy=False) if fits else None
    try:  # three times as fast as numpy
        return np.frombuffer(struct.pack(f"{len(sequence)}q", *sequence), np.int64)
    except struct.error:
        return None


def _from_integers(arrays: list[np.ndarray]) -> list[str]:
    joined = np.concatenate(arrays) if arrays else np.empty(0, np.int64)
    if joined.size and (joined.min() < 0 or joined.max() >= CHARACTERS):
        joined = np.unique(joined, return_inverse=True)[1]
    text = joined.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    ends = np.cumsum([len(array) for array in arrays]).tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
