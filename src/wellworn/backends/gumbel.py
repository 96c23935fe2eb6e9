"""Sampling as a function of the row's own seed, inside greedy decoding.

The argmax of logits + Gumbel noise is an exact draw from the softmax of the logits
(Gumbel 1954). So a logits processor that adds noise from a generator of each row's own
lets transformers' greedy decoding sample, and a row's draws depend neither on the other
rows of its batch nor on their order. The same processor sees the logits as the model gave
them, and keeps of each step the four sums that signals consist of: never a step's logits.

It sets the nucleus apart itself: the warper of transformers sorts the whole vocabulary,
which took a third as long as the model's own step (135 M parameters, 16 rows, one CPU core).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wellworn.backends.signals import Watch
from wellworn.errors import BackendError
from wellworn.records import Generation, Signals

if TYPE_CHECKING:
    import torch

_HEAD = 1024
"""Tokens a step among which the nucleus is sought before the whole vocabulary is sorted."""


class Chooser:
    """A logits processor that makes greedy decoding sample, and watches what it samples."""

    def __init__(self, generation: Generation, seeds: Sequence[int], device: torch.device) -> None:
        import torch

        self._generation = generation
        self._dice = [torch.Generator(device).manual_seed(seed) for seed in seeds]
        self._watch = Watch(generation.top_logprobs if generation.temperature == 0 else 0)

    def __call__(self, input_ids: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        """Return (rows, vocabulary) scores whose argmax is each row's next token."""
        if logits.isnan().any():
            raise BackendError(
                f"{self._generation.model}: the logits are NaN; the weights are broken, or "
                f"overflow in their type.\nTry --device cpu, which computes in float32."
            )
        scores = self._scores(logits)
        if self._generation.top_logprobs:
            self._watch.see(logits, scores.argmax(-1))
        return scores

    def signals(self, lengths: Sequence[int]) -> list[Signals] | list[None]:
        """Return the signals of each row's first tokens, as many as `lengths` says."""
        if not self._generation.top_logprobs:
            return [None] * len(lengths)
        return self._watch.signals([(0, length) for length in lengths])

    def _scores(self, logits: torch.Tensor) -> torch.Tensor:
        temperature, top_p = self._generation.temperature, self._generation.top_p
        if temperature == 0:
            return logits
        scores = logits / (1 if temperature is None else temperature)
        if top_p is not None and top_p < 1:
            scores = nucleus(scores, top_p)
        return scores + self._noise(logits.shape[-1])

    def _noise(self, vocabulary: int) -> torch.Tensor:
        """Return Gumbel noise, -ln(-ln u), in doubles: their tail matters to large vocabularies."""
        import torch

        size = {"size": (vocabulary,), "dtype": torch.float64}
        uniform = torch.stack(
            [torch.rand(**size, generator=dice, device=dice.device) for dice in self._dice]
        )
        return uniform.log_().neg_().log_().neg_()


def nucleus(scores: torch.Tensor, top_p: float, head: int = _HEAD) -> torch.Tensor:
    """Return the scores with -inf outside the smallest set of probability `top_p`.

    Tokens as probable as the set's last belong to it, whatever their order. A sort of the
    whole vocabulary costs six times as much as its head, which nearly always suffices.
    """
    probabilities = scores.softmax(-1)
    head = min(head, scores.shape[-1])
    top = probabilities.topk(head).values
    inside = top.cumsum(-1) - top < top_p
    if head < scores.shape[-1] and inside[:, -1].any():
        return nucleus(scores, top_p, scores.shape[-1])
    least = top.where(inside, top[:, :1]).amin(-1, keepdim=True)
    return scores.masked_fill(probabilities < least, float("-inf"))
