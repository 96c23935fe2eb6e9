"""Where completions come from: one module a backend, named provider/name as in Inspect.

    openai/NAME       any server that speaks OpenAI's API, at --base-url
    hf/NAME_OR_PATH   a transformers model in this process
    gguf/PATH         a GGUF file, served by llama.cpp in a process beside this one
    fake/SCRIPT.json  scripted answers, for tests, documentation and dry runs

A backend is a function from a `Target` to an object with the one method `complete`. A
new one is a module and a line in `BACKENDS`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

import msgspec

from wellworn.errors import BadInput, unknown
from wellworn.records import Completion, Generation, Prompt

BACKENDS: dict[str, tuple[str, str]] = {
    "openai": ("wellworn.backends.openai:connect", "any OpenAI-compatible server, at --base-url"),
    "hf": (
        "wellworn.backends.hf:load",
        "a transformers model: a name on the Hub, a folder, a GGUF",
    ),
    "gguf": (
        "wellworn.backends.gguf:serve",
        "a GGUF file, served by llama.cpp in a process beside this one",
    ),
    "fake": ("wellworn.backends.fake:read", "scripted answers from a JSON file, without a model"),
}
"""Provider: where its function lies, and what it is."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """Which model to ask, and how hard."""

    model: str
    """Provider and name: openai/NAME, hf/NAME, gguf/PATH or fake/SCRIPT.json."""
    base_url: str | None = None
    """Where the server listens, as http://localhost:8000/v1 (openai/ only)."""
    api_key: str | None = None
    """Key of the server; without it, OPENAI_API_KEY is used."""
    same_model: bool = False
    """The server serves the model that the run began with, though at another address."""
    concurrency: int = 16
    """Requests under way at once."""
    choices: int = 8
    """Completions asked for in one request, where the server can (n)."""
    timeout: float = 600.0
    """Seconds that one request may take."""
    retries: int = 6
    """Further tries after a 429, a 5xx, a timeout or a broken connection."""
    device: str = "auto"
    """Where a transformers model runs: auto, cpu, cuda, cuda:1 (hf/ only)."""
    context: int = 2048
    """Tokens of context for each completion under way (gguf/ only)."""

    def __post_init__(self) -> None:
        for name, least in (("concurrency", 1), ("choices", 1), ("retries", 0), ("context", 1)):
            value = getattr(self, name)
            if value < least:
                raise BadInput(f"--{name} is {value}; it must be {least} or more.")
        if not self.timeout > 0:
            raise BadInput(f"--timeout is {self.timeout}; it must be above 0.")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One completion that is wanted."""

    prompt: Prompt
    """What the model is asked: a probe has been applied already."""
    generation: Generation
    index: int
    """Its position among the completions of its prompt and probe."""
    seed: int
    reads: str | None = None
    """The text that the model reads after the prompt, for its signals; None: it writes."""
    quotes: bool = False
    """The prompt quotes an answer that can be cut, so nothing else may be cut for room."""


class Capability(msgspec.Struct, frozen=True):
    """One thing that a model can or cannot do, as found by asking it."""

    name: str
    able: bool | None
    """None: it could not be told."""
    detail: str


class Backend(Protocol):
    """A model that answers."""

    identity: str
    """The model's name, with a fingerprint of its weights where they are local."""
    address: str
    """Where it is asked; empty for a model whose fingerprint is in its identity."""
    concurrency: int
    """How many calls of `complete` may run at once."""
    batch: int
    """How many requests a call takes."""
    mixes_prompts: bool
    """Whether the requests of a call may be about different prompts."""
    notes: list[str]
    """What a report must say of how the model answered."""

    left_out: list[str]
    """Neutral sampling fields that the model's server refuses."""

    def check(self, *, raw: bool = False) -> list[Capability]:
        """Ask with tiny requests what the model can do, and plan the later ones by it.

        Args:
            raw: Ask as for texts to continue, without a chat template.

        Raises:
            BackendError: The model does not answer at all.
        """
        ...

    def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Return one completion for each request, in order. Called from several threads.

        The requests share their generation parameters, and all write or all read. What is
        read comes back as the text of a completion, with signals and token ids of its tokens;
        the first token of a text that stands alone has no probability, and is left out.

        Raises:
            TooLong: Some do not fit into the context.
            BackendError: The model refuses, or does not answer.
        """
        ...

    def close(self) -> None:
        """Let go of what the backend holds."""
        ...


def open_backend(target: Target) -> Backend:
    """Return the backend that `target.model` names.

    Raises:
        BadInput: The name has no provider, or an unknown one.
        BackendError: A package or a file that it needs is missing.
    """
    provider, slash, name = target.model.partition("/")
    if not slash or not name:
        raise BadInput(
            f"the model is given as '{target.model}', without a provider. "
            f"Write provider/name, as in openai/{target.model or 'NAME'}.\n"
            f"Known providers: {', '.join(sorted(BACKENDS))}."
        )
    if provider not in BACKENDS:
        raise BadInput(unknown("provider", provider, BACKENDS))
    module, _, function = BACKENDS[provider][0].partition(":")
    backend: Backend = getattr(import_module(module), function)(target)
    return backend
