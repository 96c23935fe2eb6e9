"""Sampling from a small Llama, many rows at a time.

transformers asks much of every step that tiny models do not need. Here a prompt is read once
for all its completions, and rows that have ended leave the batch, so that a step costs what
the rows still under way cost. The arithmetic is that of transformers' Llama (a test holds both
to each other): only attention and its cache are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import torch
    from torch import Tensor

SPARSE = 0.75
"""Rows that have ended are dropped when no more than this share of the batch is under way."""


class Rollout(NamedTuple):
    """Completions in a batch, those of a prompt beside each other."""

    tokens: Tensor
    """(rows, steps), with the token that ended a completion; after it, padding."""
    lengths: Tensor
    """(rows,): tokens of each, with the one that ended it."""
    ended: Tensor
    """(rows,): whether it ended before the limit."""
    logps: Tensor
    """(rows, steps), nats: of each token at temperature 1; 0 after the end."""
    entropies: Tensor
    """(rows, steps), nats: of the distribution at temperature 1; 0 after the end."""

    @property
    def mask(self) -> Tensor:
        """(rows, steps): 1 where a token belongs to the completion."""
        import torch

        return (torch.arange(self.tokens.shape[1]) < self.lengths[:, None]).float()


def generate(
    model: Any,
    prompts: Sequence[Sequence[int]],
    group: int,
    limit: int,
    generator: torch.Generator,
    temperature: float = 1.0,
) -> Rollout:
    """Draw `group` completions of each prompt.

    Args:
        model: A LlamaForCausalLM on the CPU.
        prompts: Token ids of each prompt.
        group: How many completions each prompt gets.
        limit: The most tokens of a completion, with the one that ends it.
        generator: Where chance comes from.
        temperature: 0 takes the most likely token.
    """
    import torch

    with torch.inference_mode():
        state = _State(model, prompts, group, limit)
        rows = group * len(prompts)
        logps, entropies = torch.zeros(rows, limit), torch.zeros(rows, limit)
        tokens = torch.full((rows, limit), model.config.pad_token_id)
        lengths = torch.zeros(rows, dtype=torch.long)
        chance = torch.rand(rows, limit, generator=generator)
        for step in range(limit):
            known, at, going = torch.log_softmax(state.logits, -1), state.at, state.going
            chosen = _choose(known, chance[at, step], temperature)
            tokens[at[going], step] = chosen[going]
            logps[at, step] = known.gather(1, chosen[:, None])[:, 0] * going
            entropies[at, step] = -(known.exp() * known).sum(-1) * going
            lengths[at] += going
            if step + 1 == limit or not state.advance(chosen, model.config.eos_token_id):
                break
    steps = int(lengths.max())
    ended = tokens.gather(1, lengths[:, None] - 1)[:, 0] == model.config.eos_token_id
    return Rollout(tokens[:, :steps], lengths, ended, logps[:, :steps], entropies[:, :steps])


def _choose(known: Tensor, chance: Tensor, temperature: float) -> Tensor:
    """Return the token of each row at which the probabilities so far pass its `chance`."""
    import torch

    if temperature == 0:
        return known.argmax(-1)
    passed = torch.softmax(known / temperature, -1).cumsum(-1)
    place = torch.searchsorted(passed, chance[:, None] * passed[:, -1:], right=True)
    return place[:, 0].clamp(max=known.shape[-1] - 1)


class _State:
    """The rows in the batch: where each stands, and the keys and values of what it has read."""

    def __init__(
        self, model: Any, prompts: Sequence[Sequence[int]], group: int, limit: int
    ) -> None:
        import torch

        width = max(map(len, prompts))
        before = torch.tensor([width - len(prompt) for prompt in prompts])
        ids = torch.tensor([[0] * (width - len(prompt)) + [*prompt] for prompt in prompts])
        places = torch.arange(width) - before[:, None]
        asked = {"attention_mask": (places >= 0).long(), "position_ids": places.clamp(min=0)}
        read = model.model(input_ids=ids, use_cache=False, output_hidden_states=True, **asked)
        last = read.last_hidden_state[:, -1]
        turns = model.model.rotary_emb(last, torch.arange(width + limit)[None])
        self._turns = torch.stack([turn[0] for turn in turns])
        self._model, self._layers = model, model.model.layers
        self._fused = [_fused(layer.self_attn) for layer in self._layers]
        turn = self._turns[:, asked["position_ids"], None]
        self._caches = [
            _room(_keys_and_values(layer, hidden, turn), group, limit)
            for layer, hidden in zip(self._layers, read.hidden_states, strict=False)
        ]
        self._before = before.repeat_interleave(group)
        self._read_so_far = width
        self.logits = model.lm_head(last).repeat_interleave(group, 0)
        self.at = torch.arange(len(self._before))
        """(rows in the batch,): which row of the result each is."""
        self.going = torch.ones(len(self._before), dtype=torch.bool)
        """(rows in the batch,): whether it is still under way."""

    def advance(self, chosen: Tensor, end: int) -> bool:
        """Read the chosen tokens; False if they have ended every row."""
        self.going = self.going & (chosen != end)
        under_way = int(self.going.sum())
        if under_way <= SPARSE * len(self.going):
            chosen = chosen[self.going]
            self._keep(self.going)
        if under_way:
            self.logits = self._read(chosen)
        return under_way > 0

    def _keep(self, kept: Tensor) -> None:
        self._caches = [cache[:, kept] for cache in self._caches]
        self.at, self._before, self.going = self.at[kept], self._before[kept], self.going[kept]

    def _read(self, chosen: Tensor) -> Tensor:
        """Return the logits after one more token a row."""
        import torch

        column = self._read_so_far
        hidden_before = torch.arange(column + 1) < self._before[:, None]
        mask = torch.zeros(hidden_before.shape).masked_fill_(hidden_before, -torch.inf)
        place = _Place(column, self._turns[:, column - self._before, None], mask[:, None, None])
        hidden = self._model.model.embed_tokens(chosen)
        for layer, fused, cache in zip(self._layers, self._fused, self._caches, strict=True):
            hidden = hidden + _attend(layer, fused, hidden, cache, place)
            hidden = hidden + layer.mlp(layer.post_attention_layernorm(hidden))
        self._read_so_far = column + 1
        return self._model.lm_head(self._model.model.norm(hidden))


class _Place(NamedTuple):
    """Where the tokens of a step stand."""

    column: int
    """Of the cache."""
    turn: Tensor
    """(2, rows, 1, size): cosines and sines of their places."""
    mask: Tensor
    """(rows, 1, 1, columns): 0, or minus infinity before a prompt begins."""


def _attend(layer: Any, fused: Tensor, hidden: Tensor, cache: Tensor, place: _Place) -> Tensor:
    """Return what one token a row attends to, and add its key and value to the cache."""
    import torch
    from torch.nn.functional import linear

    heads, size = cache.shape[2], cache.shape[-1]
    parts = linear(layer.input_layernorm(hidden), fused).view(-1, 3, heads, size)
    cache[0, :, :, place.column] = _turned(parts[:, 1], place.turn)
    cache[1, :, :, place.column] = parts[:, 2]
    keys, values = cache[:, :, :, : place.column + 1]
    query = _turned(parts[:, 0], place.turn)[:, :, None] * size**-0.5
    mixed = torch.softmax(query @ keys.transpose(-1, -2) + place.mask, -1) @ values
    return layer.self_attn.o_proj(mixed.reshape(-1, heads * size))


def _turned(parts: Tensor, turn: Tensor) -> Tensor:
    """Return (rows, heads, size) queries or keys turned to their places, as Llama does."""
    import torch

    left, right = parts.chunk(2, -1)
    return parts * turn[0] + torch.cat((-right, left), -1) * turn[1]


def _fused(attention: Any) -> Tensor:
    """Return the weights of queries, keys and values as one matrix."""
    import torch

    parts = (attention.q_proj, attention.k_proj, attention.v_proj)
    return torch.cat([part.weight for part in parts])


def _keys_and_values(layer: Any, hidden: Tensor, turn: Tensor) -> Tensor:
    """Return (2, prompts, heads, width, size) of what a layer reads: (prompts, width, hidden)."""
    import torch

    attention, read = layer.self_attn, layer.input_layernorm(hidden)
    shape = (*hidden.shape[:2], -1, attention.head_dim)
    keys, values = (part(read).view(shape) for part in (attention.k_proj, attention.v_proj))
    return torch.stack([_turned(keys, turn), values]).transpose(2, 3)


def _room(read: Tensor, group: int, limit: int) -> Tensor:
    """Return (2, rows, heads, width + limit, size) keys and values with room for more tokens."""
    from torch.nn.functional import pad

    return pad(read.repeat_interleave(group, 1), (0, 0, 0, limit))
