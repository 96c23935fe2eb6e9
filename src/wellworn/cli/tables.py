"""`wellworn list`: the tables that the package is made of."""

from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from wellworn.backends import BACKENDS
from wellworn.cli.console import stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.readers import READERS

Kind = Annotated[
    Literal["detectors", "backends", "readers"], Parameter(help="Which table to show.")
]


def show(kind: Kind, /, *, json: Json = False) -> None:
    """List the detectors, backends or readers."""
    rows = {"detectors": _detectors, "backends": _backends, "readers": _readers}[kind]()
    if json:
        write_json(rows)
        return
    table = Table(show_lines=len(rows[0]) > 2)
    table.add_column("name", no_wrap=True)
    table.add_column("what")
    for row in rows:
        table.add_row(row["name"], Text(_described(row)))
    stdout.print(table)


def _described(row: dict[str, str]) -> str:
    """Return what a row says beside its name, in two lines, for terminals that are narrow."""
    more = "; ".join(f"{heading}: {row[heading]}" for heading in list(row)[2:])
    return "\n".join(filter(None, [row["what"], more]))


def _detectors() -> list[dict[str, str]]:
    from wellworn.detectors.reference import rows

    return rows()


def _backends() -> list[dict[str, str]]:
    return [{"name": name, "what": what} for name, (_, what) in BACKENDS.items()]


def _readers() -> list[dict[str, str]]:
    return [{"name": name, "what": what} for name, (_, what) in READERS.items()]
