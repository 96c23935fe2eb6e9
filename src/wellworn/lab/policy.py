"""The model as training reads it: probabilities of the tokens of completions.

Completions are read in chunks of like length, so that little is padding. A loss is a sum over
tokens with weights, so chunks change nothing but the speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wellworn.lab.models import prompt_ids

if TYPE_CHECKING:
    from torch import Tensor

CHUNK, TOKENS = 64, 4096
"""The most rows that are read at once, and the most tokens with what fills them up."""

Pair = tuple[list[int], list[int]]
"""The tokens of a prompt and those of a completion, with the one that ends it."""


def encoded(tokenizer: Any, prompt: str, text: str) -> Pair:
    """Return the tokens of a prompt and of a whole completion."""
    ids = tokenizer.encode(text, add_special_tokens=False)
    return prompt_ids(tokenizer, prompt), [*ids, tokenizer.eos_token_id]


class Read(NamedTuple):
    """What a model says of the completions of some rows, token by token."""

    rows: Tensor
    """(tokens,): the row of each token, as a place in the list of pairs."""
    places: Tensor
    """(tokens,): its place in the completion."""
    logps: Tensor
    """(tokens,), nats: its log-probability."""
    hidden: Tensor
    """(tokens, size): the model's state before it."""


def chunks(pairs: Sequence[Pair], rows: Sequence[int]) -> Iterator[list[int]]:
    """Yield `rows` of `pairs` in chunks of like length."""
    lengths = {row: len(pairs[row][0]) + len(pairs[row][1]) for row in rows}
    chunk: list[int] = []
    for row in sorted(rows, key=lengths.__getitem__):
        if len(chunk) == CHUNK or (len(chunk) + 1) * lengths[row] > TOKENS:
            yield chunk
            chunk = []
        chunk.append(row)
    if chunk:
        yield chunk


def read(model: Any, pairs: Sequence[Pair], rows: Sequence[int]) -> Read:
    """Return what the model says of these rows of `pairs`."""
    import torch

    ids, asked = _padded([pairs[row] for row in rows], model.config.pad_token_id)
    hidden = model.model(input_ids=ids[:, :-1], use_cache=False).last_hidden_state
    wanted = asked[:, 1:]
    states = hidden[wanted]
    known = torch.log_softmax(model.lm_head(states), -1)
    logps = known.gather(1, ids[:, 1:][wanted][:, None])[:, 0]
    lengths = wanted.sum(1)
    owners = torch.tensor(rows).repeat_interleave(lengths)
    places = torch.cat([torch.arange(length) for length in lengths.tolist()])
    return Read(owners, places, logps, states)


def _padded(pairs: Sequence[Pair], padding: int) -> tuple[Tensor, Tensor]:
    """Return (rows, width) tokens, and which of them a model has to foretell.

    Rows are filled up on the right, where nothing before reads what stands there: a causal
    model needs no other mask.
    """
    import torch

    width = max(len(prompt) + len(answer) for prompt, answer in pairs)
    ids = torch.full((len(pairs), width), padding)
    asked = torch.zeros(len(pairs), width, dtype=torch.bool)
    for row, (prompt, answer) in enumerate(pairs):
        end = len(prompt) + len(answer)
        ids[row, :end] = torch.tensor(prompt + answer)
        asked[row, len(prompt) : end] = True
    return ids, asked
