"""Any server that speaks OpenAI's API: OpenAI, vLLM, SGLang, llama.cpp, Ollama, gateways.

Servers differ in what they take. All sampling parameters are sent, since servers have
defaults of their own (llama.cpp samples with top_k 40 and min_p 0.05, vLLM with the
model's generation_config.json), and what a server refuses is left out from then on and
noted. Where a server has no n, ignores it or repeats one text n times, each completion
is asked for alone.

The official client retries 408, 409, 429, 5xx, timeouts and broken connections with
backoff; other refusals are not repeated.
"""

import os
import re
from collections.abc import Sequence
from threading import Lock
from typing import Any

from wellworn.backends import Capability, Request, Target
from wellworn.backends.bodies import NEUTRAL, OPTIONAL, SHAPING, body_of
from wellworn.backends.check import check
from wellworn.backends.reading import read
from wellworn.backends.replies import completions_of
from wellworn.errors import BackendError, Refused, TooLong, Unreachable
from wellworn.records import Completion, Prompt

_CONTEXT = re.compile(
    r"context[ _](length|size|window)|maximum context|max_model_len|prompt is too long"
)
"""How servers say that a request does not fit into the context."""


def connect(target: Target) -> "Server":
    """Return the backend for `target.base_url`, or for OpenAI itself without one."""
    return Server(target)


class Server:
    """An OpenAI-compatible server. Thread-safe."""

    mixes_prompts = False

    def __init__(self, target: Target) -> None:
        import openai

        self.identity = target.model
        self.concurrency = target.concurrency
        self.batch = target.choices
        self.notes: list[str] = []
        self._name = target.model.partition("/")[2]
        self._refused: set[str] = set()
        self._learning = False
        self._lock = Lock()
        try:
            self._client = openai.OpenAI(
                base_url=target.base_url,
                api_key=target.api_key or (_key() if target.base_url else None),
                timeout=target.timeout,
                max_retries=target.retries,
            )
        except openai.OpenAIError:
            raise BackendError(
                f"{target.model}: no --base-url is given, so OpenAI itself is meant, "
                f"and no key is there.\nGive --base-url, or set OPENAI_API_KEY."
            ) from None
        self.address = str(self._client.base_url)

    def check(self, *, raw: bool = False) -> list[Capability]:
        """Ask with two tiny requests what the server can do; plan the later ones by it.

        Only now is a refused field left out. Later, a refusal concerns its own request:
        or one odd prompt would change how all that follow are sampled.
        """
        self._learning = True
        try:
            return check(self, raw=raw)
        finally:
            self._learning = False

    @property
    def left_out(self) -> list[str]:
        """The sampling fields that the server refuses, so that its own defaults hold."""
        return sorted(self._refused & set(NEUTRAL))

    def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Return one completion for each request; all are of one prompt."""
        if requests[0].reads is not None:
            return [read(self.ask, request) for request in requests]
        done: list[Completion] = []
        while len(done) < len(requests):
            wanted = requests[len(done) : len(done) + self.batch]
            found = self._completions(self.ask(wanted), wanted)
            if len(found) < min(len(wanted), self.batch):
                self.ask_singly(f"it returned {len(found)} of {len(wanted)} choices")
            done.extend(found)
        return done

    def _completions(self, reply: dict[str, Any], requests: Sequence[Request]) -> list[Completion]:
        try:
            found = completions_of(reply, requests)
        except BackendError as error:
            raise BackendError(f"{self._place}: {error}") from None
        if not found:
            raise BackendError(f"{self._place}: the reply has no choices: {reply!r:.200}")
        if requests[0].quotes and any(map(_stopped_short, found)):
            raise TooLong(f"{self._place}: the context ended before the most new tokens")
        return found

    def ask(self, requests: Sequence[Request], **more: Any) -> dict[str, Any]:
        """Return the reply to one request for len(requests) choices, as JSON.

        Raises:
            TooLong: It does not fit into the context.
            Refused: The server takes no form of it, even without the fields that it named.
            Unreachable: It does not answer.
            BackendError: It answers with another error.
        """
        import openai

        while True:
            body = self._body(requests, more)
            try:
                return self._post(requests[0].prompt, body)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if self._learning and self._learn(error.message, body):
                    continue
                if _CONTEXT.search(error.message):
                    raise TooLong(self._answered(error), range(len(requests))) from None
                if len(requests) > 1:
                    return self._ask_fewer(requests, more)
                raise Refused(self._answered(error)) from None
            except openai.APIConnectionError as error:
                raise Unreachable(self._unreached(error)) from None
            except openai.APIStatusError as error:
                raise BackendError(self._answered(error)) from None

    def ask_singly(self, reason: str) -> None:
        """From now on ask for one completion a request, because of `reason`."""
        with self._lock:
            if self.batch > 1:
                self.batch = 1
                self.notes.append(
                    f"{self._place}: {reason}; completions were asked for one by one."
                )

    def refuse(self, field: str) -> None:
        """From now on leave a field out of requests, since the server refuses it."""
        with self._lock:
            new = field not in self._refused
            self._refused.add(field)
            if new and field in SHAPING:
                self.notes.append(f"{self._place}: the server refuses '{field}'; it was left out.")

    def takes(self, field: str) -> bool:
        """Whether the server has not refused a field."""
        return field not in self._refused

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def _place(self) -> str:
        return f"{self.identity} at {self.address}"

    def _body(self, requests: Sequence[Request], more: dict[str, Any]) -> dict[str, Any]:
        body = {"model": self._name, **body_of(requests, self.takes("max_tokens")), **more}
        return {field: value for field, value in body.items() if self.takes(field)}

    def _post(self, prompt: Prompt, body: dict[str, Any]) -> dict[str, Any]:
        path = "/chat/completions" if prompt.messages else "/completions"
        try:
            reply = self._client.post(path, body=body, cast_to=object)
        except ValueError as error:
            raise BackendError(f"{self._place}: the reply is no JSON ({error})") from None
        if not isinstance(reply, dict):
            raise BackendError(f"{self._place}: the reply is no JSON object: {reply!r:.200}")
        return reply

    def _learn(self, message: str, body: dict[str, Any]) -> bool:
        """Leave out what a refusal names; return whether that changes the request."""
        if "max_completion_tokens" in message and "max_tokens" in body and "upport" in message:
            self.refuse("max_tokens")
            return True
        named = [field for field in OPTIONAL if field in body and _names(message, field)]
        for field in named:
            self.refuse(field)
        return bool(named)

    def _ask_fewer(self, requests: Sequence[Request], more: dict[str, Any]) -> dict[str, Any]:
        """Ask for half as many choices; remember it if that is what the server takes."""
        fewer = len(requests) // 2
        reply = self.ask(requests[:fewer], **more)
        with self._lock:
            if self.batch > fewer:
                self.batch = fewer
                self.notes.append(f"{self._place}: the server takes n = {fewer} at most.")
        return reply

    def _answered(self, error: Any) -> str:
        return f"{self._place}: the server answered {error.status_code}: {_text(error)}"

    def _unreached(self, error: Any) -> str:
        return (
            f"{self._place}: no answer ({error.__cause__ or error}).\n"
            f"Is the server running, and is --base-url its address (it usually ends in /v1)?"
        )


def _stopped_short(completion: Completion) -> bool:
    """Whether an answer ended at the context's end, and not at the most new tokens."""
    most, signals = completion.generation.max_tokens, completion.signals
    if completion.finish_reason != "length" or signals is None or most is None:
        return False
    return len(signals.logprobs) < most


def _names(message: str, field: str) -> bool:
    """Whether a refusal names a field as a word of its own: `top_k`, not `stop_k`."""
    return re.search(rf"(?<![A-Za-z_]){re.escape(field)}(?![A-Za-z_])", message) is not None


def _text(error: Any) -> str:
    """Return what the server said, without the client's wrapping."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        return str(inner.get("message", inner) if isinstance(inner, dict) else inner)
    return str(body or error.message)


def _key() -> str:
    """Return the key in the environment, or a word that servers without keys accept."""
    return os.environ.get("OPENAI_API_KEY") or "none"
