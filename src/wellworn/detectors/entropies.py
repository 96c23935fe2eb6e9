"""Token entropies of an answer, and how they were read.

A local model gives them over its whole vocabulary. A server gives the K largest
log-probabilities of each step, of which H = -sum p ln p, the mass S = sum p, and

    raw           H, as the published code of arXiv 2510.09259 has it
    renormalised  H / S + ln S, as if there were no other tokens
    rest          H - (1 - S) ln (1 - S), all other tokens being one; nearest to the truth

with raw <= rest <= full. Entropies of different kinds do not compare, so the kind is part of
what is found.
"""

from collections.abc import Sequence
from math import exp, fsum, isfinite, log
from typing import Any, NamedTuple

from wellworn.detectors.base import EntropyMode, Options
from wellworn.errors import Unscorable
from wellworn.records import Signals


class Curve(NamedTuple):
    """The entropy at each token, in nats."""

    values: Sequence[float]
    kind: str
    """How it was read: "full", or a mode and a number of tokens: "rest, top 20"."""


class TopSums(NamedTuple):
    """Sums over the most probable tokens of each step, not renormalised."""

    top_k: int
    entropy: Sequence[float]
    """-sum p ln p."""
    mass: Sequence[float]
    second_moment: Sequence[float]
    """sum p (ln p)^2."""


def entropy_read_as(options: Options, m: int) -> dict[str, Any]:
    """Return the parameters of how entropies are read."""
    return {
        "entropy": options.entropy,
        "top_k": None if options.entropy == "full" else options.top_k,
    }


def curve_of(signals: Signals, mode: EntropyMode, top_k: int | None = None) -> Curve:
    """Return the entropies of an answer.

    Args:
        signals: Of the answer.
        mode: How to read them; auto is full where the model gives all, unless a `top_k` is
            asked for, and rest elsewhere.
        top_k: Tokens of each step to read them from; by default all that there are.

    Raises:
        Unscorable: The model does not give what the mode reads.
    """
    whole = signals.top_k is None
    if mode == "full" and not whole:
        raise Unscorable(
            f"the model gives the top {signals.top_k} log-probabilities of a step, and "
            f"`--entropy full` reads all; `--entropy rest` reads the top ones"
        )
    if mode == "full" or (mode == "auto" and whole and top_k is None):
        return Curve(signals.entropy, "full")
    sums = top_sums(signals, top_k)
    kind = "rest" if mode == "auto" else mode
    values = sums.entropy
    if kind == "rest":
        values = [h + _surprise(1 - s) for h, s in zip(sums.entropy, sums.mass, strict=True)]
    elif kind == "renormalised":
        values = [h / s + log(s) for h, s in zip(sums.entropy, sums.mass, strict=True)]
    return Curve(values, f"{kind}, top {sums.top_k}")


def top_sums(signals: Signals, top_k: int | None = None) -> TopSums:
    """Return the sums over the `top_k` most probable tokens; over all kept ones by default.

    Raises:
        Unscorable: As many are not kept, or a step has none.
    """
    kept = min(map(len, signals.tops), default=0)
    if signals.top_k is not None and top_k in (None, signals.top_k):
        sums = TopSums(signals.top_k, signals.entropy, signals.mass, signals.second_moment)
    elif kept and kept >= (top_k or 0):
        sums = _summed(signals.tops, top_k or kept)
    else:
        raise Unscorable(_lacking(signals, kept, top_k))
    if any(mass <= 0 for mass in sums.mass):
        raise Unscorable("the model gives no log-probabilities at some of the steps")
    return sums


def _summed(tops: Sequence[Sequence[float]], top_k: int) -> TopSums:
    steps = [[(exp(lp), lp) for lp in step[:top_k] if isfinite(lp)] for step in tops]
    return TopSums(
        top_k,
        [-fsum(p * lp for p, lp in step) for step in steps],
        [fsum(p for p, _ in step) for step in steps],
        [fsum(p * lp * lp for p, lp in step) for step in steps],
    )


def _lacking(signals: Signals, kept: int, top_k: int | None) -> str:
    if kept:
        return f"--top-k is {top_k}, and {kept} log-probabilities of each step are kept"
    if signals.top_k is None:
        return (
            "the entropies are those of the whole vocabulary, and the top log-probabilities are "
            "not kept (of samples they never are); `--entropy full` reads what is there"
        )
    return (
        f"--top-k is {top_k}, and of this answer the sums over the top {signals.top_k} alone are "
        f"kept; leave it out"
    )


def _surprise(p: float) -> float:
    """Return -p ln p, and 0 where rounding has put p at 0 or below."""
    return -p * log(p) if p > 0 else 0.0
