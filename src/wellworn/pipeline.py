"""The stages that fill a run, each of which can be repeated alone.

    prepare ─▶ sample ─▶ score ─▶ summarize       (the latter two in `wellworn.judging`)
    import  ──────────┘

The command line and the Python interface both call these and add nothing.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

from wellworn.backends import Backend, Target, open_backend
from wellworn.detectors import load
from wellworn.probes import union
from wellworn.prompts import Fields, PromptSet, read_prompts, sample_prompts
from wellworn.records import Generation
from wellworn.report.sides import SetName, check_disjoint
from wellworn.sampler import Outcome, Sampling, missing, sample
from wellworn.sampler.continuity import check_address, remember
from wellworn.store import Store

REPORT = "report.json"


class Progress(Protocol):
    """Is told how far a stage has come: "sampling" or "scoring"."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note that `done` of `total` are done; called often."""
        ...


def silent(stage: str, done: int, total: int) -> None:
    """Take no note."""


class Plan(NamedTuple):
    """What to ask whom, and where it is kept."""

    target: Target
    prompts: str | PromptSet
    run: str | Path
    reference: str | PromptSet | None = None
    sampling: Sampling = Sampling()
    fields: Fields = Fields()
    limit: int | None = None
    """So many prompts of each set, drawn at random; all, if not given."""


def sample_run(
    store: Store,
    plan: Plan,
    detectors: Sequence[str] = ("min-knn",),
    on_progress: Progress = silent,
) -> Outcome:
    """Read the prompts into the run, and ask the model for what it lacks for these detectors.

    A run that cannot go on with this model is left as it was.

    Raises:
        BadInput: A file cannot be read, a prompt is in both sets, a name is unknown, or the
            run was begun with another model.
        BackendError: The model cannot be reached, or refuses everything.
    """
    sets = _read_sets(plan)
    samples = plan.sampling.samples
    needs = union(need for name in detectors for need in load(name).needs(samples))
    with closing(open_backend(plan.target)) as backend:
        generation = plan.sampling.generation(backend.identity)
        check_address(store, backend, generation, same_model=plan.target.same_model)
        _keep_sets(store, sets, plan)
        return _sample(store, backend, generation, needs, on_progress)


def _read_sets(plan: Plan) -> dict[SetName, PromptSet]:
    given: dict[SetName, str | PromptSet | None] = {
        "suspects": plan.prompts,
        "references": plan.reference,
    }
    sets = {
        name: read_prompts(source, plan.fields) if isinstance(source, str) else source
        for name, source in given.items()
        if source is not None
    }
    check_disjoint([found.prompts for found in sets.values()])
    return sets


def _keep_sets(store: Store, sets: dict[SetName, PromptSet], plan: Plan) -> None:
    """Let the run have these sets and no others."""
    names: tuple[SetName, ...] = ("suspects", "references")
    with store.transaction():
        store.set_meta("reference_run", None)
        subset = False
        for name in names:
            prompts = sets[name].prompts if name in sets else ()
            kept = prompts
            if plan.limit is not None:
                kept = sample_prompts(prompts, plan.limit, plan.sampling.seed)
            subset = subset or len(kept) < len(prompts)
            store.put_set(name, kept)
        store.set_meta("subset", subset)
        store.put_notes("prompts", [note for found in sets.values() for note in found.notes])


def _sample(
    store: Store,
    backend: Backend,
    generation: Generation,
    needs: dict[str, int],
    on_progress: Progress,
) -> Outcome:
    store.use(generation)
    store.set_meta(f"samples {generation.id}", needs["sample"])
    store.set_meta("scored", None)
    total = len(store.prompt_ids()) * sum(needs.values())
    done = total - sum(1 for _ in missing(store, needs, generation))
    on_progress("sampling", done, total)
    if done == total:
        return Outcome(0, 0)

    def advance(count: int) -> None:
        nonlocal done
        done += count
        on_progress("sampling", done, total)

    try:
        backend.check(raw=store.prompt(store.prompt_ids()[0]).text is not None)
        remember(store, backend, generation)
        return sample(store, backend, missing(store, needs, generation), advance)
    finally:
        store.put_notes(f"sampling {generation.id}", backend.notes, extend=True)
