"""`wellworn import`: completions that the user already has."""

from typing import Annotated, Literal

from cyclopts import Parameter

from wellworn.cli.console import stderr
from wellworn.cli.options import Again, DryRun, From, Logs, MaybeOut, Where
from wellworn.errors import BadInput
from wellworn.importing import Imported, import_run, preview
from wellworn.readers import Layout
from wellworn.store import Store
from wellworn.tables.values import counted

_LAYOUT = Layout()


def take(
    *files: Logs,
    output: MaybeOut = None,
    reader: From = "auto",
    layout: Where = _LAYOUT,
    set_name: Annotated[
        Literal["suspects", "references"], Parameter(name="--as", help="What the prompts are.")
    ] = "suspects",
    repeats: Again = "auto",
    dry_run: DryRun = False,
) -> None:
    """Take completions that you already have into a run; no model is needed.

    The format, the rows and the fields are found by themselves, and what was taken is said. A
    file that was imported before is passed over.
    """
    if dry_run:
        show_preview(preview(files, layout, reader=reader))
        return
    if output is None:
        raise BadInput("no run is named.\nGive its folder with -o, or look first with --dry-run.")
    with Store(output, create=True) as store:
        done = import_run(store, files, layout, reader=reader, set_name=set_name, repeats=repeats)
    say(done)
    stderr.print(
        f"{counted(done.completions, 'completion')} of {counted(done.prompts, 'prompt')} were "
        f"added to {output}.",
        markup=False,
        highlight=False,
    )


def say(done: Imported) -> None:
    """Say what was taken for what, and what a report will say of it."""
    for line in (*done.took, *done.notes):
        stderr.print(f"• {line}", markup=False, highlight=False, soft_wrap=True)


def show_preview(found: Imported) -> None:
    """Say what would be read, with the first completions."""
    say(found)
    for prompt, completion in found.examples:
        reasoning = f"\n  reasoning: {completion.reasoning!r:.300}" if completion.reasoning else ""
        stderr.print(
            f"{prompt.source}\n  prompt: {prompt.shown!r:.300}{reasoning}\n"
            f"  completion: {completion.text!r:.300}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    stderr.print(
        f"{counted(found.completions, 'completion')} of {counted(found.prompts, 'prompt')} would "
        f"be read; nothing was kept.",
        markup=False,
        highlight=False,
    )
