"""`wellworn plan`: what an audit of so many prompts can show, before anything is sampled."""

from typing import Annotated

from cyclopts import Parameter

from wellworn.cli.console import stdout
from wellworn.cli.options import Columns, Json
from wellworn.cli.outcome import write_json
from wellworn.errors import BadInput
from wellworn.prompts import Fields, read_prompts
from wellworn.report.plan import in_words
from wellworn.statistics.power import plan as planned

_COLUMNS = Fields()

Count = Annotated[int | None, Parameter(help="How many there are, in place of a file.")]
Set = Annotated[str | None, Parameter(help="A file of prompts, to be counted.")]


def plan(
    *,
    suspects: Count = None,
    references: Count = None,
    prompts: Set = None,
    reference: Set = None,
    columns: Columns = _COLUMNS,
    json: Json = False,
) -> None:
    """Say which differences sets of such sizes can show, and whether any claim is possible."""
    sizes = [
        _size("suspects", suspects, prompts, columns),
        _size("references", references, reference, columns),
    ]
    found = planned(*sizes)
    if json:
        write_json(found)
    else:
        stdout.print(in_words(found), soft_wrap=True, highlight=False)


def _size(name: str, count: int | None, source: str | None, columns: Fields) -> int:
    """Return how many prompts a set has, as given or as counted."""
    option = "--prompts" if name == "suspects" else "--reference"
    if (count is None) == (source is None):
        raise BadInput(f"Give --{name} N or {option} FILE, and not both.")
    size = count if source is None else len(read_prompts(source, columns).prompts)
    if size is None or size < 2:
        raise BadInput(f"--{name} is {size}; a comparison needs 2 or more of a set.")
    return size
