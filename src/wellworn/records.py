"""What the whole flow speaks of: prompts, completions, records, scores.

Every type is frozen and holds plain values, so that a record read from a run file,
from another tool's log or built by hand in a notebook is the same thing. Nothing here
says whether a prompt was trained on: labels join scores in `wellworn.statistics`, and
no detector can read what a record does not hold.
"""

import hashlib
import json
from typing import Any, Literal

import msgspec

from wellworn.errors import BadInput, Unscorable

SCHEMA_VERSION = 2
"""The version of these types as a run file stores them."""

TOP = 20
"""Log-probabilities a step of a greedy answer, where none were asked for: what servers allow."""

View = Literal["full", "reasoning", "answer"]
"""Which part of a completion is compared: both parts, the chain of thought, or the rest."""


class Message(msgspec.Struct, frozen=True):
    """One turn of a chat."""

    role: str
    content: str


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked: a chat, or a raw text that it continues.

    Exactly one of `messages` and `text` is given. A chat goes through the model's chat
    template; a text reaches the model as it stands.
    """

    messages: tuple[Message, ...] = ()
    text: str | None = None
    source: str = ""
    """Where it was read: a file and a line, or the name of a data set."""
    metadata: dict[str, Any] = {}
    """The other fields of its row, as JSON values."""
    answer: str | None = None
    """The gold answer as the data give it: verifiers and probes read it, detectors never."""

    def __post_init__(self) -> None:
        if bool(self.messages) == (self.text is not None):
            raise BadInput(
                f"{self.source or 'a prompt'}: a prompt is either a chat or a text; "
                f"this one has {len(self.messages)} messages and text {self.text!r}."
            )

    @property
    def id(self) -> str:
        """The first 16 hexadecimal digits of a SHA-256 over what the model is asked.

        Source, metadata and answer do not enter it: the same question is the same prompt.
        """
        if self.text is not None:
            return digest(["text", self.text])
        return digest([[message.role, message.content] for message in self.messages])

    @property
    def question(self) -> str:
        """What is asked, without roles and with white space collapsed.

        Two prompts with one question are no two questions, whatever their ids.
        """
        turns = [self.text or ""] if self.text is not None else [t.content for t in self.messages]
        return " ".join(" ".join(turns).split())

    @property
    def shown(self) -> str:
        """The last turn, or the text: what a person recognises the prompt by."""
        return self.text if self.text is not None else self.messages[-1].content


def chat(content: str, *, system: str | None = None) -> Prompt:
    """Return the prompt that asks `content` as a user, under a `system` message if given."""
    turns = [Message("system", system)] if system else []
    return Prompt(messages=(*turns, Message("user", content)))


class Generation(msgspec.Struct, frozen=True, kw_only=True):
    """Every parameter that a completion was generated with.

    None means that it is not known, as in another tool's log. Completions of different
    parameters are never scored together.
    """

    model: str
    """The model as the user names it, with a fingerprint where it is a local file."""
    temperature: float | None = None
    """Divides the logits; 0 is greedy decoding."""
    top_p: float | None = None
    """The smallest set of tokens with this total probability is sampled from."""
    max_tokens: int | None = None
    """The most tokens that a completion may have."""
    top_logprobs: int = 0
    """How many log-probabilities a step were asked for; 0 asks for none."""
    seed: int | None = None
    """Seed of the run, from which every completion's own seed follows."""
    extra: dict[str, Any] = {}
    """Further fields of the request body, as the user gave them."""

    @property
    def id(self) -> str:
        """A digest of all of it; the key of the setting in a run file."""
        return digest(msgspec.to_builtins(self))

    @property
    def greedy(self) -> "Generation":
        """The same with greedy decoding, which no seed changes, and log-probabilities."""
        return msgspec.structs.replace(
            self, temperature=0.0, top_p=1.0, seed=None, top_logprobs=self.top_logprobs or TOP
        )


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of a completion, one for each of its tokens, in nats.

    They describe the distribution before temperature and truncation. With `top_k` given,
    the sums run over the top k tokens only and are not renormalised; the usual entropies
    follow from them (H = entropy, S = mass, both of one step):

        raw           H
        renormalised  H / S + ln S
        rest          H - (1 - S) ln (1 - S)
    """

    top_k: int | None
    """How many tokens a step the sums run over; None is the whole vocabulary."""
    logprobs: tuple[float, ...]
    """Log-probability of the chosen token; NaN where the server does not say it."""
    entropy: tuple[float, ...]
    """-sum p ln p. Its negative is the first moment of ln p."""
    mass: tuple[float, ...]
    """sum p: 1 for the whole vocabulary."""
    second_moment: tuple[float, ...]
    """sum p (ln p)^2."""
    tops: tuple[tuple[float, ...], ...] = ()
    """The largest log-probabilities of each step, in descending order, as many at each; kept
    where there is one answer, and not for samples."""


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a model."""

    text: str
    """What follows the reasoning; everything, where the reasoning is not set apart."""
    reasoning: str | None = None
    """The chain of thought, where the server or think tags set it apart."""
    reasoning_hidden: bool = False
    """The model reasoned, but the log shows nothing of it, or a summary."""
    finish_reason: str | None = None
    """Why it ended: "stop", "length", or what the server says; None is unknown."""
    token_ids: tuple[int, ...] | None = None
    signals: Signals | None = None
    seed: int | None = None
    index: int = 0
    """Its position among the completions of its prompt and probe."""
    cut: int = 0
    """Characters of an earlier answer that its question left out, to fit into the context."""
    generation: Generation = Generation(model="unknown")

    def view(self, view: View = "full") -> str:
        """Return the part of the completion that `view` names.

        The full view of a reasoned answer is the reasoning, a line break and the answer,
        without tags, so that servers with and without a reasoning parser give one text.

        Raises:
            Unscorable: The reasoning is hidden and the view would need it.
        """
        if view == "answer":
            return self.text
        if self.reasoning_hidden:
            raise Unscorable(
                f"the reasoning of completion {self.index} is hidden, so the {view} view "
                f"cannot be read; `--view answer` compares the answers alone"
            )
        if view == "reasoning":
            return self.reasoning or ""
        return f"{self.reasoning}\n{self.text}" if self.reasoning else self.text


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt and what a model answered, by probe: all that a detector may read."""

    prompt: Prompt
    probes: dict[str, tuple[Completion, ...]]

    def completions(self, probe: str) -> tuple[Completion, ...]:
        """Return the completions of a `probe`, in order; none if it was not asked."""
        return self.probes.get(probe, ())


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What the completions behind a score were like, in the view that was scored."""

    completions: int = 0
    empty: int = 0
    distinct: int = 0
    """How many different texts there are."""
    hidden: int = 0
    """Completions whose reasoning is hidden."""
    replayed: int = 0
    """Completions of requests that were answered, text by text, as an earlier one was."""
    filtered: int = 0
    """Completions that a content filter ended or replaced."""
    truncated: int = 0
    """Completions that ended because they reached the most tokens."""
    finish_unknown: int = 0
    """Completions of which nothing says why they ended."""
    cut: int = 0
    """Completions whose question had to leave out a part of an earlier answer."""
    length: float = 0.0
    """Mean characters of those that show their view."""


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What a detector says of one record: a number, or the reason why there is none."""

    prompt_id: str
    detector: str
    value: float | None = None
    """The number as its paper defines it."""
    score: float | None = None
    """The number to rank by: higher means more likely trained on."""
    reason: str | None = None
    """Why there is no number."""
    parts: dict[str, float] = {}
    """Numbers that the value is made of, or that help to read it."""
    without: tuple[float, ...] = ()
    """The score without each of the samples, where that was asked for."""
    halves: tuple[float, ...] = ()
    """The score of the first half of the samples and of the rest, where that was asked for."""
    counts: Counts = Counts()
    parameters: dict[str, Any] = {}
    """Everything that the number depends on. Scores compare only where these are equal."""


def digest(value: Any) -> str:
    """Return 16 hexadecimal digits that depend on a JSON value alone.

    Keys are sorted and any Unicode is taken, lone surrogates too.

    >>> digest(["text", "2 + 2 = ?"])
    '2ed36cedde15f414'
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
