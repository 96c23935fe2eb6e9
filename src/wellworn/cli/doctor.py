"""`wellworn doctor`: what can this model do, and which detectors can run on it?"""

from collections.abc import Iterator

from rich.table import Table

from wellworn.backends import Capability, open_backend
from wellworn.cli.console import stdout
from wellworn.cli.options import Json, Model
from wellworn.cli.outcome import write_json
from wellworn.detectors import DETECTORS, load
from wellworn.distance import engine_name


def doctor(*, target: Model, json: Json = False) -> int:
    """Ask a model with tiny requests what it can do, and say which detectors can run on it."""
    backend = open_backend(target)
    try:
        found = backend.check()
    finally:
        backend.close()
    able = {capability.name for capability in found if capability.able}
    detectors = {name: sorted(set(load(name).requires) - able) for name in DETECTORS}
    if json:
        write_json(
            {
                "model": backend.identity,
                "capabilities": found,
                "detectors": {name: {"lacks": lacks} for name, lacks in detectors.items()},
                "notes": backend.notes,
                "distances": engine_name(),
            }
        )
        return 0
    stdout.print(_capabilities(backend.identity, found))
    for line in _in_words(detectors):
        stdout.print(line, highlight=False, soft_wrap=True)
    stdout.print(f"distances are computed by: {engine_name()}", highlight=False, soft_wrap=True)
    for note in backend.notes:
        stdout.print(f"• {note}", markup=False, highlight=False, soft_wrap=True)
    return 0


def _in_words(detectors: dict[str, list[str]]) -> Iterator[str]:
    """Yield which detectors can run, and which cannot for want of what."""
    for lacks in dict.fromkeys(map(tuple, detectors.values())):
        names = [name for name, lacking in detectors.items() if tuple(lacking) == lacks]
        can = f"cannot run, for want of {', '.join(lacks)}" if lacks else "can run"
        yield f"{can}: {', '.join(names)}"


def _capabilities(model: str, found: list[Capability]) -> Table:
    table = Table(title=model)
    table.add_column("")
    table.add_column("able")
    table.add_column("")
    words = {True: "yes", False: "no", None: "unknown"}
    for capability in found:
        table.add_row(capability.name, words[capability.able], capability.detail)
    return table
