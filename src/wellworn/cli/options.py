"""Options that several commands share."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from wellworn.backends import Target
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.judging import Scoring
from wellworn.prompts import Fields
from wellworn.readers import Layout
from wellworn.readers.repeats import Repeats
from wellworn.sampler import Sampling

Run = Annotated[Path, Parameter(help="Folder of the run.")]
Out = Annotated[Path, Parameter(name=["--output", "-o"], help="Folder of the run; made if needed.")]
MaybeOut = Annotated[
    Path | None, Parameter(name=["--output", "-o"], help="Folder of the run; made if needed.")
]


Logs = Annotated[
    str,
    Parameter(help="Files, folders, globs, addresses as s3://…, or - for standard input."),
]
From = Annotated[str, Parameter(name="--from", help="Format; `wellworn list readers` shows them.")]
Where = Annotated[Layout, Parameter(name="*", group="Layout of the files")]
Again = Annotated[
    Repeats,
    Parameter(help="Completions that the run seems to hold: judge them, count them, or drop them."),
]
DryRun = Annotated[bool, Parameter(help="Say what would be read, with two examples; keep nothing.")]
Prompts = Annotated[
    str, Parameter(help="Suspected prompts: JSONL, JSON, CSV, Parquet, text, or hub:NAME.")
]
Reference = Annotated[
    str | None, Parameter(help="Prompts that cannot have been trained on, of the same kind.")
]
Limit = Annotated[
    int | None,
    Parameter(help="Take a random subset of so many prompts of each set. This is no valid audit."),
]
Json = Annotated[bool, Parameter(help="Write JSON to stdout, and nothing else there.")]
FailOn = Annotated[
    Literal[
        "converged-not-attributable",
        "converged-more-than-matched-controls",
        "consistent-with-rl-exposure",
    ]
    | None,
    Parameter(help="Exit with 3 if the verdict is this level or a higher one."),
]
Model = Annotated[Target, Parameter(name="*", group="Model")]
MaybeModel = Annotated[Target | None, Parameter(name="*", group="Model")]
Draw = Annotated[Sampling, Parameter(name="*", group="Sampling")]
Columns = Annotated[Fields, Parameter(name="*", group="Prompt files")]
Detectors = Annotated[
    tuple[str, ...],
    Parameter(name="--detector", help='What is sampled for; repeatable; "all" is every one.'),
]
LabelFile = Annotated[
    Path | None,
    Parameter(help="File that says which prompts are members: CSV, JSONL, Parquet, …"),
]
LabelField = Annotated[
    str | None, Parameter(help="Its column that says so; found by itself under usual names.")
]
MembersFrom = Annotated[
    tuple[str, ...],
    Parameter(
        help="In place of labels: rollouts that a training dumped; their prompts are members."
    ),
]
Measure = Annotated[Options, Parameter(name="*", group="Scoring")]
What = Annotated[Scoring, Parameter(name="*", group="Scoring")]


@dataclass(frozen=True, kw_only=True)
class ControlModel:
    """The base model or an earlier checkpoint, for detectors that compare with it."""

    control_model: str | None = None
    """Provider and name, as --model."""
    control_base_url: str | None = None
    """Where its server listens."""

    def target(self, model: Target) -> Target | None:
        """Return how the control is asked: as the model is, but for its name and address."""
        return None if self.control_model is None else self.other(model, self.control_model)

    def other(self, model: Target, name: str) -> Target:
        """Return how another model is asked, at the control's address."""
        return replace(model, model=name, base_url=self.control_base_url, same_model=False)


Control = Annotated[ControlModel, Parameter(name="*", group="Control")]


def check_limit(limit: int | None) -> None:
    """Raise BadInput unless `limit` is a number of prompts."""
    if limit is not None and limit < 1:
        raise BadInput(f"--limit is {limit}; it must be 1 or more.")


def options_of(given: Any, usual: object, names: Sequence[str] = ()) -> list[str]:
    """Return the options that make `given` of the usual ones, word by word.

    Args:
        given: The options at hand.
        usual: The same with their defaults.
        names: Fields that are looked at; by default all.
    """
    held = {name: getattr(given, name) for name in names or [field.name for field in fields(given)]}
    changed = {name: value for name, value in held.items() if value != getattr(usual, name)}
    words = ((f"--{name.replace('_', '-')}", str(value)) for name, value in changed.items())
    return [word for option in words for word in option]
