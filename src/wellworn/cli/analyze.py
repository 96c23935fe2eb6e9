"""`wellworn analyze`: how worn the paths are, over one run, two, or a series of checkpoints."""

from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.analysing import PAGE, analyse, write_analysis
from wellworn.analysis.design import Design
from wellworn.analysis.semantic import Models
from wellworn.backends import Target, open_backend
from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import Json, options_of
from wellworn.cli.outcome import write_json
from wellworn.errors import BadInput
from wellworn.labels import read_labels
from wellworn.report.analysis import show
from wellworn.store import Store

_DESIGN, _MODELS = Design(), Models()


@dataclass(frozen=True, kw_only=True)
class Labeller:
    """A model that labels n-grams as well, to see how far it agrees with the rules."""

    labeller: str | None = None
    """Provider and name of a model that labels frequent n-grams too; its agreement is said."""
    labeller_base_url: str | None = None
    """Where its server listens."""


_LABELLER = Labeller()


def analyze(
    *runs: Annotated[Path, Parameter(help="Folders of runs, the base model or earliest first.")],
    labels: Annotated[
        Path | None, Parameter(help="File that says which prompts are members: CSV, JSONL, …")
    ] = None,
    label_field: Annotated[
        str | None, Parameter(help="Its column that says so; found by itself under usual names.")
    ] = None,
    design: Annotated[Design, Parameter(name="*", group="Analysis")] = _DESIGN,
    models: Annotated[Models, Parameter(name="*", group="Models that read")] = _MODELS,
    labeller: Annotated[Labeller, Parameter(name="*", group="Models that read")] = _LABELLER,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="Folder of the results; the last run's, else."),
    ] = None,
    json: Json = False,
) -> int:
    """Measure diversity, frequent n-grams and structural modes of completions.

    Over several runs, such as the base model and its checkpoints, it says how they change. The
    result is kept as analysis.json and as a page, analysis.html.
    """
    if not runs:
        raise BadInput("no run was named.\nGive its folder: `wellworn analyze RUN`.")
    folder = output or runs[-1]
    command = ["wellworn", "analyze", *map(str, runs), *_labelled(labels, label_field)]
    command += [*options_of(replace(design, jobs=None), _DESIGN), *options_of(models, _MODELS)]
    command += [*options_of(labeller, _LABELLER), *(["-o", str(output)] if output else [])]
    with ExitStack() as opened, progress() as stages:
        stores = [opened.enter_context(Store(run)) for run in runs]
        prompts = [stores[-1].prompt(prompt_id) for prompt_id in stores[-1].prompt_ids()]
        known = read_labels(labels, prompts, label_field) if labels else None
        backend = None
        if labeller.labeller:
            target = Target(model=labeller.labeller, base_url=labeller.labeller_base_url)
            backend = opened.enter_context(closing(open_backend(target)))
        analysis = analyse(stores, known, design, models.measures(), backend, stages)
        write_analysis(analysis, stores[-1], design, folder, command)
    if json:
        write_json(analysis)
    else:
        show(analysis, stdout)
    stderr.print(f"Analysis: {folder}/{PAGE}", markup=False, highlight=False, soft_wrap=True)
    return int(any(item.reason for each in analysis.checkpoints for item in each.items))


def _labelled(labels: Path | None, field: str | None) -> list[str]:
    """Return the options that name labels, word by word."""
    options = {"--labels": labels, "--label-field": field}
    return [str(word) for option in options.items() if option[1] for word in option]
