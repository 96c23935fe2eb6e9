"""`wellworn score`: from stored completions, or from other tools' logs, to scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import Again, DryRun, Json, Logs, MaybeOut, Measure, What, Where
from wellworn.cli.outcome import write_json
from wellworn.cli.take import say, show_preview
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.importing import claim, import_run, preview
from wellworn.judging import Scoring, score_run
from wellworn.prompts.asked import recognisable
from wellworn.readers import Layout
from wellworn.readers.repeats import Repeats
from wellworn.readers.sources import named_after
from wellworn.records import Prompt, Score
from wellworn.store import Store

_WHAT, _MEASURE, _LAYOUT = Scoring(), Options(), Layout()
_RUNS = Path("runs")


def score(
    *paths: Annotated[
        Logs, Parameter(help="Folder of the run; with --from, files, folders, globs or addresses.")
    ],
    what: What = _WHAT,
    measure: Measure = _MEASURE,
    reader: Annotated[
        str | None,
        Parameter(
            name="--from", help='Import logs first: "auto", or a name from `wellworn list readers`.'
        ),
    ] = None,
    output: MaybeOut = None,
    layout: Where = _LAYOUT,
    repeats: Again = "auto",
    dry_run: DryRun = False,
    json: Json = False,
) -> int:
    """Score the completions of a run, and keep the scores in it.

    With --from, completions that other tools logged are imported first: into the run that -o
    names, else into runs/ and the name of the first file.
    """
    if dry_run:
        show_preview(preview(paths, layout, reader=reader or "auto"))
        return 0
    run = _only_run(paths) if reader is None else _imported(paths, reader, output, layout, repeats)
    with Store(run) as store:
        with progress() as stages:
            scores = score_run(store, what, measure, on_progress=stages)
        if json:
            write_json(scores)
        else:
            for item in scores:
                line = _line(item, store.prompt(item.prompt_id))
                stdout.print(line, markup=False, highlight=False, no_wrap=True, crop=False)
    lacking = sum(item.score is None for item in scores)
    stderr.print(f"{len(scores) - lacking} of {len(scores)} prompts have a score.", highlight=False)
    return int(lacking > 0)


def _only_run(paths: Sequence[str]) -> Path:
    if len(paths) != 1:
        raise BadInput(
            f"{len(paths)} runs are given; one is scored at a time.\n"
            f"Logs of other tools are scored with `wellworn score --from auto PATH…`."
        )
    return Path(paths[0])


def _imported(
    paths: Sequence[str], reader: str, output: Path | None, layout: Layout, repeats: Repeats
) -> Path:
    """Import logs into a run; return it."""
    run = output or _RUNS / named_after(paths)
    with Store(run, create=True) as store:
        if output is None:
            claim(store, paths)
        say(import_run(store, paths, layout, reader=reader, repeats=repeats))
    stderr.print(f"The completions are in {run}.", markup=False, highlight=False, soft_wrap=True)
    return run


def _line(item: Score, prompt: Prompt) -> str:
    """Return the prompt's id, its value or why there is none, and its end, which tells most."""
    value = "-" if item.value is None else f"{item.value:.4f}"
    empty = item.counts.empty
    flag = f"({empty} of {item.counts.completions} are empty) " if empty else ""
    said = f"({item.reason}) " if item.reason else flag
    question = " ".join(recognisable(prompt).split())
    return f"{item.prompt_id}  {value:>6}  {said}{question[-60:]}"
