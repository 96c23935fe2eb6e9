"""What tells a local model from others under the same path.

Training again, merging an adapter into some layers or editing the chat template makes another
model. Files of weights are read at many places spread over their whole length, small ones and
all others whole.
"""

import hashlib
from pathlib import Path

_KINDS = ("*.json", "*.jinja", "*.safetensors", "*.bin", "*.model", "*.txt", "*.gguf")
"""The files of a checkpoint that say what it computes and how it is asked."""
_WHOLE = 64 << 20
"""Bytes up to which a file is read whole."""
_PIECES = 512
"""How many pieces of a larger file are read, each of `_PIECE` bytes."""
_PIECE = 64 << 10


def fingerprint(path: Path) -> str:
    """Return 12 hexadecimal digits over the names, sizes and contents of a model's files.

    Args:
        path: A weight file, or the folder of a checkpoint.
    """
    files = [path]
    if path.is_dir():
        files = sorted({file for kind in _KINDS for file in path.glob(kind) if file.is_file()})
    digest = hashlib.sha256()
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name} {size} ".encode())
        with file.open("rb") as data:
            if size <= _WHOLE:
                digest.update(data.read())
                continue
            for piece in range(_PIECES):
                data.seek((size - _PIECE) * piece // (_PIECES - 1))
                digest.update(data.read(_PIECE))
    return digest.hexdigest()[:12]
