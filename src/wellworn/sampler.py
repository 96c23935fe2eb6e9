"""From prompts to stored completions: ask a backend for what a run lacks.

The sampler asks for the union of what the detectors need, with bounded concurrency, and
commits each answer as it comes, from one thread. What is stored already is not asked for
again. A seed is a function of position (prompt, probe, index), so that resuming or
reordering changes nothing. An answer that cannot be had is a failure with a reason, and
the run goes on; a server that is gone stops it.
"""

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple

from wellworn.backends import Backend, Request
from wellworn.errors import BackendError, BadInput, Refused, Unreachable
from wellworn.probes import PROBES
from wellworn.records import Completion, Generation, digest
from wellworn.store import Store

HOPELESS = 20
"""So many refusals in a row, without one answer before them, end a run."""

OWN_FIELDS = frozenset(
    {"model", "messages", "prompt", "n", "seed", "temperature", "top_p", "stream"}
    | {"max_tokens", "max_completion_tokens", "logprobs", "top_logprobs"}
)
"""Fields of a request that no --extra-body may set behind what is recorded."""


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How completions are drawn. The defaults are those of the Min-kNN paper."""

    samples: int = 32
    """Completions of each prompt (m)."""
    temperature: float = 0.7
    """Sampling temperature."""
    top_p: float = 0.95
    """Probability of the nucleus that is sampled from."""
    max_tokens: int = 1024
    """Most new tokens of a completion."""
    seed: int = 0
    """Seed of the run; every completion's own seed follows from it."""
    extra_body: str | None = None
    """Further request fields as JSON, as '{"chat_template_kwargs": {"enable_thinking": false}}'."""

    def __post_init__(self) -> None:
        _check_range("samples", self.samples, self.samples >= 2, "2 or more")
        _check_range("temperature", self.temperature, self.temperature > 0, "above 0")
        _check_range("top-p", self.top_p, 0 < self.top_p <= 1, "above 0 and at most 1")
        _check_range("max-tokens", self.max_tokens, self.max_tokens >= 1, "1 or more")
        self._extra()

    def generation(self, model: str) -> Generation:
        """Return the parameters that completions of `model` are generated with."""
        return Generation(
            model=model,
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            extra=self._extra(),
        )

    def _extra(self) -> dict[str, Any]:
        try:
            extra = json.loads(self.extra_body or "{}")
        except json.JSONDecodeError as error:
            raise BadInput(f"--extra-body is no JSON ({error}): {self.extra_body!r:.80}") from None
        if not isinstance(extra, dict):
            raise BadInput(f"--extra-body is {self.extra_body!r:.80}; a JSON object is needed.")
        taken = sorted(OWN_FIELDS & extra.keys())
        if taken:
            raise BadInput(
                f"--extra-body sets '{taken[0]}', which wellworn sets itself and records.\n"
                f"Use the option for it, where there is one."
            )
        return extra


def _check_range(option: str, value: float, good: bool, range_: str) -> None:
    if not good:
        raise BadInput(f"--{option} is {value}; it must be {range_}.")


class Place(NamedTuple):
    """Where a completion belongs in a run file, beside its generation parameters."""

    prompt_id: str
    probe: str
    number: int
    """Which of the completions of the prompt and probe, from 0."""


Batch = Sequence[tuple[Place, Request]]
"""Completions that are asked for in one call."""


class Outcome(NamedTuple):
    """What sampling came to."""

    stored: int
    """Completions that this call added."""
    failed: int
    """Completions that could not be had."""


def seed_of(seed: int, place: Place) -> int:
    """Return the seed of one completion, from 0 to 2**31 - 1: a function of its place."""
    return int(digest([seed, *place]), 16) % 2**31


def missing(
    store: Store, needs: dict[str, int], generation: Generation, seed: int
) -> Iterator[tuple[Place, Request]]:
    """Yield the places that the run lacks, prompt by prompt, with the requests for them."""
    for prompt_id in store.prompt_ids():
        for probe, count in needs.items():
            stored = store.indices(prompt_id, probe, generation)
            if len(stored) >= count:
                continue
            prompt = PROBES[probe].ask(store.prompt(prompt_id))
            for index in sorted(set(range(count)) - stored):
                place = Place(prompt_id, probe, index)
                yield (
                    place,
                    Request(
                        prompt=prompt,
                        generation=generation,
                        index=index,
                        seed=seed_of(seed, place),
                    ),
                )


def batches(
    wanted: Iterable[tuple[Place, Request]], backend: Backend
) -> Iterator[list[tuple[Place, Request]]]:
    """Yield what is `wanted` in calls of `backend.batch`, of one prompt where it must be."""
    of_one = (lambda _: None) if backend.mixes_prompts else (lambda item: item[0][:2])
    for _, group in groupby(wanted, key=of_one):
        while batch := list(islice(group, backend.batch)):
            yield batch


def sample(
    store: Store,
    backend: Backend,
    wanted: Iterable[tuple[Place, Request]],
    on_progress: Callable[[int], None],
) -> Outcome:
    """Ask for what is `wanted` and commit the answers as they come.

    Args:
        store: Written from this thread alone.
        backend: Asked from `backend.concurrency` threads.
        wanted: Places that the run lacks, and the requests for them.
        on_progress: Told how many completions have just been stored or have failed.

    Raises:
        Unreachable: The server is gone; what had come is stored.
        BackendError: Every request so far was refused.
    """
    stored = failed = in_a_row = 0
    for batch, answer in _answers(backend, batches(wanted, backend)):
        if isinstance(answer, BackendError):
            failed += len(batch)
            in_a_row += 1
            for place, request in batch:
                store.add_failure(place, request.generation, str(answer))
            gone = isinstance(answer, Unreachable) and in_a_row >= backend.concurrency
            if gone or (in_a_row >= HOPELESS and not stored):
                raise type(answer)(
                    f"{answer}\nSo went the last {in_a_row} requests; the run stopped. "
                    f"What had come is stored: the same command goes on from there."
                )
        else:
            store.add((*place[:2], done) for (place, _), done in zip(batch, answer, strict=True))
            stored += len(batch)
            in_a_row = 0
        on_progress(len(batch))
    return Outcome(stored, failed)


def _answers(
    backend: Backend, todo: Iterator[Batch]
) -> Iterator[tuple[Batch, list[Completion] | BackendError]]:
    """Yield each batch with its answer, as they come; `todo` is read from this thread.

    After an interrupt, answers that are there already are yielded before it goes on its
    way; calls under way are left behind.
    """
    workers = _Workers(backend)
    under_way = 0
    try:
        for batch in islice(todo, 2 * backend.concurrency):
            workers.give(batch)
            under_way += 1
        while under_way:
            yield from workers.take()
            under_way -= 1
            for batch in islice(todo, 1):
                workers.give(batch)
                under_way += 1
    except KeyboardInterrupt:
        yield from workers.arrived()
        raise
    finally:
        workers.stop()


class _Workers:
    """Threads that ask a backend; they do not keep the process alive."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._tasks: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[list[tuple[Batch, Any]]] = queue.SimpleQueue()
        for _ in range(backend.concurrency):
            threading.Thread(target=self._work, daemon=True).start()

    def give(self, batch: Batch) -> None:
        self._tasks.put(batch)

    def take(self) -> Iterator[tuple[Batch, list[Completion] | BackendError]]:
        """Wait for the next answers; raise here what is a bug there."""
        for batch, answer in self._results.get():
            if isinstance(answer, BaseException) and not isinstance(answer, BackendError):
                raise answer
            yield batch, answer

    def arrived(self) -> Iterator[tuple[Batch, list[Completion] | BackendError]]:
        while not self._results.empty():
            yield from self.take()

    def stop(self) -> None:
        """Drop what has not begun, and let every thread end after its call."""
        with suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
        for _ in range(self._backend.concurrency):
            self._tasks.put(None)

    def _work(self) -> None:
        while (batch := self._tasks.get()) is not None:
            self._results.put(list(_ask(self._backend, batch)))


def _ask(backend: Backend, batch: Batch) -> Iterator[tuple[Batch, Any]]:
    """Yield the batch with its answer or its error; one refused prompt fails no other."""
    try:
        yield batch, backend.complete([request for _, request in batch])
    except Refused as error:
        by_prompt = [list(group) for _, group in groupby(batch, key=lambda item: item[0][0])]
        if len(by_prompt) == 1:
            yield batch, error
        else:
            for part in by_prompt:
                yield from _ask(backend, part)
    except Exception as error:
        yield batch, error
