"""`wellworn sample`: the first stage of an audit."""

from wellworn.cli.console import progress, stderr
from wellworn.cli.options import (
    Columns,
    Control,
    ControlModel,
    Detectors,
    Draw,
    Limit,
    Measure,
    Model,
    Out,
    Prompts,
    Reference,
    check_limit,
)
from wellworn.detectors import Options
from wellworn.judging import Scoring
from wellworn.pipeline import Plan, askable, sample_run
from wellworn.prompts import Fields
from wellworn.sampler import Sampling
from wellworn.store import Store

_DRAW, _COLUMNS, _MEASURE, _CONTROL = Sampling(), Fields(), Options(), ControlModel()


def sample(
    *,
    prompts: Prompts,
    reference: Reference = None,
    output: Out,
    target: Model,
    control: Control = _CONTROL,
    detector: Detectors = ("min-knn",),
    measure: Measure = _MEASURE,
    draw: Draw = _DRAW,
    columns: Columns = _COLUMNS,
    limit: Limit = None,
) -> int:
    """Ask a model for the completions that a run lacks.

    Running the same command again asks only for what is missing. What is asked follows from
    the detectors: one greedy answer serves all that read one.
    """
    check_limit(limit)
    plan = Plan(
        target=target,
        prompts=prompts,
        reference=reference,
        run=output,
        sampling=draw,
        fields=columns,
        limit=limit,
        control=control.target(target),
    )
    what = Scoring(detector=detector[0], also=detector[1:])
    names = what.detectors(askable(plan), measure)
    with Store(output, create=True) as store, progress() as stages:
        outcome = sample_run(store, plan, names, measure, on_progress=stages)
    stderr.print(f"{outcome.stored} completions were added to {output}.", highlight=False)
    if outcome.failed:
        stderr.print(
            f"{outcome.failed} could not be had; the same command asks for them again.",
            highlight=False,
        )
    return int(outcome.failed > 0)
