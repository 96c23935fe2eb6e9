"""The folder of a run: made, and held by one writer at a time."""

import fcntl
from pathlib import Path
from typing import TextIO

from wellworn.errors import BadInput


def locked(folder: Path) -> TextIO:
    """Return a lock on the run, which ends with the process at the latest.

    Raises:
        BadInput: Another process holds it.
    """
    lock = (folder / "run.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise BadInput(
            f"{folder}: another process is sampling or importing into this run.\n"
            f"Wait for it, or give another folder with -o."
        ) from None
    return lock


def make_folder(folder: Path) -> None:
    """Make the folder of a run, if it is not there yet.

    Raises:
        BadInput: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"{folder}: the run's folder cannot be made ({error.strerror}).\n"
            f"Give another one with -o."
        ) from None
