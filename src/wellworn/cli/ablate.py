"""`wellworn ablate`: how a detector's AUC depends on k, m, temperature and the like."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.ablating import Design
from wellworn.ablating import ablate as vary
from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import Json, LabelField, LabelFile, Measure, MembersFrom
from wellworn.cli.outcome import write_json
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.members import known_labels
from wellworn.report.ablation import show
from wellworn.report.ablation_charts import write_ablation
from wellworn.store import Store

_DESIGN, _MEASURE = Design(), Options()


def ablate(
    *runs: Annotated[Path, Parameter(help="Folders of runs; several for several temperatures.")],
    labels: LabelFile = None,
    label_field: LabelField = None,
    members_from: MembersFrom = (),
    design: Annotated[Design, Parameter(name="*", group="Ablation")] = _DESIGN,
    measure: Measure = _MEASURE,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="Folder of the results; RUN/ablation by default."),
    ] = None,
    json: Json = False,
) -> int:
    """Vary how completions are drawn and read, on prompts whose membership is known.

    Every axis changes one thing. Its AUCs are printed, and written as JSON and as charts
    (Vega-Lite, SVG and PNG).
    """
    if not runs:
        raise BadInput("no run was named.\nGive its folder: `wellworn ablate RUN --labels …`.")
    with ExitStack() as opened, progress() as stages:
        stores = [opened.enter_context(Store(run)) for run in runs]
        prompts = [store.prompt(i) for store in stores for i in store.prompt_ids()]
        known = known_labels(prompts, labels, members_from, label_field)
        ablation = vary(stores, known.by_prompt, design, measure, on_progress=stages)
    folder = output or runs[0] / "ablation"
    files = write_ablation(ablation, folder)
    if json:
        write_json(ablation)
    else:
        show(ablation, stdout)
    stderr.print(f"{len(files)} files were written to {folder}.", markup=False, highlight=False)
    return int(ablation.default.lacking is not None)
