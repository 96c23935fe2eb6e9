"""How a completion lies in a row of the run file."""

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any

from wellworn.records import Completion, Generation, Signals

COLUMNS = (
    "seed INTEGER, text BLOB, reasoning BLOB, hidden INTEGER, finish TEXT, "
    "token_ids BLOB, top_k INTEGER, signals BLOB, tops BLOB, cut INTEGER"
)
"""The columns of a completion beside its key, in the order of `row_of`."""


def row_of(completion: Completion) -> tuple[Any, ...]:
    """Return the values of `COLUMNS`."""
    signals = completion.signals
    return (
        completion.seed,
        _encode(completion.text),
        _encode(completion.reasoning),
        completion.reasoning_hidden,
        completion.finish_reason,
        None if completion.token_ids is None else array("q", completion.token_ids).tobytes(),
        None if signals is None else signals.top_k,
        None if signals is None else _pack(signals),
        array("f", chain.from_iterable(signals.tops)).tobytes() if signals else None,
        completion.cut,
    )


def completion_of(row: Sequence[Any], index: int, generation: Generation) -> Completion:
    """Return the completion whose `COLUMNS` have these values."""
    seed, text, reasoning, hidden, finish, token_ids, top_k, signals, tops, cut = row
    return Completion(
        text=_decode(text) or "",
        reasoning=_decode(reasoning),
        reasoning_hidden=bool(hidden),
        finish_reason=finish,
        token_ids=None if token_ids is None else tuple(array("q", token_ids)),
        signals=None if signals is None else _unpack(signals, top_k, tops),
        seed=seed,
        index=index,
        cut=cut,
        generation=generation,
    )


def _encode(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogatepass")


def _decode(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogatepass")


def _pack(signals: Signals) -> bytes:
    numbers = array("f", signals.logprobs)
    for more in (signals.entropy, signals.mass, signals.second_moment):
        numbers.extend(more)
    return numbers.tobytes()


def _unpack(data: bytes, top_k: int | None, tops: bytes) -> Signals:
    numbers = tuple(array("f", data))
    steps = len(numbers) // 4
    largest = tuple(array("f", tops))
    width = len(largest) // (steps or 1)
    parts = [numbers[start : start + steps] for start in range(0, 4 * steps, steps or 1)]
    logprobs, entropy, mass, second_moment = parts or [()] * 4
    return Signals(
        top_k=top_k,
        logprobs=logprobs,
        entropy=entropy,
        mass=mass,
        second_moment=second_moment,
        tops=tuple(largest[at : at + width] for at in range(0, len(largest), width or 1)),
    )
