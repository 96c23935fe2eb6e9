"""The JSON bodies of requests to an OpenAI-compatible server."""

from collections.abc import Sequence
from typing import Any

from wellworn.backends import Request
from wellworn.records import Prompt

NEUTRAL: dict[str, Any] = {
    "top_k": -1,
    "min_p": 0.0,
    "repetition_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
}
"""Sent with every request unless refused, so that only temperature and top_p shape samples."""

SHAPING = (*NEUTRAL, "seed")
"""Fields whose refusal changes the samples, or whether they can be drawn again."""

OPTIONAL = (*SHAPING, "return_token_ids", "prompt_logprobs", "top_logprobs", "logprobs")
"""Fields that a request can do without."""


def body_of(requests: Sequence[Request], takes_max_tokens: bool) -> dict[str, Any]:
    """Return the body that asks for as many choices as there are requests, without the model.

    Newer models of OpenAI know the most new tokens under another name only.
    """
    generation, prompt = requests[0].generation, requests[0].prompt
    top = generation.top_logprobs
    logprobs = {"logprobs": True if prompt.messages else top, "top_logprobs": top}
    return {
        **_question(prompt),
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        "max_tokens" if takes_max_tokens else "max_completion_tokens": generation.max_tokens,
        "seed": requests[0].seed,
        **NEUTRAL,
        "return_token_ids": True,
        **(logprobs if top else {}),
        **({"n": len(requests)} if len(requests) > 1 else {}),
        **generation.extra,
    }


def _question(prompt: Prompt) -> dict[str, Any]:
    if not prompt.messages:
        return {"prompt": prompt.text}
    return {"messages": [{"role": m.role, "content": m.content} for m in prompt.messages]}
