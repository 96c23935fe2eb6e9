"""`wellworn sample`: the first stage of an audit."""

from wellworn.cli.console import progress, stderr
from wellworn.cli.options import (
    Columns,
    Draw,
    Limit,
    Model,
    Out,
    Prompts,
    Reference,
    check_limit,
)
from wellworn.pipeline import Plan, sample_run
from wellworn.prompts import Fields
from wellworn.sampler import Sampling
from wellworn.store import Store

_DRAW, _COLUMNS = Sampling(), Fields()


def sample(
    *,
    prompts: Prompts,
    reference: Reference = None,
    output: Out,
    target: Model,
    draw: Draw = _DRAW,
    columns: Columns = _COLUMNS,
    limit: Limit = None,
) -> int:
    """Ask a model for the completions that a run lacks.

    Running the same command again asks only for what is missing.
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
    )
    with Store(output, create=True) as store, progress() as stages:
        outcome = sample_run(store, plan, on_progress=stages)
    stderr.print(f"{outcome.stored} completions were added to {output}.", highlight=False)
    if outcome.failed:
        stderr.print(
            f"{outcome.failed} could not be had; the same command asks for them again.",
            highlight=False,
        )
    return int(outcome.failed > 0)
