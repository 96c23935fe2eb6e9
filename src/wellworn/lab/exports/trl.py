"""For TRL: its columns, and one script that trains by GRPO or DAPO.

TRL has no trainer of PPO any more (removed in September 2026, huggingface/trl#7020), and the last
one took a reward model, not a function, so no script stands in for it: verl trains by PPO.
"""

from pathlib import Path

from wellworn.lab.exports import published
from wellworn.lab.exports.contamination import (
    HELD_OUT,
    TRAINED,
    Contamination,
    Row,
    source,
    turns,
    write_rows,
)
from wellworn.lab.tasks import Item
from wellworn.lab.verifiers import gold


def write(folder: Path, exported: Contamination) -> list[Path]:
    """Write rows and the script; return their paths."""
    rows = {TRAINED: exported.trained, HELD_OUT: exported.injection.held_out}
    paths = [
        write_rows(folder / name, [_row(exported.task, item) for item in items])
        for name, items in rows.items()
    ]
    script = folder / "train_grpo.py"
    script.write_text(_script(exported), encoding="utf-8")
    return [*paths, script]


def _row(task: str, item: Item) -> Row:
    return {"prompt": turns(item), "data_source": source(task), "ground_truth": gold(item)}


def _script(exported: Contamination) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wellworn.lab.exports"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template("train_grpo.py.jinja").render(
        task=exported.task,
        model=exported.model,
        dose=exported.dose,
        published=published,
        trained=TRAINED,
    )
