"""`wellworn evaluate`: how well detectors tell known members from known non-members."""

from typing import Annotated

from cyclopts import Parameter

from wellworn.cli.console import stderr, stdout
from wellworn.cli.options import Json, LabelField, LabelFile, MembersFrom, Run
from wellworn.cli.outcome import write_json
from wellworn.evaluating import EVALUATION, evaluate_run
from wellworn.members import known_labels
from wellworn.report.evaluation import show
from wellworn.store import Store


def evaluate(
    run: Run,
    /,
    *,
    labels: LabelFile = None,
    label_field: LabelField = None,
    members_from: MembersFrom = (),
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
        known = known_labels(prompts, labels, members_from, label_field)
        evaluation = evaluate_run(store, known.by_prompt, published)
    if known.note:
        stderr.print(f"• {known.note}", markup=False, highlight=False, soft_wrap=True)
    if json:
        write_json(evaluation)
    else:
        show(evaluation, stdout)
    stderr.print(f"Evaluation: {run}/{EVALUATION}", markup=False, highlight=False, soft_wrap=True)
    return int(any(row.left_out for row in evaluation.detectors))
