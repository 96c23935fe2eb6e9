"""`wellworn twins`: references that differ from the suspects in the problem alone."""

import json
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from wellworn.benchmark.twins import twins as drawn
from wellworn.cli.console import stderr
from wellworn.cli.options import Columns
from wellworn.errors import BadInput
from wellworn.prompts import Fields, read_prompts

_COLUMNS = Fields()

Kind = Annotated[
    Literal["knights", "sat", "countdown"], Parameter(help="What kind of problem the prompts hold.")
]


def twins(
    kind: Kind,
    prompts: Annotated[str, Parameter(help="The suspects, in any format of prompt files.")],
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="JSONL file to write.")],
    seed: Annotated[int, Parameter(help="Another seed gives other twins.")] = 0,
    columns: Columns = _COLUMNS,
) -> None:
    """Write a fresh twin of each prompt: the same words around another problem of its form.

    No model can have been trained on them, so they make good references.
    """
    found = drawn(kind, read_prompts(prompts, columns).prompts, seed)
    rows = [
        {
            "prompt": prompt.text
            if prompt.text is not None
            else msgspec.to_builtins(prompt.messages),
            "answer": prompt.answer,
        }
        for prompt in found
    ]
    try:
        output.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output}: the file cannot be written ({error.strerror}).") from None
    stderr.print(f"{len(found)} twins were written to {output}.", highlight=False, soft_wrap=True)
