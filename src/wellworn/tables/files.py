"""Files as the user gives them: opened, unpacked and decoded, or refused in whole sentences.

A file is packed, by gzip or zstd, if its first bytes say so, whatever its name. Text is UTF-8,
with or without a byte order mark.
"""

import gzip
import hashlib
import io
import json
import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO

import msgspec

from wellworn.errors import BadInput

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_UNFINISHED = "-async"
_MARK = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 65536
_CHUNK = 1 << 20
_File = BinaryIO | gzip.GzipFile | io.BufferedReader
_MEND = "Mend it, or write the file again."

PACKED = (".gz", ".zst")
"""Endings of packed files."""


def suffix(path: Path) -> str:
    """Return the ending that names the format, in small letters, without `.gz` or `.zst`.

    NeMo-Skills adds `-async` while a file is being written.

    >>> suffix(Path("logs/qwen.JSONL.gz")), suffix(Path("output-rs0.jsonl-async"))
    ('.jsonl', '.jsonl')
    """
    name = path.name.lower()
    for packing in PACKED:
        name = name.removesuffix(packing)
    return Path(name.removesuffix(_UNFINISHED)).suffix


def read_bytes(path: Path) -> bytes:
    """Return the whole content, unpacked.

    Raises:
        BadInput: The file is missing, a folder, unreadable, or damaged gzip.
    """
    with _unpacked(path) as file:
        return file.read()


def read_head(path: Path) -> bytes:
    """Return the first 64 KiB, unpacked, by which a reader recognises its files.

    Raises:
        BadInput: As `read_bytes`.
    """
    with _unpacked(path) as file:
        return file.read(_HEAD)


def content_digest(path: Path) -> str:
    """Return a digest of the content, unpacked.

    Raises:
        BadInput: As `read_bytes`.
    """
    digest = hashlib.sha256()
    with _unpacked(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines, unpacked, each with its line end; a byte order mark is left out.

    Raises:
        BadInput: As `read_bytes`.
    """
    with _unpacked(path) as file:
        for first in file:
            yield first.removeprefix(_MARK)
            break
        yield from file


def as_text(data: bytes, path: Path, line: int = 1) -> str:
    """Return UTF-8 as text, lone surrogates too; `line` is the number of its first line.

    Raises:
        BadInput: It is another encoding.
    """
    text = data.removeprefix(_MARK) if line == 1 else data
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        before = text[: error.start]
        if line == 1 and text.startswith(_UTF_16):
            place, fact, encoding = str(path), "the file is UTF-16, not UTF-8", "UTF-16"
        else:
            lines = before.count(b"\n")
            column = len(before) - before.rfind(b"\n")
            place, encoding = f"{path}:{line + lines}", "WINDOWS-1252"
            fact = f"byte {column} of the line (0x{text[error.start]:02x}) is not UTF-8"
        raise BadInput(
            f"{place}: {fact}.\nSave the file as UTF-8, as `iconv -f {encoding} -t UTF-8` does."
        ) from None


def parse_json(data: bytes, path: Path, line: int = 1, *, mend: str = _MEND) -> Any:
    """Return a JSON value; `line` is the number of its first line in the file.

    Lone surrogates are taken as they are, since models emit them; numbers that JSON
    cannot hold (NaN, Infinity) become None. `mend` is the way out that an error names.

    Raises:
        BadInput: It is no JSON, or no UTF-8.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        text = as_text(data, path, line)
    try:
        return json.loads(text, parse_constant=lambda _: None, parse_float=_finite)
    except json.JSONDecodeError as error:
        near = text[error.pos : error.pos + 30].partition("\n")[0]
        raise BadInput(
            f"{path}:{line + error.lineno - 1}: this is no JSON at column {error.colno}: "
            f"{error.msg}; there stands {near!r}.\n{mend}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}:{line}: this JSON cannot be read: {error}.\n{mend}") from None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def check_file(path: Path) -> None:
    """Refuse a path that leads to no file.

    Raises:
        BadInput: It is missing, or a folder; or it cannot be looked at.
    """
    try:
        if path.is_dir():
            raise BadInput(_folder(path))
        if not path.exists():
            raise BadInput(_missing(path))
    except OSError as error:
        raise _unreadable(path, error) from None


def _folder(path: Path) -> str:
    held = sorted(child.name for child in path.iterdir() if child.is_file())
    hint = f"Give a file in it: {', '.join(held[:5])}." if held else "It holds no files."
    return f"{path}: this is a folder, not a file.\n{hint}"


def _missing(path: Path) -> str:
    if not path.parent.is_dir():
        return f"{path}: there is no such file; there is no folder {path.parent} either."
    names = [child.name for child in path.parent.iterdir()]
    near = get_close_matches(path.name, names, n=1)
    hint = f" Did you mean '{path.parent / near[0]}'?" if near else ""
    return f"{path}: there is no such file.{hint}"


def _unreadable(path: Path, error: OSError) -> BadInput:
    return BadInput(f"{path}: the file cannot be read ({error.strerror or error}).")


def _unpacking(path: Path, tool: str) -> str:
    inner = path.with_suffix("") if path.suffix.lower() in PACKED else path
    packed, whole = (
        quote(str(path)),
        quote(str(inner.with_name(f"{inner.stem}.part{inner.suffix}"))),
    )
    return (
        f"Copy it again (`{tool} -t < {packed}` says whether it is whole), or give the other files "
        f"without it.\nWhat is whole of it comes out with `{tool} -dc < {packed} > {whole}`; its "
        f"last row may be cut."
    )


@contextmanager
def _unpacked(path: Path) -> Iterator[_File]:
    check_file(path)
    try:
        with path.open("rb") as file:
            start = file.read(len(_ZSTD))
            file.seek(0)
            if start == _ZSTD:
                with _zstd(path) as unpacked:
                    yield unpacked
            elif start.startswith(_GZIP):
                with gzip.open(file) as unpacked:
                    yield unpacked
            else:
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadInput(
            f"{path}: the gzip file is cut off or damaged ({error}).\n{_unpacking(path, 'gzip')}"
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None


@contextmanager
def _zstd(path: Path) -> Iterator[io.BufferedReader]:
    import pyarrow as pa

    try:
        with io.BufferedReader(pa.CompressedInputStream(pa.OSFile(str(path)), "zstd")) as file:
            yield file
    except OSError as error:
        raise BadInput(
            f"{path}: the zstd file is cut off or damaged ({error}).\n{_unpacking(path, 'zstd')}"
        ) from None
