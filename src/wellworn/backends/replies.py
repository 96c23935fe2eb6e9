"""From the JSON of an OpenAI-compatible server to completions.

Servers agree on the outline and differ in the rest: where the reasoning lies
(`reasoning`, `reasoning_content`, `reasoning_details`, inline tags, or nowhere), how
log-probabilities are laid out (per token, or as parallel lists on /completions), and
whether token ids are given (`token_ids` of vLLM, `id` of llama.cpp).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from wellworn.backends import Request
from wellworn.backends.reasoning import finish_reason, split_reasoning
from wellworn.errors import BackendError
from wellworn.records import Completion, Generation, Signals


def completions_of(reply: dict[str, Any], requests: Sequence[Request]) -> list[Completion]:
    """Return the choices of a reply as completions of the first of the `requests`.

    A reply may hold fewer choices than were asked for; further ones are ignored. The seed
    of all is that of the first request, since it is the one that was sent.

    Raises:
        BackendError: The reply, or a choice in it, is an error and no completion.
    """
    choices = reply.get("choices") or []
    for choice in choices:
        _check(choice)
    choices = sorted(choices, key=lambda choice: choice.get("index") or 0)
    reasoned = _reasoning_tokens(reply) > 0
    return [
        _completion(choice, request, reasoned, requests[0].seed)
        for choice, request in zip(choices, requests, strict=False)
    ]


def completion_of_steps(text: str, steps: Sequence[dict[str, Any]], request: Request) -> Completion:
    """Return a text that was read, with the signals of its tokens."""
    return Completion(
        text=text,
        token_ids=_ids_of(steps),
        signals=_signals(steps, request.generation),
        seed=request.seed,
        index=request.index,
        generation=request.generation,
    )


def _check(choice: Any) -> None:
    """Raise BackendError if a choice says that it failed, or has no message."""
    if not isinstance(choice, dict):
        raise BackendError(f"a choice of the reply is {choice!r:.80}, and no object")
    message = choice.get("message", {"content": choice.get("text")})
    if not isinstance(message, dict):
        raise BackendError(f"a choice of the reply has no message: {choice!r:.160}")
    if choice.get("finish_reason") == "error" or choice.get("error"):
        raise BackendError(f"the server failed on the way: {choice.get('error') or 'error'!r:.200}")


def _completion(choice: dict[str, Any], request: Request, reasoned: bool, seed: int) -> Completion:
    message = choice.get("message") or {"content": choice.get("text")}
    reasoning = (
        _text(message.get("reasoning"))
        or _text(message.get("reasoning_content"))
        or _thinking(message.get("content"))
        or None
    )
    text = _text(message.get("content")) or _text(message.get("refusal"))
    if reasoning is None:
        reasoning, text = split_reasoning(text)
    finish = finish_reason(choice.get("finish_reason"))
    steps = _steps(choice)
    end = len(steps) - _ends(steps, text or reasoning or "", finish)
    ids = _token_ids(choice)
    return Completion(
        text=text,
        reasoning=reasoning,
        reasoning_hidden=_hidden(message) or (reasoned and reasoning is None),
        finish_reason=finish,
        token_ids=ids[:end] if ids is not None and len(ids) == len(steps) else ids,
        signals=_signals(steps[:end], request.generation),
        seed=seed,
        index=request.index,
        generation=request.generation,
    )


def _thinking(content: Any) -> str:
    """Return the reasoning among the parts of a content, as Mistral's models give it."""
    parts = content if isinstance(content, list) else []
    return "".join(
        _text(part.get("thinking"))
        for part in parts
        if isinstance(part, dict) and part.get("type") == "thinking"
    )


def _text(content: Any) -> str:
    """Return a content as text: itself, its text parts joined, or nothing."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _hidden(message: dict[str, Any]) -> bool:
    """Whether the reasoning is encrypted or only summarised, as gateways mark it."""
    details = message.get("reasoning_details") or []
    kinds = {detail.get("type") for detail in details if isinstance(detail, dict)}
    return bool(kinds & {"reasoning.encrypted", "reasoning.summary"})


def _reasoning_tokens(reply: dict[str, Any]) -> int:
    usage = reply.get("usage") or {}
    details = usage.get("completion_tokens_details") or {}
    return details.get("reasoning_tokens") or 0


def _steps(choice: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the log-probabilities token by token, from either layout."""
    logprobs = choice.get("logprobs") or {}
    if logprobs.get("content") is not None:
        return list(logprobs["content"])
    chosen = logprobs.get("token_logprobs") or []
    tops = logprobs.get("top_logprobs") or [None] * len(chosen)
    return [
        {"logprob": logprob, "top_logprobs": [{"logprob": p} for p in (top or {}).values()]}
        for logprob, top in zip(chosen, tops, strict=False)
    ]


def _ends(steps: Sequence[dict[str, Any]], text: str, finish: str | None) -> bool:
    """Whether the last step is the token that ended the answer, which is none of its own.

    Some servers list it: with an empty text, or with one that the answer does not end with.
    """
    token = steps[-1].get("token") if len(steps) > 1 else None
    return finish == "stop" and isinstance(token, str) and not (token and text.endswith(token))


def _token_ids(choice: dict[str, Any]) -> tuple[int, ...] | None:
    if choice.get("token_ids") is not None:
        return tuple(choice["token_ids"])
    return _ids_of(_steps(choice))


def _ids_of(steps: Sequence[dict[str, Any]]) -> tuple[int, ...] | None:
    ids = [step["id"] for step in steps if isinstance(step.get("id"), int)]
    return tuple(ids) if ids and len(ids) == len(steps) else None


def _signals(steps: Sequence[dict[str, Any]], generation: Generation) -> Signals | None:
    """Return the signals of steps; the largest log-probabilities too where nothing is drawn."""
    top_k = generation.top_logprobs
    if not top_k or all(step.get("logprob") is None for step in steps):
        return None
    tops = [_top(step, top_k) for step in steps]
    sums = [_moments(top) for top in tops]
    return Signals(
        top_k=top_k,
        logprobs=tuple(_known(step.get("logprob")) for step in steps),
        entropy=tuple(entropy for entropy, _, _ in sums),
        mass=tuple(mass for _, mass, _ in sums),
        second_moment=tuple(second for _, _, second in sums),
        tops=tuple(map(tuple, tops)) if generation.temperature == 0 else (),
    )


def _known(logprob: float | None) -> float:
    """Return a log-probability, or NaN for what OpenAI writes as -9999: too unlikely to tell."""
    return math.nan if logprob is None or logprob <= -9999 else float(logprob)


def _top(step: dict[str, Any], top_k: int) -> list[float]:
    """Return the `top_k` largest log-probabilities; servers may add the chosen token's.

    Where a server gives fewer, the rest is impossible as far as it says.
    """
    found = [float(top["logprob"]) for top in step.get("top_logprobs") or []]
    largest = sorted(found, reverse=True)[:top_k]
    return largest + [-math.inf] * (top_k - len(largest))


def _moments(logprobs: Iterable[float]) -> tuple[float, float, float]:
    """Return -sum p ln p, sum p and sum p (ln p)^2; a p of 0 contributes 0."""
    pairs = [(math.exp(logp), logp) for logp in logprobs if math.isfinite(logp)]
    return (
        -sum(p * logp for p, logp in pairs),
        sum(p for p, _ in pairs),
        sum(p * logp * logp for p, logp in pairs),
    )
