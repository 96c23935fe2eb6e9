"""Trials: ways to score every prompt, all of them in one pass over the completions.

Fewer completions are had by sub-sampling those that are there: a draw is a random order of a
prompt's completions, of which a trial reads the first m. So the 4 completions of a draw are among
its 8, and what differs between m = 4 and m = 8 is m. The order is a function of the prompt and the
number of the draw, whatever else is scored.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from wellworn.detectors import Detector, Options
from wellworn.records import Generation, Record, Score
from wellworn.scoring import scores_of
from wellworn.scoring.matrices import from_one_matrix
from wellworn.scoring.task import settled
from wellworn.store import Store
from wellworn.threads import ordered_map


class Source(NamedTuple):
    """The completions of one setting, in one run or several."""

    setting: Generation
    stores: tuple[Store, ...]
    m: int
    """Completions of each prompt."""

    def prompt_ids(self) -> list[str]:
        """Return the ids of the prompts of all its runs, each once."""
        return list(dict.fromkeys(i for store in self.stores for i in store.prompt_ids()))

    def records(self) -> Iterator[Record]:
        """Yield the record of each prompt; that of the first run that has it."""
        seen: set[str] = set()
        for store in self.stores:
            for record in store.records(self.setting):
                if record.prompt.id not in seen:
                    seen.add(record.prompt.id)
                    yield record

    def __str__(self) -> str:
        runs = ", ".join(str(store.folder) for store in self.stores)
        return f"{runs}, setting {self.setting.id}"


class Trial(NamedTuple):
    """One way to score every prompt."""

    options: Options
    m: int
    """Completions that are read."""
    pool: int
    """Completions that a prompt must have."""
    draw: int | None = None
    """Which random order they are taken from; None: as they come."""

    def score(self, record: Record, detector: Detector) -> Score:
        """Return the score of a record that holds the pool, or the reason why it has none."""
        samples = settled(record.completions("sample"))
        m = self.m
        if self.draw is not None and len(samples) < self.pool:
            m = self.pool
        elif self.draw is not None:
            order = Random(f"{record.prompt.id} {self.draw}").sample(range(self.pool), self.pool)
            chosen = tuple(samples[place] for place in sorted(order[:m]))
            record = replace(record, probes=record.probes | {"sample": chosen})
        [score] = scores_of([record], detector, m, self.options)
        return score


class Scores:
    """The scores of a trial by prompt id, or why prompts have none."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.reasons: dict[str, str] = {}
        self.parameters: dict[str, Any] = {}
        """All that the scores depend on."""
        self.mixed: str | None = None
        """Why they do not compare with each other, if they do not."""

    def add(self, score: Score) -> None:
        """Take in the score of one more prompt."""
        if score.score is None:
            self.reasons[score.prompt_id] = score.reason or ""
            return
        self.parameters = self.parameters or score.parameters
        self.values[score.prompt_id] = score.score
        for name in {**self.parameters, **score.parameters}:
            first, other = self.parameters.get(name), score.parameters.get(name)
            if first != other and self.mixed is None:
                self.mixed = (
                    f"the scores do not compare: '{name}' is {first!r} for some prompts and "
                    f"{other!r} for others"
                )


def score_all(
    records: Iterator[Record],
    detector: Detector,
    trials: Collection[Trial],
    jobs: int,
    on_record: Callable[[], None],
) -> dict[Trial, Scores]:
    """Return the scores of all records in each trial, computed by `jobs` threads.

    Args:
        records: Read once, one at a time.
        detector: What measures.
        trials: Each of them once.
        jobs: Threads.
        on_record: Called after every record.
    """
    most = max(trial.pool for trial in trials)

    def scores(record: Record) -> Sequence[Score]:
        samples = settled(record.completions("sample"))[:most]
        measuring = from_one_matrix(detector, samples)
        return [trial.score(record, measuring) for trial in trials]

    found = {trial: Scores() for trial in trials}
    for each in ordered_map(scores, records, jobs):
        for trial, score in zip(trials, each, strict=True):
            found[trial].add(score)
        on_record()
    return found
