"""What an experiment is: one small TOML file; what it leaves out, the task's recipe says.

    task = "countdown"
    half = "B"

    [rl]
    algorithm = "ppo"

Recipes are files of the same form in `recipes/`, made so that a model solves 20 to 60 % of
the problems before RL. A file begins from the recipe called like its task, or from the one
that it names (`recipe = "countdown-two-stage"`); a recipe's name alone can stand for a file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec

from wellworn.detectors import load
from wellworn.errors import BadInput, unknown
from wellworn.lab.injection import Half, Pools
from wellworn.lab.models import Size
from wellworn.lab.pretraining import Pretraining
from wellworn.lab.ranges import Count, Positive
from wellworn.lab.rl.algorithms import ALGORITHMS
from wellworn.lab.rl.loop import Recipe
from wellworn.lab.tasks import LEVELS, Level

RECIPES = files("wellworn.lab") / "recipes"


class Audit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How checkpoints are audited."""

    every: Count = 30
    """Steps between checkpoints; the last step is always one."""
    samples: Annotated[int, msgspec.Meta(ge=2)] = 32
    temperature: Positive = 1.0
    detector: str = "min-knn"
    also: tuple[str, ...] = ("all",)
    """Further detectors, for the last checkpoint and the base model."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An experiment. All that follows from it depends on nothing else."""

    task: str
    level: Level = "standard"
    seed: int = 0
    """Of the split into halves, of the order of training, of all samples in it."""
    half: Half = "A"
    """The half that is trained on; the other one is held out."""
    members: Count = 48
    """So many prompts of each half are trained on or held out, and so many easier ones asked."""
    model: Size = Size()
    pretraining: Pretraining = Pretraining()
    pools: Pools = Pools()
    rl: Recipe = Recipe()
    audit: Audit = Audit()

    trainer: Literal["lab", "trl"] = "lab"
    """Our loop, or TRL's GRPOTrainer as a cross-check of it."""
    base: str | None = None
    """A folder with a base model that was pretrained for such experiments; made anew, else."""
    teacher: str | None = None
    """A finished experiment whose model is distilled, for the algorithm "distill"."""

    def __post_init__(self) -> None:
        if self.members > self.pools.half:
            raise BadInput(
                f"members is {self.members}, and a half of the pool has {self.pools.half}.\n"
                f"Ask for fewer, or for larger pools ([pools] half)."
            )
        if ALGORITHMS[self.rl.algorithm].imitates and self.teacher is None:
            raise BadInput(
                "the algorithm is distill, and no teacher is given.\n"
                'Name a finished experiment: teacher = "FOLDER", or --teacher FOLDER.'
            )
        if self.teacher is not None and not ALGORITHMS[self.rl.algorithm].imitates:
            raise BadInput(
                f"a teacher is given, and the algorithm is {self.rl.algorithm}, which has none.\n"
                f"Leave the teacher out, or choose the algorithm distill."
            )
        for name in (self.audit.detector, *self.audit.also):
            if name != "all":
                load(name)


def load_config(source: str, changes: Mapping[str, Any] = MappingProxyType({})) -> Config:
    """Return an experiment out of a file, or the recipe of that name.

    Args:
        source: The path of a TOML file, or the name of a recipe.
        changes: What takes the place of its values, nested as in the file.

    Raises:
        BadInput: There is no such file or recipe, or it is not as it should be.
    """
    given = merged({"recipe": source} if source in recipes() else _parsed(Path(source)), changes)
    recipe = str(given.pop("recipe", given.get("task")))
    if recipe not in recipes():
        raise BadInput(f"{source}: {unknown('recipe', recipe, recipes())}")
    try:
        return msgspec.convert(merged(_parsed(RECIPES / f"{recipe}.toml"), given), Config)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, BadInput):
            raise BadInput(f"{source}: {error.__cause__}") from None
        raise BadInput(
            f"{source}: {error}.\nLevels are {', '.join(LEVELS)}; halves are A and B.\n"
            f"{_known(str(error))} See docs/lab.md."
        ) from None


def _known(error: str) -> str:
    """Return what the table that an error is about can hold."""
    tables = {"model": Size, "pretraining": Pretraining, "pools": Pools, "rl": Recipe}
    found = re.search(r"\$\.(\w+)", error)
    name = found[1] if found else ""
    kind: Any = {**tables, "audit": Audit}.get(name, Config)
    place = f"[{name}]" if kind is not Config else "An experiment"
    return f"{place} can have {', '.join(kind.__struct_fields__)}."


def recipes() -> list[str]:
    """Return the names of the recipes."""
    return sorted(path.name.removesuffix(".toml") for path in RECIPES.iterdir())


def _parsed(path: Traversable | Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = f"{unknown('recipe', str(path), recipes())}"
        raise BadInput(f"{path}: there is no such file.\nAs a recipe: {known}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: {error}.\nGive a TOML file, or the name of a recipe.") from None


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return two nested tables as one, in which the second has the last word.

    >>> merged({"rl": {"steps": 60, "prompts": 16}}, {"rl": {"steps": 9}})
    {'rl': {'steps': 9, 'prompts': 16}}
    """
    whole = dict(first)
    for name, value in second.items():
        old = whole.get(name)
        both = isinstance(value, dict) and isinstance(old, dict)
        whole[name] = merged(old, value) if both and isinstance(old, dict) else value
    return whole
