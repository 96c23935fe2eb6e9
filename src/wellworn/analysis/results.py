"""What an analysis found, as the terminal, JSON and the page show it."""

from typing import Any

import msgspec

from wellworn.analysis.ngrams import Category
from wellworn.statistics.change import Change

SCHEMA_VERSION = 1


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean over prompts, or over disjoint sets of them."""

    value: float
    error: float | None
    """Standard error; null for a single value."""
    low: float | None
    """Lower limit of its 95 % interval: Student's t; of shares of prompts, Wilson's."""
    high: float | None
    """Upper limit of its 95 % interval."""
    count: int
    """Prompts, or sets."""


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """How a measure differs between the first group and the second."""

    difference: float
    """Mean of the first group less that of the second."""
    low: float
    """Lower limit of its 95 % interval (Welch)."""
    high: float
    """Upper limit of its 95 % interval (Welch)."""


class Sized(msgspec.Struct, frozen=True, kw_only=True):
    """The diversity of sets of n completions."""

    within: bool
    """Whether a set is of one prompt, or of n different ones."""
    group: str
    n: int
    means: dict[str, Mean]
    """By measure."""


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """A frequent n-gram of a prompt's completions."""

    tokens: tuple[str, ...]
    category: Category
    completions: int
    """How many have it."""
    occurrences: int
    """How often it occurs in all of them."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step that members of a mode share."""

    text: str
    share: float
    """The share of the members that have it."""


class Mode(msgspec.Struct, frozen=True, kw_only=True):
    """Completions that go one way."""

    members: tuple[int, ...]
    """Their indices."""
    medoid: int
    """The index of the one that is nearest to all others."""
    skeleton: tuple[Step, ...]
    """The medoid's steps that half of the members share."""


class Analysed(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one prompt."""

    prompt_id: str
    group: str
    prompt: str
    """The first 400 characters of its last turn."""
    reason: str | None = None
    """Why nothing was measured."""
    measures: dict[str, float] = {}
    """At m completions, by name."""
    chance: dict[str, float] = {}
    """Measures of modes after a shuffle."""
    lacking: dict[str, str] = {}
    """Why a measure is missing, by name."""
    phrases: tuple[Phrase, ...] = ()
    """The frequent n-grams, the most widespread first; at most 20 of each category."""
    modes: tuple[Mode, ...] = ()
    """The stable modes, the largest first."""
    sized: dict[int, dict[str, float]] = {}
    """Diversity of sets of its completions, by size."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one run."""

    run: str
    model: str
    prompts: int
    """Prompts that were measured."""
    diversity: tuple[Sized, ...]
    means: dict[str, dict[str, Mean]]
    """Means over prompts, by measure and group."""
    chance: dict[str, dict[str, Mean]]
    """The same for modes after a shuffle."""
    contrasts: dict[str, Contrast]
    """The first group against the second, by measure; empty where there is one group."""
    cuts: dict[str, float]
    """Mean number of modes at other cuts."""
    items: tuple[Analysed, ...]


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How a measure changes from the first run to the last, on the prompts that both have."""

    groups: dict[str, Change]
    difference: Contrast | None
    """Changes of the first group against those of the second."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far a model's labels of n-grams agree with those of the rules."""

    model: str
    asked: int
    answered: int
    """Of which the answer named a category."""
    agreed: int
    kappa: float | None
    """Cohen's kappa, 1 for full agreement, 0 for that of chance; null where it is undefined."""
    table: dict[str, dict[str, int]]
    """How often the rules say the first and the model the second."""


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """How worn the paths are, over one run or several."""

    schema_version: int = SCHEMA_VERSION
    wellworn: str
    """The version of the package."""
    created: str
    parameters: dict[str, Any]
    """All that the numbers depend on, but the model."""
    groups: tuple[str, ...]
    """Names of the groups of prompts: members and non-members, where labels say so."""
    cut: float
    """Distance up to which completions were joined to modes."""
    cut_chosen: bool
    """Whether it was chosen on the first run; else it was given, or none could be chosen."""
    checkpoints: tuple[Checkpoint, ...]
    course: dict[str, Course]
    """Changes from the first run to the last, by measure; empty for one run."""
    agreement: Agreement | None
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
