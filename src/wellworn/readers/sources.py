"""Where logs lie: files, folders, globs, addresses that fsspec knows, and standard input.

Files of a folder come in the order in which a person counts (rs2 before rs10). What lies
elsewhere is copied into a temporary folder for as long as it is read.
"""

import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from glob import glob, has_magic
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.tables.files import content_digest

STDIN = "stdin:"
"""The name of standard input, which is read as JSON Lines."""

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")
_OURS = "run.sqlite"


class Sources(NamedTuple):
    """The files behind what the user names."""

    files: list[Path]
    wandered: frozenset[Path]
    """Those that nobody named: they were found in a folder."""
    copied: Mapping[str, str] = MappingProxyType({})
    """Where copies lie for the time being, and what the user calls it."""

    def said(self, text: str) -> str:
        """Return a text in which copies go by what the user calls them."""
        for place, name in self.copied.items():
            text = text.replace(place, name)
        return text

    def unlike(self, known: Mapping[str, str]) -> tuple[dict[str, Path], list[str]]:
        """Return the files by their content, and what to say of those whose content is known.

        Args:
            known: By the digest of its content, the name of each file that was read before.
        """
        new: dict[str, Path] = {}
        again = []
        for path in self.files:
            content = content_digest(path)
            if content in new:
                again.append(f"{path}: the same as {new[content]}; it was passed over.")
            elif content in known:
                again.append(
                    f"{path}: imported before (as {known[content]}); it was passed over. To read "
                    f"it in another way, import it into another folder."
                )
            else:
                new[content] = path
        return new, again


@contextmanager
def local_files(given: Sequence[str | Path]) -> Iterator[Sources]:
    """Open what the user names for the length of a block.

    Raises:
        BadInput: Nothing is there, a folder is empty, or an address cannot be read.
    """
    with ExitStack() as stack:
        files: dict[Path, None] = {}
        wandered: set[Path] = set()
        copied: dict[str, str] = {}
        for name in given:
            path = _local(str(name), stack)
            if path != Path(name):
                copied[str(path)] = "standard input" if name == STDIN else str(name)
            if path.is_dir():
                held = _inside(path)
                wandered |= set(held) - files.keys()
                files |= dict.fromkeys(held)
            elif not path.exists() and has_magic(str(path)):
                files |= dict.fromkeys(_matching(path))
            else:
                files[path] = None
                wandered.discard(path)
        sources = Sources(list(files), frozenset(wandered), copied)
        try:
            yield sources
        except BadInput as error:
            raise type(error)(sources.said(str(error))) from None


def _local(name: str, stack: ExitStack) -> Path:
    if name != STDIN and not _ADDRESS.match(name):
        return Path(name)
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="wellworn-")))
    if name == STDIN:
        path = folder / "stdin.jsonl"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        return path
    return _fetched(name, folder)


def _fetched(address: str, folder: Path) -> Path:
    """Copy a file, a folder or the matches of a glob from an address; return where they are."""
    fsspec = _fsspec(address)
    try:
        system, inside = fsspec.core.url_to_fs(address)
        return _copied(system, inside, folder)
    except ImportError as error:
        raise BadInput(
            f"{address}: such addresses need a package that is missing ({error}).\n"
            f"Install it, or copy the files here and name the copy."
        ) from None
    except Exception as error:  # each kind of storage has errors of its own
        raise BadInput(
            f"{address}: {_told(error)}.\n"
            f"Check the address, and what its storage asks for, such as credentials."
        ) from None


def _told(error: Exception) -> str:
    """Return what an error of a storage says, or what it came of."""
    if isinstance(error, FileNotFoundError) and error.__cause__ is None:
        return "nothing is there"
    cause = error.__cause__ or error
    said = str(cause).strip().removesuffix(".") or type(cause).__name__
    return f"it cannot be read ({said})"


def _copied(system: Any, inside: str, folder: Path) -> Path:
    found = system.glob(inside) if has_magic(inside) else [inside]
    if not found:
        raise FileNotFoundError(inside)
    for path in found:
        system.info(path)
    if len(found) == 1 and system.isfile(found[0]):
        copy = folder / Path(found[0]).name
        system.get(found[0], str(copy))
        return copy
    for path in found:
        system.get(path, str(folder / Path(path).name), recursive=True)
    return folder


def _fsspec(address: str) -> Any:
    try:
        import fsspec
    except ImportError:
        raise BadInput(
            f"{address}: reading from an address needs fsspec.\n"
            f"Install it with `pip install '.[remote]'`; s3:// needs s3fs as well."
        ) from None
    return fsspec


def _inside(folder: Path) -> list[Path]:
    """Return the files of a folder and of those in it, but for hidden ones and our own runs."""
    found = sorted(folder.rglob("*"), key=_as_counted)
    runs = {path.parent for path in found if path.name == _OURS}
    files = [
        path
        for path in found
        if path.is_file()
        and runs.isdisjoint(path.parents)
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not files:
        raise BadInput(f"{folder}: the folder holds no files that could be logs.")
    return files


def _matching(pattern: Path) -> list[Path]:
    found = sorted(map(Path, glob(str(pattern), recursive=True)), key=_as_counted)  # noqa: PTH207
    files = [path for path in found if path.is_file()]
    if not files:
        raise BadInput(f"{pattern}: no file matches.")
    return files


def _as_counted(path: Path) -> list[tuple[int, int, str]]:
    return counting(str(path))


def named_after(given: Sequence[str]) -> str:
    """Return what to call a run after the first file, folder or glob that it comes from.

    >>> named_after(["val/200.jsonl.gz"]), named_after(["logs/*.jsonl"]), named_after(["stdin:"])
    ('200', 'logs', 'stdin')
    """
    first = given[0] if given else STDIN
    if first == STDIN:
        return "stdin"
    path = Path(first) if _ADDRESS.match(first) else Path(first).absolute()
    names = (name.partition(".")[0] for name in reversed(path.parts) if not has_magic(name))
    return next((name for name in names if re.search(r"\w", name)), "logs")


def counting(name: str) -> list[tuple[int, int, str]]:
    """Return a key by which names sort as people count.

    >>> sorted(["rs10", "rs2", "rs"], key=counting)
    ['rs', 'rs2', 'rs10']
    """
    pieces = re.findall(r"\d+|\D+", name)
    return [(0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces]
