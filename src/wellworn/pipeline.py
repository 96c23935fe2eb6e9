"""The stages of an audit over a run, each of which can be repeated alone.

    prepare ─▶ sample ─▶ score ─▶ summarize
    import  ──────────┘

The command line and the Python interface both call these and add nothing.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

import msgspec
from msgspec.structs import replace

from wellworn.backends import Backend, Target, open_backend
from wellworn.detectors import Options, load
from wellworn.errors import BadInput
from wellworn.probes import union
from wellworn.prompts import Fields, PromptSet, read_prompts, sample_prompts
from wellworn.records import Generation, Prompt, Score
from wellworn.report.encoding import to_json
from wellworn.report.summary import Context, SetName, Side, Summary, check_disjoint, summarize
from wellworn.sampler import Outcome, Sampling, missing, sample
from wellworn.scoring import common_count, scores_of
from wellworn.store import Store

REPORT = "report.json"


class Progress(Protocol):
    """Is told how far a stage has come: "sampling" or "scoring"."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note that `done` of `total` are done; called often."""
        ...


def silent(stage: str, done: int, total: int) -> None:
    """Take no note."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What is scored, and at which m."""

    detector: str = "min-knn"
    """Detector; `wellworn list detectors` shows them."""
    m: int | None = None
    """Completions of each prompt that are scored; by default what most prompts have."""
    setting: str | None = None
    """Id of the generation parameters to score, where a run holds several; the latest, else."""


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
        store.set_meta("subset", limit is not None)
        store.set_meta("reference_run", None)
        for name in given:
            prompts = sets[name].prompts if name in sets else ()
            kept = prompts if limit is None else sample_prompts(prompts, limit, seed)
            store.put_set(name, kept)
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
    with store.only_sampler(), closing(open_backend(target)) as backend:
        return _sample(store, backend, sampling, needs, on_progress)


def _sample(
    store: Store,
    backend: Backend,
    sampling: Sampling,
    needs: dict[str, int],
    on_progress: Progress,
) -> Outcome:
    generation = sampling.generation(backend.identity)
    store.use(generation)
    store.set_meta("samples", sampling.samples)
    store.set_meta("scored", None)
    total = len(store.prompt_ids()) * sum(needs.values())
    done = total - sum(1 for _ in missing(store, needs, generation, sampling.seed))
    on_progress("sampling", done, total)
    if done == total:
        return Outcome(0, 0)
    backend.check()

    def advance(count: int) -> None:
        nonlocal done
        done += count
        on_progress("sampling", done, total)

    try:
        return sample(store, backend, missing(store, needs, generation, sampling.seed), advance)
    finally:
        store.put_notes("sampling", backend.notes, extend=True)


def score_run(
    store: Store,
    scoring: Scoring | None = None,
    options: Options | None = None,
    on_progress: Progress = silent,
) -> list[Score]:
    """Score the stored completions, keep the scores in the run and return them.

    Raises:
        BadInput: The run has no completions, or only greedy ones.
    """
    scoring = scoring or Scoring()
    detector = load(scoring.detector)
    generation = current_setting(store, scoring.setting)
    if generation.temperature == 0:
        raise BadInput(
            f"{store.folder}: the completions are greedy (temperature 0), and {detector.name} "
            f"reads samples.\nSample at a temperature above 0; the paper uses 0.7."
        )
    ids = store.prompt_ids()
    m = scoring.m or samples_of(store, generation)
    failures = store.failures(generation)
    scores = []
    for score in scores_of(store.records(generation), detector, m, options or Options()):
        scores.append(_explained(score, failures.get(score.prompt_id)))
        on_progress("scoring", len(scores), len(ids))
    store.put_scores(scores)
    store.set_meta("scored", {"detector": detector.name, "setting": generation.id})
    return scores


def _explained(score: Score, failures: list[str] | None) -> Score:
    """Return a score whose reason says why completions are missing, where that is known."""
    if score.reason is None or not failures:
        return score
    return replace(score, reason=f"{score.reason}; {failures[0]}")


def samples_of(store: Store, generation: Generation) -> int:
    """Return m of a run: what was asked for, or what most prompts have."""
    asked: int | None = store.meta("samples")
    return asked or common_count(store.counts("sample", generation))


def current_setting(store: Store, wanted: str | None = None) -> Generation:
    """Return the generation parameters to score: those with the id `wanted`, or the latest.

    Raises:
        BadInput: The run has no completions, or none of that setting.
    """
    held = store.generations()
    if not held:
        raise BadInput(
            f"{store.folder}: the run holds no completions yet.\n"
            f"Get some with `wellworn sample` or `wellworn import`."
        )
    if wanted is None:
        return held[-1]
    for generation in held:
        if generation.id == wanted:
            return generation
    known = "\n".join(f"  {g.id}: {msgspec.json.encode(g).decode()}" for g in held)
    raise BadInput(f"{store.folder}: no setting has the id '{wanted}'. The run holds\n{known}")


def summarize_run(store: Store, reference: Store | None = None) -> Summary:
    """Return the summary of a scored run, and write it to report.json in its folder.

    With a `reference` run, all prompts of the first are suspects and all of the second
    references; without, the run's own sets are compared.

    Raises:
        BadInput: A run is not scored yet, or their scores do not compare.
    """
    scored = store.meta("scored")
    if not scored:
        raise BadInput(f"{store.folder}: not scored yet. Run `wellworn score {store.folder}`.")
    detector = load(scored["detector"])
    if reference is None:
        suspects = _side(store, "suspects", detector.name)
        references = _side(store, "references", detector.name)
    else:
        suspects = _side(store, "suspects", detector.name, everything=True)
        references = _side(reference, "references", detector.name, everything=True)
    stores = [store] if reference is None else [store, reference]
    context = Context(
        run=str(store.folder),
        detector=detector.name,
        paper=detector.paper,
        orientation=detector.orientation,
        subset=any(each.meta("subset") for each in stores),
        notes=[note for each in stores for note in (*each.notes(), *_other_settings(each))],
    )
    summary = summarize(suspects, references if references.prompts else None, context)
    (store.folder / REPORT).write_text(to_json(summary), encoding="utf-8")
    return summary


def _side(store: Store, name: SetName, detector: str, *, everything: bool = False) -> Side:
    scores = {score.prompt_id: score for score in store.scores(detector)}
    ids = store.prompt_ids() if everything else store.set_ids(name)
    lacking = [prompt_id for prompt_id in ids if prompt_id not in scores]
    if lacking:
        raise BadInput(
            f"{store.folder}: {len(lacking)} of {len(ids)} prompts are not scored by {detector}.\n"
            f"Run `wellworn score {store.folder} --detector {detector}`."
        )
    prompts: list[Prompt] = [store.prompt(prompt_id) for prompt_id in ids]
    return Side(name, prompts, [scores[prompt_id] for prompt_id in ids])


def _other_settings(store: Store) -> list[str]:
    count = len(store.generations())
    if count < 2:
        return []
    return [
        f"{store.folder} holds completions of {count} different settings; one was scored "
        f"(see parameters), and they are never mixed. Choose another with --setting."
    ]
