"""An open database of a run: its tables, one writer at a time, and values by key."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TextIO

from wellworn.errors import BadInput
from wellworn.records import SCHEMA_VERSION
from wellworn.store.folders import locked, make_folder
from wellworn.store.rows import COLUMNS

FILE_NAME = "run.sqlite"

_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE prompts (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE sets (name TEXT, position INTEGER, prompt TEXT, PRIMARY KEY (name, prompt));
CREATE TABLE generations (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE completions (prompt TEXT, probe TEXT, generation TEXT, idx INTEGER, {COLUMNS},
    PRIMARY KEY (prompt, generation, probe, idx));
CREATE TABLE failures (prompt TEXT, probe TEXT, generation TEXT, idx INTEGER, reason TEXT,
    PRIMARY KEY (prompt, generation, probe, idx));
CREATE TABLE scores (prompt TEXT, detector TEXT, body TEXT, PRIMARY KEY (prompt, detector));
CREATE TABLE notes (stage TEXT, text TEXT, PRIMARY KEY (stage, text));
"""


class Database:
    """The database in the folder of a run. A context manager, for one thread."""

    def __init__(self, run: str | Path, *, create: bool = False) -> None:
        """Open the run in the folder `run`, or make it if `create`.

        Who creates may change the run, and is alone in that until it is closed.

        Raises:
            BadInput: There is no run there, it is none that this version reads, or another
                process is changing it.
        """
        self.folder = Path(run)
        self._lock: TextIO | None = None
        path = self.folder / FILE_NAME
        if create:
            make_folder(self.folder)
            self._lock = locked(self.folder)
        elif not path.is_file():
            raise BadInput(
                f"{run}: no run is there ({FILE_NAME} is missing).\n"
                f"Make one with `wellworn sample … -o {run}` or `wellworn import … -o {run}`."
            )
        try:
            self._open(path)
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{path}: this is no run of wellworn ({error}).") from None

    def _open(self, path: Path) -> None:
        self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        with self.transaction():
            if not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._db.execute(statement)
                self.set_meta("schema_version", SCHEMA_VERSION)
        version = self.meta("schema_version")
        if version != SCHEMA_VERSION:
            raise BadInput(
                f"{path}: the run has schema version {version}; "
                f"this wellworn reads version {SCHEMA_VERSION}.\n"
                f"Export it with the version that wrote it, and import it with this one."
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
        if self._lock:
            self._lock.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all that is done inside together, or nothing of it."""
        if self._db.in_transaction:
            yield
            return
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    def meta(self, key: str) -> Any:
        """Return the JSON value under `key`, or None."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def set_meta(self, key: str, value: Any) -> None:
        """Keep a JSON value under `key`."""
        with self.transaction():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))
