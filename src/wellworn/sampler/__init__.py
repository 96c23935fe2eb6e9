"""From prompts to stored completions: ask a backend for what a run lacks.

The sampler asks for the union of what the detectors need, with bounded concurrency, and
commits each answer as it comes, from one thread. What is stored already is not asked for
again. A seed is a function of position (prompt, probe, index), so that resuming or
reordering changes nothing. An answer that cannot be had is a failure with a reason, and
the run goes on; a server that is gone stops it.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple

from wellworn.backends import Backend, Request
from wellworn.errors import BackendError, BadInput, Unreachable
from wellworn.probes import PROBES
from wellworn.records import Generation, digest
from wellworn.sampler.workers import answers
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
    logprobs: int = 0
    """Log-probabilities kept of each step; some servers give token ids only with them."""
    seed: int = 0
    """Seed of the run; every completion's own seed follows from it."""
    extra_body: str | None = None
    """Further request fields as JSON, as '{"chat_template_kwargs": {"enable_thinking": false}}'."""

    def __post_init__(self) -> None:
        _check_range("samples", self.samples, self.samples >= 2, "2 or more")
        _check_range("temperature", self.temperature, self.temperature > 0, "above 0")
        _check_range("top-p", self.top_p, 0 < self.top_p <= 1, "above 0 and at most 1")
        _check_range("max-tokens", self.max_tokens, self.max_tokens >= 1, "1 or more")
        _check_range("logprobs", self.logprobs, self.logprobs >= 0, "0 or more")
        self._extra()

    def generation(self, model: str) -> Generation:
        """Return the parameters that completions of `model` are generated with."""
        return Generation(
            model=model,
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            top_logprobs=self.logprobs,
            seed=self.seed,
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
    store: Store, needs: dict[str, int], generation: Generation
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
                        seed=seed_of(generation.seed or 0, place),
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
    for batch, answer in answers(backend, batches(wanted, backend)):
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
