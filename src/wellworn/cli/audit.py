"""`wellworn audit`: the whole line, on a model or on stored runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.audits import Stored, audit_model, audit_runs
from wellworn.cli.console import progress, stderr
from wellworn.cli.options import (
    Columns,
    Control,
    ControlModel,
    Draw,
    FailOn,
    Json,
    Limit,
    MaybeModel,
    Measure,
    What,
    check_limit,
)
from wellworn.cli.outcome import finish
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.judging import Scoring
from wellworn.pipeline import Plan
from wellworn.prompts import Fields
from wellworn.sampler import Sampling


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is audited: prompts, through a model; or runs that are stored already."""

    prompts: str | None = None
    """Suspected prompts: JSONL, JSON, CSV, Parquet, text, or hub:NAME."""
    reference: str | None = None
    """Prompts that cannot have been trained on, of the same kind."""
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None
    """Folder of the run; made if needed. The same command goes on from what it holds."""
    run: Path | None = None
    """A stored run in place of a model and prompts."""
    reference_run: Path | None = None
    """A stored run whose prompts are the references."""
    control_run: Path | None = None
    """A stored run of the same prompts by the base model, or by an earlier checkpoint."""
    positive: str | None = None
    """Prompts that the model was trained on, as from rollout dumps: a check of the detector."""
    negative: str | None = None
    """Further prompts that it cannot have been trained on."""
    positive_run: Path | None = None
    """A stored run of prompts that the model was trained on."""
    negative_run: Path | None = None
    """A stored run of further prompts that it cannot have been trained on."""


_SUBJECT, _DRAW, _COLUMNS = Subject(), Sampling(), Fields()
_WHAT, _MEASURE, _CONTROL = Scoring(), Options(), ControlModel()


def audit(
    *,
    subject: Annotated[Subject, Parameter(name="*", group="Subject")] = _SUBJECT,
    target: MaybeModel = None,
    control: Control = _CONTROL,
    draw: Draw = _DRAW,
    columns: Columns = _COLUMNS,
    what: What = _WHAT,
    measure: Measure = _MEASURE,
    limit: Limit = None,
    json: Json = False,
    fail_on: FailOn = None,
) -> int:
    """Sample, score and judge suspects against references, in one go.

    With --model, --prompts and -o, the model is asked; with --run, stored completions
    are judged and no model is needed.
    """
    check_limit(limit)
    with progress() as stages:
        if subject.run:
            _refuse(subject, "--run", ("prompts", "reference", "output", "positive", "negative"))
            if target is not None or limit is not None:
                given = "--model" if target is not None else "--limit"
                raise BadInput(
                    f"{given} and --run do not go together: stored runs are judged whole."
                )
            stored = Stored(*(getattr(subject, name) for name in Stored._fields))
            summary = audit_runs(stored, what, measure, stages)
        else:
            plan = _plan(subject, target, draw, columns, limit)
            plan = plan._replace(control=control.target(plan.target))
            summary = audit_model(plan, what, measure, stages)
    if limit:
        stderr.print("[bold]A random subset was audited (--limit): this is no valid audit.[/bold]")
    return finish(summary, as_json=json, fail_on=fail_on)


def _plan(subject: Subject, target: MaybeModel, draw: Draw, columns: Columns, limit: Limit) -> Plan:
    _refuse(subject, "--model", Stored._fields[1:])
    if target is None or subject.prompts is None or subject.output is None:
        given = {
            "--model": target,
            "--prompts": subject.prompts,
            "-o": subject.output,
        }
        lacking = ", ".join(name for name, value in given.items() if value is None)
        raise BadInput(
            f"an audit of a model needs --model, --prompts and -o; missing: {lacking}.\n"
            f"To judge completions that are stored already, give --run."
        )
    return Plan(
        target=target,
        prompts=subject.prompts,
        reference=subject.reference,
        positive=subject.positive,
        negative=subject.negative,
        run=subject.output,
        sampling=draw,
        fields=columns,
        limit=limit,
    )


def _refuse(subject: Subject, chosen: str, others: tuple[str, ...]) -> None:
    for name in others:
        if getattr(subject, name) is not None:
            raise BadInput(
                f"{chosen} and --{name.replace('_', '-')} do not go together: an audit is "
                f"either of a model (--model, --prompts, -o) or of stored runs "
                f"(--run, --reference-run, --control-run)."
            )
