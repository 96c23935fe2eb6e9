"""What is exported, whoever trains on it: prompts, rows, and how the result is audited."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from wellworn.errors import BadInput
from wellworn.lab.exports.published import RESPONSE, Dose, dose
from wellworn.lab.injection import Injection, prompt_id
from wellworn.lab.tasks import Item, Level, Task

TRAINED, HELD_OUT = "train.parquet", "held_out.parquet"

Row = dict[str, Any]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to train, how long, and how much beside the members."""

    model: str = "Qwen/Qwen2.5-7B-Instruct"
    """RL-MIA's for K&K and SAT; a name on the Hub or a folder."""
    epochs: int | None = None
    """None: as published for the benchmark that is most like the task."""
    filler: int = 0
    """Further fresh problems, trained on too, but neither labelled nor audited: with them,
    members are a share of a larger training set."""
    level: Level = "standard"
    """How hard the filler is."""
    seed: int = 0
    """Another one draws other filler."""

    def __post_init__(self) -> None:
        if self.epochs is not None and self.epochs < 1:
            raise BadInput(f"--epochs is {self.epochs}; it must be 1 or more.")
        if self.filler < 0:
            raise BadInput(f"--filler is {self.filler}; it must be 0 or more.")


class Contamination(NamedTuple):
    """What is exported; every prompt begins with the task's instruction."""

    task: str
    injection: Injection
    trained: list[Item]
    """Members and filler, in the order of their prompts' ids, which says nothing."""
    dose: Dose
    model: str


def contamination(task: Task[Any], injection: Injection, settings: Settings) -> Contamination:
    """Return what is to be exported.

    Raises:
        BadInput: There is too little to train on, or there are no more fresh problems.
    """
    taken = {task.canonical(item) for items in injection for item in items}
    filler = task.fresh(settings.seed, settings.filler, settings.level, taken)
    told = Injection(*([_told(task, item) for item in items] for items in injection))
    trained = [*told.members, *(_told(task, item) for item in filler)]
    return Contamination(
        task=task.name,
        injection=told,
        trained=sorted(trained, key=prompt_id),
        dose=dose(task.name, len(trained), settings.epochs),
        model=settings.model,
    )


def _told(task: Task[Any], item: Item) -> Item:
    """Return an item that says first what its task is."""
    return msgspec.structs.replace(item, prompt=f"{task.instruction}\n\n{item.prompt}")


def turns(item: Item) -> list[dict[str, str]]:
    """Return the chat that asks an item, as both trainers read chats."""
    return [{"role": "user", "content": item.prompt}]


def source(task: str) -> str:
    """Return how the rows of a task name it; `wellworn.lab.exports.reward` reads it back.

    >>> source("knights")
    'wellworn/knights'
    """
    return f"wellworn/{task}"


def write_rows(path: Path, rows: Sequence[Row]) -> Path:
    """Write rows, with what nests in them, as Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def readme(to: str, exported: Contamination, scripts: Sequence[Path]) -> str:
    """Return what is what, and how the result is audited."""
    dose, task, model = exported.dose, exported.task, exported.model
    members, held_out = exported.injection.members, exported.injection.held_out
    runs = ", ".join(f"`{path.name}`" for path in scripts if path.suffix != ".parquet")
    return f"""\
# {task}, for {to}

- `{TRAINED}` is trained on: {len(members)} members and {dose.rows - len(members)} filler.
  `{HELD_OUT}` never is: {len(held_out)} problems of the same draw.
- {runs}: {dose.epochs} epochs, each {dose.epoch} x {dose.batch} prompts; those that fill no
  batch sit an epoch out. Each number says where it is from. {CAVEATS[to]}
- `reward.py` is the reward. It needs wellworn on the machine that trains, and runs no text.
- `members.jsonl`, `held_out.jsonl` and `labels.csv` are the same prompts, for an audit. None of
  `easy.jsonl`, easier ones, and `*_twins.jsonl`, both halves in other words, is trained on.
- Audit a checkpoint, then hold the result against the truth:

```
wellworn audit --model hf/CHECKPOINT --control-model hf/{model} \\
               --prompts members.jsonl --reference held_out.jsonl --max-tokens {RESPONSE} \\
               --verifier wellworn.lab.verifiers:{task} -o runs/{task}
wellworn evaluate runs/{task} --labels labels.csv
```
"""


CAVEATS = {
    "verl": """Names are those of
  verl 0.9.1, whose trainer samples dynamically by itself.""",
    "trl": """Arguments are those
  of TRL 1.16. It has no PPO any more, and its last one took a reward model, not a function:
  verl has one. Nor does it sample dynamically: its DAPO is the rest of DAPO.""",
}
"""What to know of each trainer."""
