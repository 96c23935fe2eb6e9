"""What tells a local model's weights from others under the same path."""

import hashlib
from pathlib import Path

_KINDS = ("config.json", "*.safetensors", "pytorch_model*.bin")
"""The files of a checkpoint that say what it computes."""
_EDGE = 64 * 1024
"""Bytes that are read from either end of each: training changes every tensor."""


def fingerprint(path: Path) -> str:
    """Return 12 hexadecimal digits over the names, sizes and ends of a model's files.

    Args:
        path: A weight file, or the folder of a checkpoint.
    """
    files = [path]
    if path.is_dir():
        files = sorted(file for kind in _KINDS for file in path.glob(kind))
    digest = hashlib.sha256()
    for file in files:
        size = file.stat().st_size
        with file.open("rb") as data:
            head = data.read(_EDGE)
            data.seek(max(0, size - _EDGE))
            digest.update(f"{file.name} {size} ".encode() + head + data.read())
    return digest.hexdigest()[:12]
