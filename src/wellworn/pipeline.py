"""The stages that fill a run, each of which can be repeated alone.

    prepare ─▶ sample ─▶ score ─▶ summarize       (the latter two in `wellworn.judging`)
    import  ──────────┘

The command line and the Python interface both call these and add nothing.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import Protocol

from wellworn.backends import Backend, Target, open_backend
from wellworn.detectors import load
from wellworn.probes import union
from wellworn.prompts import Fields, PromptSet, read_prompts, sample_prompts
from wellworn.records import Generation
from wellworn.report.sides import SetName, check_disjoint
from wellworn.sampler import Outcome, Sampling, missing, sample
from wellworn.sampler.continuity import check_address, check_left_out
from wellworn.store import Store

REPORT = "report.json"


class Progress(Protocol):
    """Is told how far a stage has come: "sampling" or "scoring"."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note that `done` of `total` are done; called often."""
        ...


def silent(stage: str, done: int, total: int) -> None:
    """Take no note."""


def prepare(
    store: Store,
    suspects: str | PromptSet,
    references: str | PromptSet | None = None,
    *,
    fields: Fields | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> None:
    """Read the prompts and keep them in the run as its suspects and references.

    Raises:
        BadInput: A file cannot be read, or a prompt is in both sets.
    """
    given: dict[SetName, str | PromptSet | None] = {"suspects": suspects, "references": references}
    sets = {
        name: read_prompts(source, fields or Fields()) if isinstance(source, str) else source
        for name, source in given.items()
        if source is not None
    }
    check_disjoint([found.prompts for found in sets.values()])
    with store.transaction():
        store.set_meta("reference_run", None)
        subset = False
        for name in given:
            prompts = sets[name].prompts if name in sets else ()
            kept = prompts if limit is None else sample_prompts(prompts, limit, seed)
            subset = subset or len(kept) < len(prompts)
            store.put_set(name, kept)
        store.set_meta("subset", subset)
        store.put_notes("prompts", [note for found in sets.values() for note in found.notes])


def sample_run(
    store: Store,
    target: Target,
    sampling: Sampling,
    detectors: Sequence[str] = ("min-knn",),
    on_progress: Progress = silent,
) -> Outcome:
    """Ask the model for the completions that the run lacks for these detectors.

    Raises:
        BadInput: A detector or the model's name is unknown.
        BackendError: The model cannot be reached, or refuses everything.
    """
    needs = union(need for name in detectors for need in load(name).needs(sampling.samples))
    with closing(open_backend(target)) as backend:
        generation = sampling.generation(backend.identity)
        check_address(store, backend, generation, same_model=target.same_model)
        return _sample(store, backend, generation, needs, on_progress)


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
        check_left_out(store, backend, generation)
        return sample(store, backend, missing(store, needs, generation), advance)
    finally:
        store.put_notes(f"sampling {generation.id}", backend.notes, extend=True)
