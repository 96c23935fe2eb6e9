"""Having a server read a text: the probability of every token of it, after a prompt.

Two forms are known. vLLM and its kin give `prompt_logprobs` with both endpoints; a chat then
ends with the text as the assistant's unfinished turn. The older form is `echo` of
/completions, which gives a raw text back with log-probabilities and offsets. What the text's
own tokens are follows from where the prompt alone ends.
"""

import math
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from wellworn.backends import Request
from wellworn.backends.replies import completion_of_steps
from wellworn.errors import Refused, Unable
from wellworn.records import Completion, Message, Prompt

Ask = Callable[..., dict[str, Any]]
"""ask(requests, **fields): the reply to a request for len(requests) choices, as JSON."""


def read(ask: Ask, request: Request) -> Completion:
    """Return what a request has read, as a completion with signals.

    Raises:
        Unable: The server gives no log-probabilities of prompts.
        Refused: Nothing is left to read.
        BackendError: It does not answer as it should.
    """
    steps = _by_prompt_logprobs(ask, request)
    if steps is None and request.prompt.text is not None:
        steps = _by_echo(ask, request)
    if steps is None:
        raise Unable(
            "the server gives no log-probabilities of prompts, so it can read no text "
            "(`wellworn doctor` shows it); vLLM does, and models in this process (hf/) do"
        )
    if not steps:
        raise Refused("nothing is left to be read")
    return completion_of_steps(request.reads or "", steps, request)


def _by_prompt_logprobs(ask: Ask, request: Request) -> list[dict[str, Any]] | None:
    """Return the steps of the text; None if the server has no prompt_logprobs."""
    short = replace(request.generation, max_tokens=1, top_logprobs=0)
    fields = {"prompt_logprobs": request.generation.top_logprobs}
    chat = {"add_generation_prompt": False, "continue_final_message": True}
    whole = ask(
        [replace(request, prompt=_joined(request), generation=short)],
        **fields,
        **(chat if request.prompt.messages else {}),
    )
    steps = _prompt_steps(whole)
    if steps is None:
        return None
    start = _spelt(steps, request.reads or "")
    if start is None:
        before = ask([replace(request, generation=short)]) if request.prompt.question else {}
        start = _start(_prompt_ids(whole), _prompt_ids(before), before)
    return steps[max(1, start) :]


def _spelt(steps: Sequence[dict[str, Any]], text: str) -> int | None:
    """Return where the last steps begin that together spell a text; None if none do."""
    spelt = ""
    for place in range(len(steps) - 1, 0, -1):
        spelt = steps[place].get("token", "") + spelt
        if len(spelt) >= len(text):
            return place if spelt.endswith(text) else None
    return 1 if spelt and text.endswith(spelt) else None


def _joined(request: Request) -> Prompt:
    """Return the prompt with the text as what the model is about to have said."""
    text = request.reads or ""
    if request.prompt.text is not None:
        return Prompt(text=request.prompt.text + text)
    return Prompt(messages=(*request.prompt.messages, Message("assistant", text)))


def _prompt_steps(reply: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return one step for each token of the prompt; the first has no log-probability."""
    choice = (reply.get("choices") or [{}])[0]
    found = reply.get("prompt_logprobs") or choice.get("prompt_logprobs")
    if not found:
        return None
    ids = _prompt_ids(reply)
    return [
        _step(entry, ids[place] if ids else None) if entry else {"logprob": math.nan}
        for place, entry in enumerate(found)
    ]


def _step(entry: dict[str, Any], token: int | None) -> dict[str, Any]:
    """Return a step in the layout of chat completions; the token's own entry comes first."""
    own = str(token) if str(token) in entry else next(iter(entry))
    tops = list(entry.values())
    told = {"id": int(own), "logprob": entry[own]["logprob"], "top_logprobs": tops}
    spelling = entry[own].get("decoded_token")
    return told | ({"token": spelling} if isinstance(spelling, str) else {})


def _prompt_ids(reply: dict[str, Any]) -> list[int]:
    choice = (reply.get("choices") or [{}])[0]
    return list(reply.get("prompt_token_ids") or choice.get("prompt_token_ids") or [])


def _start(whole: list[int], before: list[int], reply: dict[str, Any]) -> int:
    """Return where the text's tokens begin: behind those that the prompt alone has too."""
    if not (whole and before):
        return max(1, int((reply.get("usage") or {}).get("prompt_tokens") or 1))
    pairs = zip(whole, before, strict=False)
    return max(1, len(list(takewhile(lambda pair: pair[0] == pair[1], pairs))))


def _by_echo(ask: Ask, request: Request) -> list[dict[str, Any]] | None:
    """Return the steps of a raw text; None if the server does not echo it."""
    short = replace(request.generation, max_tokens=1)
    reply = ask([replace(request, prompt=_joined(request), generation=short)], echo=True)
    logprobs = (reply.get("choices") or [{}])[0].get("logprobs") or {}
    chosen, offsets = logprobs.get("token_logprobs") or [], logprobs.get("text_offset") or []
    tops = logprobs.get("top_logprobs") or [None] * len(chosen)
    begin = len(request.prompt.text or "")
    end = begin + len(request.reads or "")
    if not offsets or offsets[0] != 0 or max(offsets) < end:
        return None
    return [
        {"logprob": logprob, "top_logprobs": [{"logprob": p} for p in (top or {}).values()]}
        for offset, logprob, top in zip(offsets, chosen, tops, strict=True)
        if begin <= offset < end and logprob is not None
    ]
