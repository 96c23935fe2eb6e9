"""Options from a TOML file: one flat table, whose keys are options of any command.

A key that the command at hand does not have is passed over, so that one file serves
sample, score and audit; a key that no command has is an error.
"""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cyclopts import App, ArgumentCollection
from cyclopts.config import Dict

from wellworn.errors import BadInput, unknown

Provider = Callable[[App, tuple[str, ...], ArgumentCollection], Any]


def toml_config(path: Path | None) -> list[Provider]:
    """Return what fills in the options of a command from the file at `path`, if given.

    Raises:
        BadInput: There is no such file, or it is no TOML.
    """
    if path is None:
        return []
    options = _read(path)

    def provide(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        known = _options_of_all_commands()
        for name in options:
            if name not in known:
                raise BadInput(f"{path}: {unknown('option', name, known)}")
        mine = {name: options[name] for name in options if name in _names(arguments)}
        Dict(mine, source=str(path), use_commands_as_keys=False)(app, commands, arguments)

    return [provide]


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return {key.replace("_", "-"): value for key, value in tomllib.load(file).items()}
    except OSError as error:
        raise BadInput(f"{path}: the file cannot be read ({error.strerror}).") from None
    except ValueError as error:
        raise BadInput(f"{path}: this is no TOML ({error}).") from None


def _options_of_all_commands() -> set[str]:
    from wellworn.cli import COMMANDS, app
    from wellworn.cli.lab import COMMANDS as OF_LAB

    commands = [app[name] for name in COMMANDS if name != "lab"]
    commands += [app["lab"][name] for name in OF_LAB]
    return {name for each in commands for name in _names(each.assemble_argument_collection())}


def _names(arguments: ArgumentCollection) -> set[str]:
    names = (name for argument in arguments for name in argument.names)
    found = {name.removeprefix("--") for name in names if name.startswith("--")}
    return {name for name in found if name.removeprefix("no-") not in found - {name}}
