"""From records to scores: each record gets a number, or the reason why it has none.

All records of a run are scored at the same m, since the smallest of many distances is
smaller than the smallest of few. A record with more completions is cut to the first m; one
with fewer has no score, nor has one whose completions were generated in different ways.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isfinite
from typing import Any

import msgspec

from wellworn.detectors import Detector, Options, load
from wellworn.errors import BadInput, Unscorable
from wellworn.records import Completion, Counts, Generation, Record, Score
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
    if samples < 1:
        raise BadInput(f"m is {samples}; it must be 1 or more.")
    parameters = detector.parameters(options, samples)
    yield from ordered_map(
        lambda record: _score_of(record, detector, options, {"samples": samples, **parameters}),
        records,
        jobs,
    )


def _score_of(
    record: Record, detector: Detector, options: Options, parameters: dict[str, Any]
) -> Score:
    record = _settled(record)
    held = record.completions("sample")
    base: dict[str, Any] = {
        "prompt_id": record.prompt.id,
        "detector": detector.name,
        "counts": _counts(held[: parameters["samples"]], options),
        "parameters": parameters | (_generation(held[0].generation) if held else {}),
    }
    try:
        value = _measure(record, detector, **parameters)
    except Unscorable as error:
        return Score(**base, reason=str(error))
    return Score(**base, value=value, score=detector.score(value))


def _settled(record: Record) -> Record:
    probes = {probe: settled(completions) for probe, completions in record.probes.items()}
    return msgspec.structs.replace(record, probes=probes)


def _measure(record: Record, detector: Detector, samples: int, **parameters: Any) -> float:
    """Measure what the detector needs and no more: metadata, which may hold labels, stays out."""
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
    for completions in probes.values():
        if parameters.get("view", "full") != "full":
            _check_whole(completions)
        _check_alike([completion.generation for completion in completions])
    prompt = msgspec.structs.replace(record.prompt, source="", metadata={})
    value = detector.measure(Record(prompt=prompt, probes=probes), **parameters)
    if not isfinite(value):
        raise Unscorable(f"{detector.name} gives {value}, which is no number to rank by")
    return value


def _check_whole(completions: Sequence[Completion]) -> None:
    """Raise Unscorable if a completion was cut off where nothing tells which part that is in."""
    for completion in completions:
        if completion.reasoning is None and completion.finish_reason == "length":
            raise Unscorable(
                f"completion {completion.index} was cut off, and nothing tells whether while "
                f"reasoning or answering; only `--view full` can read it"
            )


def _check_alike(generations: Sequence[Generation]) -> None:
    """Raise Unscorable if completions were generated with different parameters."""
    first = _generation(generations[0])
    for other in generations[1:]:
        if other is not generations[0]:
            for name, value in _generation(other).items():
                if value != first[name]:
                    raise Unscorable(
                        f"its completions do not compare: '{name}' is {first[name]!r} for some "
                        f"and {value!r} for others"
                    )


def _generation(generation: Generation) -> dict[str, Any]:
    """Return the parameters that must be equal for scores to compare: not the seed."""
    fields: dict[str, Any] = msgspec.to_builtins(generation)
    del fields["top_logprobs"], fields["seed"]
    return fields


def _counts(completions: Sequence[Completion], options: Options) -> Counts:
    hidden = sum(completion.reasoning_hidden for completion in completions)
    shown = [c for c in completions if options.view == "answer" or not c.reasoning_hidden]
    texts = [completion.view(options.view) for completion in shown]
    reasons = [completion.finish_reason for completion in completions]
    return Counts(
        completions=len(completions),
        empty=sum(not text.strip() for text in texts),
        distinct=len(set(texts)),
        hidden=hidden,
        replayed=_replayed(completions),
        filtered=sum(reason == "content_filter" for reason in reasons),
        truncated=sum(reason == "length" for reason in reasons),
        finish_unknown=sum(reason is None for reason in reasons),
    )


def _replayed(completions: Sequence[Completion]) -> int:
    """Return how many completions came in replies that a server seems to have repeated.

    The completions of one request have one seed. A reply repeats an earlier one if it has at
    least three different texts and the same in the same order; and a server repeats one text
    for all choices if every reply holds one text, but not all the same. A model that has
    collapsed does neither, but by a rare chance.
    """
    replies = [
        tuple(completion.text for completion in group)
        for seed, group in groupby(completions, key=lambda completion: completion.seed)
        if seed is not None
    ]
    constant = [reply for reply in replies if len(reply) > 1 and len(set(reply)) == 1]
    if len(constant) == len(replies) and len(set(constant)) > 1:
        return sum(len(reply) - 1 for reply in constant)
    seen: set[tuple[str, ...]] = set()
    count = 0
    for reply in replies:
        count += len(reply) if reply in seen and len(set(reply)) > 2 else 0
        seen.add(reply)
    return count


def settled(completions: Sequence[Completion]) -> tuple[Completion, ...]:
    """Return completions of which those cut off while thinking have their text as reasoning.

    Where a chat template opens the reasoning, a completion without the closing tag is all
    reasoning; that others of the same prompt have one tells.
    """
    if all(completion.reasoning is None for completion in completions):
        return tuple(completions)
    return tuple(
        msgspec.structs.replace(completion, reasoning=completion.text, text="")
        if completion.reasoning is None and completion.finish_reason == "length"
        else completion
        for completion in completions
    )
