"""What an analysis measures, and how. The defaults are the paper's where it states one."""

from dataclasses import dataclass
from typing import Literal

from wellworn.analysis.tokens import Tokens
from wellworn.errors import BadInput
from wellworn.records import View

Feature = Literal["ngrams", "edit"]
"""What modes are made of: shared symbolic n-grams (Jaccard), or edit distances of the texts."""
Linkage = Literal["average", "complete", "single"]
"""The distance of two groups: of their members the mean, the largest or the smallest."""
Level = Literal["step", "completion"]
"""What NLI reads: pairs of steps, or of whole completions cut to what the model takes."""

CUTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Cuts that the base model is asked about. On real runs 0.3 or 0.4 is best, inside of them."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """What is measured, and how."""

    m: int | None = None
    """Completions of each prompt that are read; by default what most prompts have."""
    setting: str | None = None
    """Id of the generation parameters, where a run holds several; the latest, else."""
    view: View = "full"
    """Which part of a completion is read."""
    tokens: Tokens = "math"
    """How texts are split: math (LaTeX, numbers and operators survive) or words (as published)."""
    vocabulary: int = 50_257
    """V of EAD, the number of units that there could be; 50,257 is the published code's."""
    n: int = 3
    """Tokens of the n-grams whose frequency is measured."""
    share: float = 0.25
    """An n-gram is frequent if more than this share of a prompt's completions have it."""
    feature: Feature = "ngrams"
    """What modes are made of: ngrams (symbolic, frequent, Jaccard) or edit (edit distance)."""
    linkage: Linkage = "average"
    """How groups are joined: average, complete or single."""
    cut: float | None = None
    """Distance up to which groups are joined; by default chosen on the first run, for all."""
    jobs: int | None = None
    """Threads that measure; by default one for each core."""

    def __post_init__(self) -> None:
        for name, least in (("m", 2), ("vocabulary", 2), ("n", 1), ("jobs", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise BadInput(f"--{name} is {value}; it must be {least} or more.")
        if not 0 <= self.share < 1:
            raise BadInput(f"--share is {self.share}; it must be at least 0 and below 1.")
        if self.cut is not None and not 0 <= self.cut <= 1:
            raise BadInput(f"--cut is {self.cut}; distances lie from 0 to 1.")
