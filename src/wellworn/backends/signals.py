"""Signals of a local model, reduced step by step: no tensor ever holds all steps' logits."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from wellworn.records import Signals

if TYPE_CHECKING:
    import torch

_MOST = 2**24
"""Logits that a piece of a text may have, over all rows."""


class Watch:
    """Keeps of each step the sums over the whole vocabulary, and the largest log-probabilities."""

    def __init__(self, tops: int) -> None:
        self._tops = tops
        self._sums: list[torch.Tensor] = []
        self._largest: list[torch.Tensor] = []

    def see(self, logits: torch.Tensor, chosen: torch.Tensor) -> None:
        """Take the (rows, vocabulary) logits of a step, and each row's chosen token."""
        logprobs = logits.float().log_softmax(-1)
        self._sums.append(moments(logprobs, chosen))
        if self._tops:
            self._largest.append(logprobs.topk(min(self._tops, logprobs.shape[-1])).values)

    def signals(self, spans: Sequence[tuple[int, int]]) -> list[Signals]:
        """Return the signals of each row, of the steps from a first one up to a last one."""
        sums = [step.tolist() for step in self._sums]
        largest = [step.tolist() for step in self._largest]
        return [
            Signals(
                top_k=None,
                logprobs=tuple(step[0][row] for step in sums[first:last]),
                entropy=tuple(step[1][row] for step in sums[first:last]),
                mass=(1.0,) * (last - first),
                second_moment=tuple(step[2][row] for step in sums[first:last]),
                tops=tuple(tuple(step[row]) for step in largest[first:last]),
            )
            for row, (first, last) in enumerate(spans)
        ]


def moments(logprobs: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Return (3, rows): ln p of the chosen token, -sum p ln p, sum p (ln p)^2."""
    import torch

    finite = logprobs.clamp(min=-200)  # where p is 0 in float32, and 0 * inf would be NaN
    p = logprobs.exp()
    picked = logprobs.gather(-1, chosen[:, None])[:, 0]
    return torch.stack([picked, -(p * finite).sum(-1), (p * finite**2).sum(-1)])


def read(model: Any, rows: Sequence[tuple[list[int], int]], tops: int) -> list[Signals]:
    """Return the signals of the tokens of each row, from a start on.

    Args:
        model: A causal language model of transformers.
        rows: Token ids, and where the tokens begin that are asked about; 1 at least.
        tops: How many of the largest log-probabilities to keep of each step.
    """
    import torch
    from transformers import DynamicCache

    width = max(len(ids) for ids, _ in rows)
    padded = [ids + [0] * (width - len(ids)) for ids, _ in rows]  # behind, so no token sees it
    tokens = torch.tensor(padded, device=model.device)
    piece = max(1, _MOST // (len(rows) * int(model.config.get_text_config().vocab_size)))
    watch = Watch(tops)
    cache = {_cache_name(model): DynamicCache(config=model.config), "use_cache": True}
    with torch.inference_mode():
        for begin in range(0, width - 1, piece):
            end = min(begin + piece, width - 1)
            logits = model(tokens[:, begin:end], **cache).logits
            for step in range(end - begin):
                watch.see(logits[:, step], tokens[:, begin + step + 1])
    return watch.signals([(start - 1, len(ids) - 1) for ids, start in rows])


def _cache_name(model: Any) -> str:
    """Return what the model calls the cache of earlier tokens: transformers 5.2x renamed it."""
    known = signature(model.forward).parameters
    return "cache" if "cache" in known else "past_key_values"
