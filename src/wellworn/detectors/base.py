"""What a detector is: a pure function over a record, with what it needs and how to read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from wellworn.errors import BadInput, unknown
from wellworn.probes import Need
from wellworn.records import View

Unit = Literal["char", "word", "token"]
"""What one edit changes: a character, a word between white space, or a token id."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How records are measured. Each is recorded with every score."""

    k: int | None = None
    """Nearest neighbours that are averaged; by default 10 of 32 completions, or that share."""
    unit: Unit = "char"
    """What one edit changes."""
    view: View = "full"
    """Which part of a completion is compared, where a reasoning is set apart."""

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 1:
            raise BadInput(f"--k is {self.k}; it must be 1 or more.")
        for kind, value, known in (("unit", self.unit, Unit), ("view", self.view, View)):
            if value not in get_args(known):
                raise BadInput(unknown(kind, value, get_args(known)))


class Detector(NamedTuple):
    """A detector, as the table holds it."""

    name: str
    summary: str
    paper: str
    """Where it is defined: an arXiv number."""
    measure: Callable[..., float]
    """measure(record, **parameters): the number as the paper defines it."""
    score: Callable[[float], float]
    """Turns that number into one where higher means more likely trained on."""
    orientation: str
    """The same in words: "1 - value"."""
    parameters: Callable[[Options, int], dict[str, Any]]
    """The parameters of `measure`, settled for m completions a prompt."""
    needs: Callable[[int], tuple[Need, ...]]
    """What it reads, for m completions a prompt."""
    requires: tuple[str, ...]
    """What the model must be able to do, by the names of its capabilities."""
