"""The run file: everything of one audit in one SQLite database.

A run is a folder; its database `run.sqlite` holds prompts, completions, failures and
scores, and the reports lie beside it. A completion counts once it is committed: a
process that is killed at any moment leaves a file that the same command goes on from.
Completions have a unique key over model, prompt, probe, every generation parameter and
index, so parameters never mix. Write-ahead logging lets others read while one writes.

Texts are stored as UTF-8 that admits lone surrogates, since models emit them; signals
as float32 arrays.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import msgspec

from wellworn.errors import BadInput
from wellworn.records import SCHEMA_VERSION, Completion, Generation, Prompt, Record, Score
from wellworn.store.folders import locked, make_folder
from wellworn.store.rows import COLUMNS, completion_of, row_of

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


class Store:
    """An open run. Use it as a context manager, from one thread."""

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

    def __enter__(self) -> "Store":
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

    def put_notes(self, stage: str, notes: Iterable[str], *, extend: bool = False) -> None:
        """Keep what every report of the run must say of a stage, or this as well if `extend`."""
        with self.transaction():
            if not extend:
                self._db.execute("DELETE FROM notes WHERE stage = ?", (stage,))
            rows = [(stage, note) for note in notes]
            self._db.executemany("INSERT OR IGNORE INTO notes VALUES (?, ?)", rows)

    def notes(self, *stages: str) -> list[str]:
        """Return what a report must say of these stages."""
        query = "SELECT text FROM notes WHERE stage = ? ORDER BY rowid"
        return [text for stage in stages for (text,) in self._db.execute(query, (stage,))]

    def put_set(self, name: str, prompts: Sequence[Prompt], *, extend: bool = False) -> None:
        """Let the set `name` hold these prompts, or these as well if `extend`."""
        with self.transaction():
            if not extend:
                self._db.execute("DELETE FROM sets WHERE name = ?", (name,))
            start = len(self.set_ids(name))
            for position, prompt in enumerate(prompts, start):
                body = json.dumps(msgspec.to_builtins(prompt))
                self._db.execute("INSERT OR IGNORE INTO prompts VALUES (?, ?)", (prompt.id, body))
                member = (name, position, prompt.id)
                self._db.execute("INSERT OR IGNORE INTO sets VALUES (?, ?, ?)", member)

    def set_ids(self, name: str) -> list[str]:
        """Return the ids of the prompts in a set, in order."""
        query = "SELECT prompt FROM sets WHERE name = ? ORDER BY position"
        return [prompt for (prompt,) in self._db.execute(query, (name,))]

    def prompt(self, prompt_id: str) -> Prompt:
        """Return a stored prompt."""
        row = self._db.execute("SELECT body FROM prompts WHERE id = ?", (prompt_id,)).fetchone()
        return msgspec.convert(json.loads(row[0]), Prompt)

    def prompt_ids(self) -> list[str]:
        """Return the ids of all prompts of all sets, suspects first, in order."""
        query = "SELECT prompt FROM sets ORDER BY name DESC, position"
        return list(dict.fromkeys(prompt for (prompt,) in self._db.execute(query)))

    def generations(self) -> list[Generation]:
        """Return the parameters that the run holds completions of, latest used last."""
        bodies = self._db.execute("SELECT body FROM generations ORDER BY rowid")
        return [msgspec.convert(json.loads(body), Generation) for (body,) in bodies]

    def use(self, generation: Generation) -> None:
        """Make `generation` the latest used, which is the one that is scored."""
        body = json.dumps(msgspec.to_builtins(generation))
        with self.transaction():
            row = (generation.id, body)
            self._db.execute("INSERT OR REPLACE INTO generations VALUES (?, ?)", row)

    def has_completions(self, generation: Generation) -> bool:
        """Return whether any completion of these parameters is stored."""
        query = "SELECT 1 FROM completions WHERE generation = ? LIMIT 1"
        return self._db.execute(query, (generation.id,)).fetchone() is not None

    def indices(self, prompt_id: str, probe: str, generation: Generation) -> set[int]:
        """Return which completions of a prompt and probe are stored."""
        query = "SELECT idx FROM completions WHERE prompt = ? AND generation = ? AND probe = ?"
        return {i for (i,) in self._db.execute(query, (prompt_id, generation.id, probe))}

    def counts(self, probe: str, generation: Generation) -> list[int]:
        """Return how many completions of a probe each prompt has that has any."""
        query = (
            "SELECT COUNT(*) FROM completions JOIN (SELECT DISTINCT prompt AS member FROM sets) "
            "ON prompt = member WHERE generation = ? AND probe = ? GROUP BY prompt"
        )
        return [count for (count,) in self._db.execute(query, (generation.id, probe))]

    def add(self, answers: Iterable[tuple[str, str, Completion]]) -> None:
        """Commit (prompt id, probe, completion) together; what is there already stays."""
        with self.transaction():
            for prompt_id, probe, completion in answers:
                key = (prompt_id, probe, completion.generation.id, completion.index)
                row = row_of(completion)
                marks = ", ".join("?" * (len(key) + len(row)))
                insert = f"INSERT OR IGNORE INTO completions VALUES ({marks})"
                self._db.execute(insert, (*key, *row))
                self._db.execute(f"DELETE FROM failures WHERE {_KEY}", key)

    def add_failure(self, place: tuple[str, str, int], generation: Generation, reason: str) -> None:
        """Commit why the completion at (prompt id, probe, index) is missing."""
        prompt_id, probe, index = place
        row = (prompt_id, probe, generation.id, index, reason)
        with self.transaction():
            self._db.execute("INSERT OR REPLACE INTO failures VALUES (?,?,?,?,?)", row)

    def failures(self, generation: Generation) -> dict[str, list[str]]:
        """Return the reasons of missing completions by prompt."""
        query = "SELECT prompt, reason FROM failures WHERE generation = ? ORDER BY prompt, idx"
        reasons: dict[str, list[str]] = {}
        for prompt, reason in self._db.execute(query, (generation.id,)):
            reasons.setdefault(prompt, []).append(reason)
        return reasons

    def records(self, generation: Generation) -> Iterator[Record]:
        """Yield every prompt of every set with its completions, one at a time."""
        query = (
            "SELECT probe, idx, * FROM completions "
            "WHERE prompt = ? AND generation = ? ORDER BY probe, idx"
        )
        for prompt_id in self.prompt_ids():
            probes: dict[str, list[Completion]] = {}
            for probe, index, *row in self._db.execute(query, (prompt_id, generation.id)):
                completion = completion_of(row[4:], index, generation)
                probes.setdefault(probe, []).append(completion)
            yield Record(
                prompt=self.prompt(prompt_id),
                probes={probe: tuple(items) for probe, items in probes.items()},
            )

    def put_scores(self, scores: Iterable[Score]) -> None:
        """Commit scores; a detector's earlier score of the same prompt is replaced."""
        with self.transaction():
            for score in scores:
                row = (score.prompt_id, score.detector, msgspec.json.encode(score).decode())
                self._db.execute("INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", row)

    def scores(self, detector: str) -> list[Score]:
        """Return a detector's scores of the prompts that are in a set now, in order."""
        query = "SELECT prompt, body FROM scores WHERE detector = ?"
        bodies = dict(self._db.execute(query, (detector,)).fetchall())
        return [
            msgspec.json.decode(bodies[prompt], type=Score)
            for prompt in self.prompt_ids()
            if prompt in bodies
        ]


_KEY = "prompt = ? AND probe = ? AND generation = ? AND idx = ?"
