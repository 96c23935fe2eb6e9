"""From records to scores: each record gets a number, or the reason why it has none.

All records of a run are scored at the same m, since the smallest of many distances is
smaller than the smallest of few. A record with more completions is cut to the first m; one
with fewer has no score.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from wellworn.detectors import Detector, Options, load
from wellworn.errors import BadInput, Unscorable
from wellworn.records import Completion, Counts, Generation, Record, Score


def score(
    records: Iterable[Record],
    detector: str = "min-knn",
    *,
    samples: int | None = None,
    options: Options | None = None,
) -> list[Score]:
    """Return a detector's score of each record, in order.

    Args:
        records: Any number of them.
        detector: A name in `wellworn.detectors.DETECTORS`.
        samples: m, how many completions of each are read; by default the count that
            most of the records have.
        options: How they are measured.

    Raises:
        BadInput: The detector is unknown, or there are no records.
    """
    records = list(records)
    if samples is None:
        samples = common_count(len(record.completions("sample")) for record in records)
    return list(scores_of(records, load(detector), samples, options or Options()))


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
    records: Iterable[Record], detector: Detector, samples: int, options: Options
) -> Iterator[Score]:
    """Yield the score of each record as it is read, at m = `samples`."""
    settled = detector.parameters(options, samples)
    for record in records:
        held = record.completions("sample")
        base: dict[str, Any] = {
            "prompt_id": record.prompt.id,
            "detector": detector.name,
            "counts": _counts(held[:samples], options),
            "parameters": {
                "samples": samples,
                **settled,
                **(_generation(held[0].generation) if held else {}),
            },
        }
        try:
            value = _measure(record, detector, samples, settled)
        except Unscorable as error:
            yield Score(**base, reason=str(error))
        else:
            yield Score(**base, value=value, score=detector.score(value))


def _measure(record: Record, detector: Detector, samples: int, settled: dict[str, Any]) -> float:
    for need in detector.needs(samples):
        held = len(record.completions(need.probe))
        if held < need.completions:
            raise Unscorable(
                f"{held} of {need.completions} completions are there ({need.probe}); "
                f"all prompts of a run are scored at the same number"
            )
    probes = {
        need.probe: record.probes[need.probe][: need.completions]
        for need in detector.needs(samples)
    }
    return detector.measure(Record(prompt=record.prompt, probes=probes), **settled)


def _generation(generation: Generation) -> dict[str, Any]:
    """Return the parameters that must be equal for scores to compare."""
    fields: dict[str, Any] = msgspec.to_builtins(generation)
    del fields["top_logprobs"]
    return fields


def _counts(completions: tuple[Completion, ...], options: Options) -> Counts:
    hidden = sum(completion.reasoning_hidden for completion in completions)
    shown = [c for c in completions if options.view == "answer" or not c.reasoning_hidden]
    texts = [completion.view(options.view) for completion in shown]
    reasons = [completion.finish_reason for completion in completions]
    return Counts(
        completions=len(completions),
        empty=sum(not text for text in texts),
        distinct=len(set(texts)),
        hidden=hidden,
        truncated=sum(reason == "length" for reason in reasons),
        finish_unknown=sum(reason is None for reason in reasons),
    )
