"""What can this server do? Two tiny requests tell, so that no audit rests on a guess.

Both ask for the same two completions with the same seed. The first shows whether n,
log-probabilities and a reasoning field are there and whether the two samples differ; the
second, which also asks for the prompt's log-probabilities, shows whether a seed brings
the same samples back. Only where the two samples are equal is a third request made, with
another seed: a different text then means that the server repeats one completion n times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellworn.backends import Capability, Request
from wellworn.backends.replies import completions_of
from wellworn.errors import BackendError, Refused
from wellworn.records import Completion, Generation, Prompt, chat

if TYPE_CHECKING:
    from wellworn.backends.openai import Server

_QUESTION = Prompt(text="Write one sentence about anything you like.")
_TOP = 20
_DROPPED = (
    *("prompt_logprobs", "return_token_ids", "top_k", "min_p", "repetition_penalty"),
    *("top_logprobs", "logprobs", "seed"),
)
"""What is left out, in this order, when a server refuses a request without saying why."""


def check(server: Server, *, raw: bool) -> list[Capability]:
    """Return what the server can do, and let it plan its later requests by it.

    Args:
        server: What to ask.
        raw: Ask where texts are continued, without a chat template.

    Raises:
        BackendError: The server answers no request, or answers without a completion.
    """
    asked = _QUESTION if raw else chat(_QUESTION.shown)
    reply = _ask(server, asked, seed=1, n=2)
    again = _ask(server, asked, seed=1, n=2, prompt_logprobs=1)
    first, second = _completions(reply), _completions(again)
    if not first:
        raise BackendError(f"{server.identity}: the reply has no choices: {reply!r:.200}")
    return [
        Capability("answers", True, f"{first[0].text or first[0].reasoning or ''!r:.60}"),
        _several(server, first),
        _distinct(server, asked, first, second),
        *_logprobs(first[0], reply),
        _prompt_logprobs(again),
        _reasoning(first[0]),
        _seeds(server, first, second),
        _token_ids(first[0]),
    ]


def _requests(asked: Prompt, seed: int, n: int) -> list[Request]:
    generation = Generation(model="", temperature=1.0, top_p=1.0, max_tokens=24, top_logprobs=_TOP)
    return [
        Request(prompt=asked, generation=generation, index=index, seed=seed) for index in range(n)
    ]


def _ask(server: Server, asked: Prompt, *, seed: int, n: int, **more: Any) -> dict[str, Any]:
    requests = _requests(asked, seed, n)
    for field in _DROPPED:
        try:
            return server.ask(requests, **more)
        except Refused:
            server.refuse(field)
    return server.ask(requests, **more)


def _completions(reply: dict[str, Any]) -> list[Completion]:
    return completions_of(reply, _requests(_QUESTION, seed=1, n=2))


def _several(server: Server, found: list[Completion]) -> Capability:
    if len(found) < 2:
        server.ask_singly("it returned 1 of 2 choices")
        return Capability("n", False, "it returned 1 of 2 choices; each is asked for alone")
    return Capability("n", True, "several completions in one request")


def _distinct(
    server: Server, asked: Prompt, found: list[Completion], again: list[Completion]
) -> Capability:
    name = "distinct samples"
    texts = {completion.view("full") for completion in found if not completion.reasoning_hidden}
    if len(found) < 2 or len(texts) == len(found):
        if not server.takes("seed") and [c.text for c in found] == [c.text for c in again]:
            return _doubtful(server, "an equal request brought equal texts: is there a cache?")
        return Capability(name, True if len(found) > 1 else None, "")
    other = _completions(_ask(server, asked, seed=2, n=1))
    if other and other[0].text not in {completion.text for completion in found}:
        server.ask_singly("it repeats one text for all n choices")
        return Capability(name, False, "one text is repeated for all n; each is asked for alone")
    return _doubtful(server, "equal texts at temperature 1, whatever the seed: is sampling off?")


def _doubtful(server: Server, detail: str) -> Capability:
    server.notes.append(f"{server.identity}: {detail}")
    return Capability("distinct samples", False, detail)


def _logprobs(found: Completion, reply: dict[str, Any]) -> list[Capability]:
    name, top, whole = "log-probabilities", "top log-probabilities", "whole distributions"
    if found.signals is None:
        return [Capability(each, False, "") for each in (name, top, whole)]
    logprobs = reply["choices"][0]["logprobs"]
    tops = logprobs.get("top_logprobs") or [
        step.get("top_logprobs") for step in logprobs.get("content") or []
    ]
    most = max((len(step or []) for step in tops), default=0)
    return [
        Capability(name, True, "of the chosen token"),
        Capability(top, most > 1, f"{most} of each step"),
        Capability(whole, False, "no server gives them"),
    ]


def _prompt_logprobs(reply: dict[str, Any]) -> Capability:
    return Capability("prompt log-probabilities", bool(reply.get("prompt_logprobs")), "")


def _reasoning(found: Completion) -> Capability:
    name = "reasoning"
    if found.reasoning_hidden:
        return Capability(name, False, "the model reasons, but hides it")
    if found.reasoning is None:
        return Capability(name, None, "none seen in 24 tokens")
    return Capability(name, True, "set apart from the answer")


def _seeds(server: Server, first: list[Completion], second: list[Completion]) -> Capability:
    if not server.takes("seed"):
        return Capability("seeds", False, "the server refuses 'seed'")
    same = [c.text for c in first] == [c.text for c in second]
    return Capability("seeds", same, "the same seed gave " + ("equal texts" if same else "others"))


def _token_ids(found: Completion) -> Capability:
    return Capability("token ids", found.token_ids is not None, "")
