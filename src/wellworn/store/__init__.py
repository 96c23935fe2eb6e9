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
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from wellworn.probes import PROBES
from wellworn.records import Completion, Generation, Prompt, Record, Score
from wellworn.store.database import FILE_NAME, Database
from wellworn.store.rows import completion_of, row_of

__all__ = ["FILE_NAME", "Store"]


class Store(Database):
    """An open run. Use it as a context manager, from one thread."""

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
                body = json.dumps(msgspec.to_builtins(self._merged(prompt)))
                self._db.execute("INSERT OR REPLACE INTO prompts VALUES (?, ?)", (prompt.id, body))
                member = (name, position, prompt.id)
                self._db.execute("INSERT OR IGNORE INTO sets VALUES (?, ?, ?)", member)

    def _merged(self, prompt: Prompt) -> Prompt:
        """Return a prompt with what is known of it already; what is new holds.

        With another gold answer, readings of the old one are dropped.
        """
        if not self._db.execute("SELECT 1 FROM prompts WHERE id = ?", (prompt.id,)).fetchone():
            return prompt
        known = self.prompt(prompt.id)
        merged = replace(
            prompt,
            answer=known.answer if prompt.answer is None else prompt.answer,
            metadata=known.metadata | prompt.metadata,
        )
        if merged.answer != known.answer:
            query = "DELETE FROM completions WHERE prompt = ? AND probe LIKE 'read-gold%'"
            self._db.execute(query, (prompt.id,))
        return merged

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

    def answer(self, prompt_id: str, probe: str, setting: Generation) -> Completion | None:
        """Return the first answer to a probe, or None."""
        generation = self.generation_of(probe, setting)
        key = (prompt_id, probe, generation.id, 0)
        row = self._db.execute(f"SELECT * FROM completions WHERE {_KEY}", key).fetchone()
        return completion_of(row[4:], 0, generation) if row else None

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

    def failures(self, setting: Generation, probe: str) -> dict[str, list[str]]:
        """Return the reasons of a probe's missing completions by prompt."""
        query = (
            "SELECT prompt, reason FROM failures WHERE generation = ? AND probe = ? "
            "ORDER BY prompt, idx"
        )
        reasons: dict[str, list[str]] = {}
        key = (self.generation_of(probe, setting).id, probe)
        for prompt, reason in self._db.execute(query, key):
            reasons.setdefault(prompt, []).append(reason)
        return reasons

    def generation_of(self, probe: str, setting: Generation) -> Generation:
        """Return the parameters that a probe's answers have where samples have those of `setting`.

        Greedy answers are greedy whatever the temperature, and the control model, which
        `set_control` names, has another name.
        """
        if PROBES[probe].sampled:
            return setting
        if PROBES[probe].control:
            control = self.meta(f"control {setting.id}") or ""
            return replace(setting.greedy, model=f"{control} reading for {setting.model}")
        return setting.greedy

    def probes_of(self, setting: Generation) -> set[str]:
        """Return the probes that were asked, whether or not there is an answer."""
        query = (
            "SELECT probe, generation FROM completions UNION SELECT probe, generation FROM failures"
        )
        held = set(self._db.execute(query))
        return {name for name in PROBES if (name, self.generation_of(name, setting).id) in held}

    def set_control(self, setting: Generation, model: str) -> None:
        """Remember the control model of one that is asked with `setting`."""
        self.set_meta(f"control {setting.id}", model)

    def control_of(self, setting: Generation) -> Generation | None:
        """Return the setting of the control model, if there is one."""
        model = self.meta(f"control {setting.id}")
        return replace(setting, model=model) if model else None

    def records(self, setting: Generation) -> Iterator[Record]:
        """Yield every prompt of every set with its completions, one at a time.

        Beside samples with the parameters of `setting` they hold the answers to the other
        probes that belong to it.
        """
        made = {name: self.generation_of(name, setting) for name in PROBES}
        ids = sorted({generation.id for generation in made.values()})
        query = (
            f"SELECT probe, idx, * FROM completions WHERE prompt = ? "
            f"AND generation IN ({', '.join('?' * len(ids))}) ORDER BY probe, idx"
        )
        for prompt_id in self.prompt_ids():
            probes: dict[str, list[Completion]] = {}
            for probe, index, *row in self._db.execute(query, (prompt_id, *ids)):
                if probe in made and row[2] == made[probe].id:
                    completion = completion_of(row[4:], index, made[probe])
                    probes.setdefault(probe, []).append(completion)
            yield Record(
                prompt=self.prompt(prompt_id),
                probes={probe: tuple(items) for probe, items in probes.items()},
            )

    def clear_scores(self) -> None:
        """Drop all scores: they are of completions that are not all that there are."""
        with self.transaction():
            self._db.execute("DELETE FROM scores")
            self.set_meta("scored", None)

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

    def scored_detectors(self) -> list[str]:
        """Return the names of the detectors that have scores of prompts in a set, sorted."""
        query = (
            "SELECT DISTINCT detector FROM scores "
            "WHERE prompt IN (SELECT prompt FROM sets) ORDER BY detector"
        )
        return [detector for (detector,) in self._db.execute(query)]


_KEY = "prompt = ? AND probe = ? AND generation = ? AND idx = ?"
