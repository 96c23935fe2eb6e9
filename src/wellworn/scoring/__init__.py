"""From records to scores: each record gets a number, or the reason why it has none.

All records of a run are scored at the same m, since the smallest of many distances is
smaller than the smallest of few. A record with more completions is cut to the first m; one
with fewer has no score, nor has one whose completions were generated in different ways.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from wellworn.detectors import Detector, Options, load
from wellworn.errors import BadInput
from wellworn.records import Record, Score
from wellworn.scoring.task import Task
from wellworn.threads import ordered_map


def score(
    records: Iterable[Record],
    detector: str = "min-knn",
    *,
    samples: int | None = None,
    options: Options | None = None,
    jobs: int = 1,
) -> list[Score]:
    """Return a detector's score of each record, in order.

    Args:
        records: Any number of them.
        detector: A name in `wellworn.detectors.DETECTORS`.
        samples: m, how many completions of each are read; by default the count that
            most of the records have.
        options: How they are measured.
        jobs: Threads that measure; the native distances run in parallel.

    Raises:
        BadInput: The detector is unknown, `samples` is below 1, or it is not given and no
            record has a completion.
    """
    records = list(records)
    if samples is None:
        samples = common_count(len(record.completions("sample")) for record in records)
    return list(scores_of(records, load(detector), samples, options or Options(), jobs))


def common_count(counts: Iterable[int]) -> int:
    """Return the count of completions that most prompts have; the smaller one of equals.

    Raises:
        BadInput: No prompt has a completion.
    """
    found = Counter(count for count in counts if count)
    if not found:
        raise BadInput("there is nothing to score: no prompt has a completion.")
    return max(sorted(found), key=lambda count: found[count])


def scores_of(
    records: Iterable[Record],
    detector: Detector,
    samples: int,
    options: Options,
    jobs: int = 1,
) -> Iterator[Score]:
    """Yield the score of each record, in order, at m = `samples`, from `jobs` threads.

    Raises:
        BadInput: `samples` is below 1.
    """
    for (found,) in all_scores_of(records, [detector], samples, options, jobs):
        yield found


def all_scores_of(
    records: Iterable[Record],
    detectors: Sequence[Detector],
    samples: int,
    options: Options,
    jobs: int = 1,
    noise: bool = False,
) -> Iterator[list[Score]]:
    """Yield the scores of each record by all `detectors`, in order, from `jobs` threads.

    With `noise`, that of the first one comes with the scores of parts of the samples.

    Raises:
        BadInput: `samples` is below 1, or a verifier is not known.
    """
    if samples < 1:
        raise BadInput(f"m is {samples}; it must be 1 or more.")
    tasks = [Task.of(detector, samples, options) for detector in detectors]

    def scores(record: Record) -> list[Score]:
        found = [task.score(record) for task in tasks]
        return [tasks[0].with_noise(found[0], record), *found[1:]] if noise else found

    yield from ordered_map(scores, records, jobs)
