"""`wellworn list`: the tables that the package is made of."""

from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table

from wellworn.backends import BACKENDS
from wellworn.cli.console import stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.detectors import DETECTORS, load
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
    table = Table()
    for heading in rows[0]:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row.values())
    stdout.print(table)


def _detectors() -> list[dict[str, str]]:
    return [
        {
            "name": name,
            "what": (detector := load(name)).summary,
            "needs": ", ".join(f"{n.probe} x {n.completions}" for n in detector.needs(32)),
            "requires": ", ".join(detector.requires),
            "score": detector.orientation,
            "paper": detector.paper,
        }
        for name in DETECTORS
    ]


def _backends() -> list[dict[str, str]]:
    return [{"name": name, "what": what} for name, (_, what) in BACKENDS.items()]


def _readers() -> list[dict[str, str]]:
    return [{"name": name, "what": what} for name, (_, what) in READERS.items()]
