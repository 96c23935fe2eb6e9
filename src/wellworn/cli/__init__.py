"""The command line: one file a command, and no logic beyond it.

Options come from the command line, then from WELLWORN_* variables (WELLWORN_MODEL is
--model), then from a TOML file given with --config (`model = "…"`), then from defaults.

Exit codes: 0 finished, whatever the verdict; 1 finished with failed items; 2 usage or bad
input; 3 only with --fail-on; 70 a bug of ours, with its traceback; 130 interrupted.
"""

import io
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter
from cyclopts.config import Env

from wellworn.cli.config import toml_config
from wellworn.cli.console import stderr
from wellworn.errors import WellwornError

app = App(
    name="wellworn",
    help="Was this prompt in a language model's RL training data?",
    version_flags=["--version"],
    default_parameter=Parameter(negative=""),
    suppress_keyboard_interrupt=False,
)
app.meta.suppress_keyboard_interrupt = False

COMMANDS = {
    "audit": ("audit:audit", "Sample, score and judge suspects against references, in one go."),
    "plan": ("plan:plan", "Say what sets of such sizes can show, before anything is sampled."),
    "sample": ("sample:sample", "Ask a model for the completions that a run lacks."),
    "import": ("take:take", "Take completions that you already have into a run."),
    "score": ("score:score", "Score the completions of a run."),
    "report": ("report:report", "Show a scored run, and write its report.json."),
    "compare": ("compare:compare", "Compare two runs on the same prompts, prompt by prompt."),
    "analyze": ("analyze:analyze", "See how worn the paths are: diversity, n-grams, modes."),
    "evaluate": ("evaluate:evaluate", "Measure detectors on prompts with known membership."),
    "ablate": ("ablate:ablate", "Vary k, m, temperature and the like, on known membership."),
    "twins": ("twins:twins", "Write fresh twins of prompts: references of the same form."),
    "benchmark": ("benchmark:benchmark", "Run RL-MIA, whose members are known, on a model."),
    "export": ("export:export", "Write the completions or the scores of a run as a table."),
    "doctor": ("doctor:doctor", "Ask a model what it can do, and which detectors can run on it."),
    "lab": ("lab:app", "Train small models on known prompts, and audit them."),
    "list": ("tables:show", "List the detectors, backends or readers."),
    "demo": ("demo:demo", "Audit a small real model on bundled prompts."),
}
"""Every command: the function behind it, imported when it is called, and its help."""

for _name, (_function, _help) in COMMANDS.items():
    app.command(f"wellworn.cli.{_function}", name=_name, help=_help)


@app.meta.default
def _run(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    config: Annotated[Path | None, Parameter(help="A TOML file with options.")] = None,
) -> int:
    app.config = [Env("WELLWORN_", command=False), *toml_config(config)]
    return app(tokens, exit_on_error=False, print_error=False) or 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line on `arguments`, by default those of the process.

    Errors of the user's are printed without a traceback.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    tokens = [*(sys.argv[1:] if arguments is None else arguments)]
    if "-" in tokens:  # which the parser would take for an option
        from wellworn.readers.sources import STDIN

        tokens = [STDIN if token == "-" else token for token in tokens]
    app.config = [Env("WELLWORN_", command=False)]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app.meta(tokens, exit_on_error=False, print_error=False)
    except (WellwornError, CycloptsError) as error:
        stderr.print(f"wellworn: error: {error}", markup=False, highlight=False, soft_wrap=True)
        code = 2
    except KeyboardInterrupt:
        stderr.print(
            "Stopped. What was stored by then is kept; to go on, give the same command.",
            soft_wrap=True,
        )
        code = 130
    except BrokenPipeError:
        code = 0
    except Exception as error:
        code = _told(error)
    sys.exit(code)


def _told(error: Exception) -> int:
    """Print what is no error of the user's, and return the exit code: a bug, or half a package."""
    package = (getattr(error, "name", None) or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and package not in ("", "wellworn"):
        stderr.print(
            f"wellworn: error: the package {package!r} is missing.\n"
            f"Install wellworn with all that it needs: `pip install wellworn`; for models in this "
            f"process, '.[hf]'.",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        return 2
    traceback.print_exception(error)
    return 70
