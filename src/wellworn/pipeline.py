"""The stages that fill a run, each of which can be repeated alone.

    prepare ─▶ sample ─▶ score ─▶ summarize       (the latter two in `wellworn.judging`)
    import  ──────────┘

The command line and the Python interface both call these and add nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from wellworn.backends import Backend, Target, open_backend
from wellworn.detectors import Options, load
from wellworn.errors import BadInput, Unable
from wellworn.probes import PROBES, Need, union
from wellworn.prompts import Fields, PromptSet, read_prompts, sample_prompts
from wellworn.records import Generation
from wellworn.report.sides import check_disjoint
from wellworn.sampler import Outcome, Sampling, sample
from wellworn.sampler.continuity import check_address, remember
from wellworn.sampler.wanted import missing
from wellworn.store import Store

REPORT = "report.json"


class Progress(Protocol):
    """Is told how far a stage has come: "sampling" or "scoring"."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note that `done` of `total` are done; called often."""
        ...


def silent(*told: object, **more: object) -> None:
    """Take no note of whatever is told."""


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
    control: Target | None = None
    """The base model or an earlier checkpoint."""
    positive: str | PromptSet | None = None
    """Prompts that the model was trained on, as a check of the detector."""
    negative: str | PromptSet | None = None
    """Prompts that it cannot have been trained on, beside the references."""


def sample_run(
    store: Store,
    plan: Plan,
    detectors: Sequence[str] = ("min-knn",),
    options: Options | None = None,
    on_progress: Progress = silent,
) -> Outcome:
    """Read the prompts into the run, and ask the model for what it lacks for these detectors.

    The control model, if there is one, answers what the first detector reads. A run that
    cannot go on with this model is left as it was.

    Raises:
        BadInput: A file cannot be read, a prompt is in both sets, a name is unknown, the run
            was begun with another model, or a detector needs a control model.
        BackendError: The model cannot be reached, or refuses everything.
    """
    sets = _read_sets(plan)
    options, m = options or Options(), plan.sampling.samples
    needs = needs_of(detectors, options, m)
    _check_control(plan, needs)
    signals = any(need.signals for need in needs if PROBES[need.probe].sampled)
    asked, controls = (
        [need for need in needs if PROBES[need.probe].control is control]
        for control in (False, True)
    )
    with closing(open_backend(plan.target)) as backend:
        setting = _held(store, plan.sampling.generation(backend.identity, signals=signals))
        check_address(store, backend, setting, same_model=plan.target.same_model)
        _keep_sets(store, sets, plan)
        store.use(setting)
        store.clear_scores()
        progress = _Progress(store, on_progress)
        progress.expect(setting, needs)
        outcome = _sample(store, backend, setting, asked, progress)
    if plan.control is None:
        return outcome
    first = [n for n in needs_of(detectors[:1], options, m) if not PROBES[n.probe].control]
    with closing(open_backend(plan.control)) as backend:
        own = replace(setting, model=backend.identity)
        check_address(store, backend, own, same_model=plan.control.same_model)
        store.set_control(setting, backend.identity)
        progress.expect(own, first)
        outcome += _sample(store, backend, own, first, progress)
        return outcome + _sample(store, backend, setting, controls, progress)


def _held(store: Store, setting: Generation) -> Generation:
    """Return the setting of what the run holds, if that only has more log-probabilities."""
    for held in store.generations():
        if held.top_logprobs >= setting.top_logprobs == 0 and setting == replace(
            held, top_logprobs=0
        ):
            return held
    return setting


def needs_of(detectors: Sequence[str], options: Options, samples: int) -> list[Need]:
    """Return what these detectors read, each probe once and after those it builds on."""
    needs = (need for name in detectors for need in load(name).needs(options, samples))
    return list(union(needs).values())


def askable(plan: Plan) -> list[str]:
    """Return the probes that a plan can ask."""
    return [name for name, probe in PROBES.items() if plan.control or not probe.control]


def _check_control(plan: Plan, needs: Sequence[Need]) -> None:
    asked = [need.probe for need in needs if PROBES[need.probe].control]
    if asked and plan.control is None:
        raise BadInput(
            f"a detector reads what a control model says ({asked[0]}), and none is given.\n"
            f"Give the base model or an earlier checkpoint with --control-model."
        )


def _read_sets(plan: Plan) -> dict[str, PromptSet]:
    given: dict[str, str | PromptSet | None] = {
        "suspects": plan.prompts,
        "references": plan.reference,
        "positives": plan.positive,
        "negatives": plan.negative,
    }
    sets = {
        name: read_prompts(source, plan.fields) if isinstance(source, str) else source
        for name, source in given.items()
        if source is not None
    }
    check_disjoint([found.prompts for found in sets.values()])
    return sets


def _keep_sets(store: Store, sets: dict[str, PromptSet], plan: Plan) -> None:
    """Let the run have these sets and no others."""
    with store.transaction():
        for name in ("reference_run", "control_run", "positive_run", "negative_run"):
            store.set_meta(name, None)
        subset = False
        for name in ("suspects", "references", "positives", "negatives"):
            prompts = sets[name].prompts if name in sets else ()
            kept = prompts
            if plan.limit is not None:
                kept = sample_prompts(prompts, plan.limit, plan.sampling.seed)
            subset = subset or len(kept) < len(prompts)
            store.put_set(name, kept)
        store.set_meta("subset", subset)
        store.put_notes("prompts", [note for found in sets.values() for note in found.notes])


class _Progress:
    """Counts what is stored or has failed, over all probes."""

    def __init__(self, store: Store, tell: Progress) -> None:
        self._store = store
        self._tell = tell
        self._done = self._total = 0

    def expect(self, setting: Generation, needs: Sequence[Need]) -> None:
        """Count on what these needs ask for; what is stored of it is done."""
        ids = self._store.prompt_ids()
        for need in needs:
            generation = self._store.generation_of(need.probe, setting)
            held = (self._store.indices(i, need.probe, generation) for i in ids)
            self._total += len(ids) * need.completions
            self._done += sum(min(len(indices), need.completions) for indices in held)
        self(0)

    def __call__(self, count: int) -> None:
        self._done += count
        self._tell("sampling", self._done, self._total)


def _sample(
    store: Store,
    backend: Backend,
    setting: Generation,
    needs: Sequence[Need],
    on_progress: Callable[[int], None],
) -> Outcome:
    """Ask probe by probe, those first that others build on."""
    outcome, checked = Outcome(0, 0), False
    try:
        for need in needs:
            if PROBES[need.probe].sampled:
                store.set_meta(f"samples {setting.id}", need.completions)
            first = next(missing(store, need, setting), None)
            if first is None:
                continue
            if not checked:
                checked = True
                backend.check(raw=first.request.prompt.text is not None)
                remember(store, backend, replace(setting, model=backend.identity))
            outcome += _ask(store, backend, setting, need, on_progress)
        return outcome
    finally:
        store.put_notes(f"sampling {setting.id}", backend.notes, extend=True)


def _ask(
    store: Store,
    backend: Backend,
    setting: Generation,
    need: Need,
    on_progress: Callable[[int], None],
) -> Outcome:
    """Ask for one probe; that the model cannot answer it is no reason to stop."""
    start = perf_counter()
    try:
        return sample(store, backend, missing(store, need, setting), on_progress)
    except Unable as error:
        if str(error) not in backend.notes:
            backend.notes.append(str(error))
        lacking = list(missing(store, need, setting))
        for wanted in lacking:
            store.add_failure(wanted.place, wanted.request.generation, str(error))
        on_progress(len(lacking) - 1)
        return Outcome(0, len(lacking))
    finally:
        key = f"seconds {setting.id}"
        spent = store.meta(key) or {}
        spent[need.probe] = spent.get(need.probe, 0.0) + perf_counter() - start
        store.set_meta(key, spent)
