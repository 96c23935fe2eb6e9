"""`wellworn evaluate`: how well detectors tell known members from known non-members."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.cli.console import stderr, stdout
from wellworn.cli.options import Json, Run
from wellworn.cli.outcome import write_json
from wellworn.evaluating import EVALUATION, evaluate_run
from wellworn.labels import read_labels
from wellworn.report.evaluation import show
from wellworn.store import Store


def evaluate(
    run: Run,
    /,
    *,
    labels: Annotated[
        Path, Parameter(help="File that says which prompts are members: CSV, JSONL, Parquet, …")
    ],
    label_field: Annotated[
        str | None, Parameter(help="Its column that says so; found by itself under usual names.")
    ] = None,
    published: Annotated[
        bool, Parameter(help="Add the metrics that the published evaluation of RL-MIA prints.")
    ] = False,
    json: Json = False,
) -> int:
    """Measure detectors on prompts whose membership is known, beside blind baselines.

    Every detector that has scores in the run is measured; the result is kept in its
    evaluation.json.
    """
    with Store(run) as store:
        prompts = [store.prompt(prompt_id) for prompt_id in store.prompt_ids()]
        evaluation = evaluate_run(store, read_labels(labels, prompts, label_field), published)
    if json:
        write_json(evaluation)
    else:
        show(evaluation, stdout)
    stderr.print(f"Evaluation: {run}/{EVALUATION}", markup=False, highlight=False, soft_wrap=True)
    return int(any(row.left_out for row in evaluation.detectors))
