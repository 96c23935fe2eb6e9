"""Log-probabilities of a log, taken only where they can be those of the completion.

Four layouts are known: OpenAI's `content` of /chat/completions, the parallel lists of
/completions (NeMo-Skills has the same beside its completions), and vLLM's list of objects by
token id. What is taken is checked: as many numbers as tokens, tokens that spell the text, no
number above 0, and not all of them 0, as tools write that had none.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from wellworn.backends import Request
from wellworn.backends.replies import completion_of_steps
from wellworn.records import Generation, Signals, chat

Steps = list[dict[str, Any]]
"""A token each: `token`, `bytes`, `logprob` and `top_logprobs` as OpenAI has them, or less."""

_PROMPT = chat("?")
_LEAST = 20
"""So many tokens are not all certain by chance."""


def steps_of(logprobs: Any, ids: Sequence[Any] | None = None) -> Steps:
    """Return the steps of log-probabilities in any layout; none where it is another.

    Args:
        logprobs: What the log holds.
        ids: The token ids, which vLLM's layout needs.

    >>> steps_of({"tokens": ["4"], "token_logprobs": [-0.5], "top_logprobs": [{"4": -0.5}]})
    [{'token': '4', 'logprob': -0.5, 'top_logprobs': [{'logprob': -0.5}]}]
    """
    if isinstance(logprobs, Mapping):
        if isinstance(logprobs.get("content"), list):
            return [step for step in logprobs["content"] if isinstance(step, dict)]
        return parallel(
            logprobs.get("token_logprobs"), logprobs.get("tokens"), logprobs.get("top_logprobs")
        )
    if isinstance(logprobs, list) and ids is not None and len(ids) == len(logprobs):
        return [_by_id(step, token) for step, token in zip(logprobs, ids, strict=True)]
    return []


def parallel(chosen: Any, tokens: Any = None, tops: Any = None) -> Steps:
    """Return the steps of lists that run in parallel; a list of another length is left out."""
    if not isinstance(chosen, list):
        return []
    blank = [None] * len(chosen)
    tokens, tops = (
        held if isinstance(held, list) and len(held) == len(chosen) else blank
        for held in (tokens, tops)
    )
    return [
        {"token": token, "logprob": logprob, "top_logprobs": _listed(top)}
        for token, logprob, top in zip(tokens, chosen, tops, strict=True)
    ]


def taken(steps: Steps, text: str, reasoning: str | None) -> Signals | str | None:
    """Return the signals of a completion, why they cannot be its own, or None without any."""
    if all(step.get("logprob") is None for step in steps):
        return None
    wrong = _wrong(steps, text, reasoning)
    if wrong:
        return wrong
    widths = [len(step.get("top_logprobs") or []) for step in steps]
    if not min(widths):
        chosen = tuple(float(step["logprob"]) for step in steps)
        none = (0.0,) * len(chosen)
        return Signals(top_k=0, logprobs=chosen, entropy=none, mass=none, second_moment=none)
    generation = Generation(model="?", top_logprobs=min(widths))
    request = Request(prompt=_PROMPT, generation=generation, index=0, seed=0)
    return completion_of_steps(text, steps, request).signals


def _listed(top: Any) -> list[dict[str, Any]]:
    held = top.values() if isinstance(top, Mapping) else []
    return [value if isinstance(value, dict) else {"logprob": value} for value in held]


def _by_id(step: Any, token: Any) -> dict[str, Any]:
    held = step if isinstance(step, Mapping) else {}
    tops = {
        name: top for name, top in held.items() if top is not None
    }  # Parquet fills up with null
    chosen = tops.get(str(token), tops.get(token))
    tops = {name: top for name, top in tops.items() if not _is_beyond(top, len(tops))}
    chosen = chosen if isinstance(chosen, Mapping) else {"logprob": chosen}
    return {
        "token": chosen.get("decoded_token"),
        "logprob": chosen.get("logprob"),
        "top_logprobs": _listed(tops),
    }


def _is_beyond(top: Any, width: int) -> bool:
    """Tell a sampled token that vLLM adds to the largest, though it is none of them."""
    rank = top.get("rank") if isinstance(top, Mapping) else None
    return isinstance(rank, int) and rank > width


def _wrong(steps: Steps, text: str, reasoning: str | None) -> str | None:
    numbers = [step.get("logprob") for step in steps]
    tops = [top for step in steps for top in step.get("top_logprobs") or []]
    if not all(map(_is_number, numbers)):
        return "some tokens have none, or one that is no number"
    if not all(isinstance(top, dict) and _is_number(top.get("logprob")) for top in tops):
        return "one among the largest of a step is no number"
    if max(numbers) > 1e-4:  # type: ignore[type-var,operator]
        return "some are above 0"
    if len(numbers) >= _LEAST and not any(numbers):
        return "all are 0"
    return None if _spell(steps, text, reasoning) else "their tokens do not spell the text"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _spell(steps: Steps, text: str, reasoning: str | None) -> bool:
    """Tell whether the tokens hold the text and its reasoning, white space aside.

    Tokens that are unknown, or pieces of a character, cannot be checked.
    """
    tokens = [step.get("token") for step in steps]
    if not all(isinstance(token, str) and "\ufffd" not in token for token in tokens):
        return True
    spelt = "".join("".join(map(str, tokens)).split())
    if "\\x" in spelt:
        return True
    return all("".join(part.split()) in spelt for part in (text, reasoning or ""))
