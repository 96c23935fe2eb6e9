"""From prompts to stored completions: ask a backend for what a run lacks.

The sampler asks for the union of what the detectors need, with bounded concurrency, and
commits each answer as it comes, from one thread. What is stored already is not asked for
again. A seed is a function of position (prompt, probe, index), so that resuming or
reordering changes nothing. An answer that cannot be had is a failure with a reason, and
the run goes on; a server that is gone stops it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from wellworn.backends import Backend
from wellworn.errors import BackendError, BadInput, Unable, Unreachable
from wellworn.records import TOP, Generation
from wellworn.sampler.wanted import Wanted, batches
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
    """Log-probabilities asked for at each step; by default 20 where a detector reads them."""
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

    def generation(self, model: str, *, signals: bool = False) -> Generation:
        """Return the parameters that completions of `model` are sampled with.

        Args:
            model: Its identity.
            signals: Whether something reads the log-probabilities of samples.
        """
        return Generation(
            model=model,
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            top_logprobs=self.logprobs or (TOP if signals else 0),
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


class Outcome(NamedTuple):
    """What sampling came to."""

    stored: int
    """Completions that this call added."""
    failed: int
    """Completions that could not be had."""

    def __add__(self, other: "Outcome") -> "Outcome":  # type: ignore[override]
        return Outcome(self.stored + other.stored, self.failed + other.failed)


def sample(
    store: Store,
    backend: Backend,
    wanted: Iterable[Wanted],
    on_progress: Callable[[int], None],
) -> Outcome:
    """Ask for what is `wanted` and commit the answers as they come.

    Args:
        store: Written from this thread alone.
        backend: Asked from `backend.concurrency` threads.
        wanted: What the run lacks of one probe.
        on_progress: Told how many completions have just been stored or have failed.

    Raises:
        Unreachable: The server is gone; what had come is stored.
        Unable: It cannot answer this probe.
        BackendError: Every request so far was refused.
    """
    stored = failed = in_a_row = 0
    for batch, answer in answers(backend, batches(wanted, backend)):
        if isinstance(answer, BackendError):
            failed += len(batch)
            in_a_row += 1
            for place, request, *_ in batch:
                store.add_failure(place, request.generation, str(answer))
            if isinstance(answer, Unable):
                raise answer
            gone = isinstance(answer, Unreachable) and in_a_row >= backend.concurrency
            if gone or (in_a_row >= HOPELESS and not stored):
                raise type(answer)(
                    f"{answer}\nSo went the last {in_a_row} requests; the run stopped. "
                    f"What had come is stored: the same command goes on from there."
                )
        else:
            store.add((*each.place[:2], done) for each, done in zip(batch, answer, strict=True))
            stored += len(batch)
            in_a_row = 0
        on_progress(len(batch))
    return Outcome(stored, failed)
