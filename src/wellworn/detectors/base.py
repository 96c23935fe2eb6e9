"""What a detector is: a pure function over a record, with what it needs and how to read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from wellworn.errors import BadInput, unknown
from wellworn.probes import Need, Target
from wellworn.probes.wording import CRITIQUES
from wellworn.records import View

Unit = Literal["char", "word", "token", "ast"]
"""What one edit changes: a character, a word between white space, a token id, or a node of the
syntax tree of the code in a completion."""

EntropyMode = Literal["auto", "full", "rest", "renormalised", "raw"]
"""How entropies are read: over the whole vocabulary, or from the top log-probabilities."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How records are measured. Each is recorded with every score that it concerns."""

    k: int | None = None
    """Nearest neighbours that are averaged; by default 10 of 32 completions, or that share."""
    unit: Unit = "char"
    """What one edit changes."""
    view: View = "full"
    """Which part of a completion is compared, where a reasoning is set apart."""
    entropy: EntropyMode = "auto"
    """How token entropies are read; auto is full where the model gives all, rest elsewhere."""
    top_k: int | None = None
    """Top log-probabilities that entropies of greedy answers are read from; by default all."""
    critique: str = "published"
    """Wording of Self-Critique's instruction: published, or ours-1 to ours-5."""
    target: Target = "response"
    """Text whose probability is read: response, prompt, or gold (prompt and gold answer)."""
    lowest: float = 0.2
    """Share of the least probable tokens that Min-K% and Min-K%++ average."""
    alpha: float = 0.05
    """Share of the length within which CDD takes two answers for one."""
    correct: int | None = None
    """Compare so many verified-correct samples of each prompt, in several draws, not all."""
    verifier: str | None = None
    """Which verifier tells what is correct: number, math, knights, sat or exact."""

    def __post_init__(self) -> None:
        for name, least in (("k", 1), ("top_k", 1), ("correct", 2)):
            value = getattr(self, name)
            if value is not None and value < least:
                option = name.replace("_", "-")
                raise BadInput(f"--{option} is {value}; it must be {least} or more.")
        if not 0 < self.lowest <= 1:
            raise BadInput(f"--lowest is {self.lowest}; it must be above 0 and at most 1.")
        if not 0 <= self.alpha <= 1:
            raise BadInput(f"--alpha is {self.alpha}; it must be from 0 to 1.")
        if self.correct is not None and self.verifier is None:
            raise BadInput("--correct needs a verifier.\nName one with --verifier.")
        choices = {"unit": Unit, "view": View, "entropy": EntropyMode, "target": Target}
        known = {name: get_args(kind) for name, kind in choices.items()}
        for name, values in {**known, "critique": tuple(CRITIQUES)}.items():
            if getattr(self, name) not in values:
                raise BadInput(unknown(name, getattr(self, name), values))


class Measured(msgspec.Struct, frozen=True):
    """What a detector measured of a record."""

    value: float
    """The number as the paper defines it."""
    parts: dict[str, float] = {}
    """Numbers that it is made of, or that help to read it."""
    found: dict[str, Any] = {}
    """What of the record must be equal for scores to compare, such as the kind of entropy."""


class Detector(NamedTuple):
    """A detector, as the table holds it."""

    name: str
    summary: str
    paper: str
    """Where it is defined: an arXiv number."""
    measure: Callable[..., float | Measured]
    """measure(record, **parameters): the number as the paper defines it."""
    score: Callable[[float], float]
    """Turns that number into one where higher means more likely trained on."""
    orientation: str
    """The same in words: "1 - value"."""
    parameters: Callable[[Options, int], dict[str, Any]]
    """The parameters of `measure`, settled for m completions a prompt."""
    needs: Callable[[Options, int], tuple[Need, ...]]
    """What it reads, for m completions a prompt."""
    requires: tuple[str, ...] = ("answers",)
    """What the model must be able to do, by the names of its capabilities."""


def rising(value: float) -> float:
    """Return the score of a value that is higher where a prompt was trained on."""
    return value


def falling(value: float) -> float:
    """Return the score of a value that is lower where a prompt was trained on."""
    return -value


def of_samples(options: Options, m: int) -> tuple[Need, ...]:
    """Return what a detector reads that reads the texts of m samples and nothing else."""
    return (Need("sample", m),)
