"""The stages that judge a run: score what it holds, and summarise that.

Scores are kept with all that they depend on. The scores of a reference run are computed anew
with the same parameters and never stored there, so that judging one run changes no other.
"""

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from wellworn.detectors import Options, load
from wellworn.errors import BadInput
from wellworn.pipeline import Progress, silent
from wellworn.records import Generation, Prompt, Score
from wellworn.report.encoding import to_json
from wellworn.report.sides import SetName, Side
from wellworn.report.summary import Context, Summary, summarize
from wellworn.sampler.continuity import addresses, left_out
from wellworn.scoring import common_count, scores_of
from wellworn.store import Store

REPORT = "report.json"


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What is scored, and at which m."""

    detector: str = "min-knn"
    """Detector; `wellworn list detectors` shows them."""
    m: int | None = None
    """Completions of each prompt that are scored; by default what most prompts have."""
    setting: str | None = None
    """Id of the generation parameters to score, where a run holds several; the latest, else."""
    jobs: int | None = None
    """Threads that measure; by default one for each core."""

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise BadInput(f"--jobs is {self.jobs}; it must be 1 or more.")


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
    scoring, options = scoring or Scoring(), options or Options()
    generation = current_setting(store, scoring.setting)
    m = _m_of(store, generation, scoring.m)
    count = len(store.prompt_ids())
    scores = []
    jobs = scoring.jobs or os.cpu_count() or 1
    for score in _measured(store, generation, scoring.detector, m, options, jobs):
        scores.append(score)
        on_progress("scoring", len(scores), count)
    with store.transaction():
        store.put_scores(scores)
        how = {"detector": scoring.detector, "setting": generation.id, "m": m}
        store.set_meta("scored", how | {"options": asdict(options)})
    return scores


def _measured(
    store: Store, generation: Generation, detector: str, m: int, options: Options, jobs: int = 1
) -> Iterator[Score]:
    """Yield the score of each prompt, with why completions are missing where that is known."""
    if generation.temperature == 0:
        raise BadInput(
            f"{store.folder}: the completions are greedy (temperature 0), and {detector} "
            f"reads samples.\nSample at a temperature above 0; the paper uses 0.7."
        )
    failures = store.failures(generation)
    for score in scores_of(store.records(generation), load(detector), m, options, jobs):
        why = failures.get(score.prompt_id)
        if score.reason and why:
            yield replace(score, reason=f"{score.reason}; {why[0]}")
        else:
            yield score


def _m_of(store: Store, generation: Generation, wanted: int | None) -> int:
    """Return how many completions of each prompt are scored.

    Raises:
        BadInput: More are wanted than any prompt has, or fewer than two.
    """
    if wanted is None:
        return samples_of(store, generation)
    most = max(store.counts("sample", generation), default=0)
    if not 2 <= wanted <= most:
        raise BadInput(
            f"{store.folder}: --m is {wanted}; it must be from 2 to {most}, "
            f"the most completions that a prompt has."
        )
    return wanted


def samples_of(store: Store, generation: Generation) -> int:
    """Return m of a run: what was asked for, or what most prompts have."""
    asked: int | None = store.meta(f"samples {generation.id}")
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

    The suspects are those of the run. The references are those of the `reference` run (its
    suspects, if it has no references); without one, the run's own.

    Raises:
        BadInput: The run is not scored yet, or the scores do not compare.
    """
    how = store.meta("scored")
    if not how:
        raise BadInput(f"{store.folder}: not scored yet. Run `wellworn score {store.folder}`.")
    detector = load(how["detector"])
    suspects = _stored_side(store, "suspects", detector.name)
    if reference is None:
        references = _stored_side(store, "references", detector.name)
    else:
        references = _reference_side(reference, how)
    context = Context(
        run=str(store.folder),
        reference_run=None if reference is None else str(reference.folder),
        detector=detector.name,
        paper=detector.paper,
        orientation=detector.orientation,
        subset=any(each.meta("subset") for each in (store, reference) if each),
        notes=_notes(store, how) + (_notes(reference, how) if reference else []),
        doubts=_doubts(store, reference, how) if reference else [],
    )
    summary = summarize(suspects, references if references.prompts else None, context)
    (store.folder / REPORT).write_text(to_json(summary), encoding="utf-8")
    return summary


def _stored_side(store: Store, name: SetName, detector: str) -> Side:
    scores = {score.prompt_id: score for score in store.scores(detector)}
    ids = store.set_ids(name)
    lacking = [prompt_id for prompt_id in ids if prompt_id not in scores]
    if lacking:
        raise BadInput(
            f"{store.folder}: {len(lacking)} of {len(ids)} prompts are not scored by {detector}.\n"
            f"Run `wellworn score {store.folder} --detector {detector}`."
        )
    prompts: list[Prompt] = [store.prompt(prompt_id) for prompt_id in ids]
    return Side(name, prompts, [scores[prompt_id] for prompt_id in ids])


def _reference_side(store: Store, how: dict[str, Any]) -> Side:
    """Score a reference run as the run was scored, without storing that."""
    generation = setting_for(store, how["setting"])
    measured = _measured(store, generation, how["detector"], how["m"], Options(**how["options"]))
    scores = {score.prompt_id: score for score in measured}
    ids = store.set_ids("references") or store.set_ids("suspects")
    return Side("references", [store.prompt(i) for i in ids], [scores[i] for i in ids])


def setting_for(store: Store, wanted: str | None) -> Generation:
    """Return the setting with the id `wanted` where the run has it, the latest where not."""
    held = {generation.id: generation for generation in store.generations()}
    return held[wanted] if wanted in held else current_setting(store)


def _doubts(store: Store, reference: Store, how: dict[str, Any]) -> list[str]:
    """Return why completions of two runs may not compare, though their settings agree."""
    settings = [setting_for(each, how["setting"]) for each in (store, reference)]
    found = []
    ours, theirs = (addresses(*each) for each in zip((store, reference), settings, strict=True))
    if ours and theirs and ours != theirs:
        found.append(
            f"The suspects were sampled at {', '.join(ours)}, the references at "
            f"{', '.join(theirs)}, under one name: that it is one model, nothing shows. Sample "
            f"both into one run, with --same-model if the address changes."
        )
    refused = [left_out(*each) for each in zip((store, reference), settings, strict=True)]
    if refused[0] != refused[1]:
        found.append(
            f"The suspects' server refused the sampling fields {refused[0]}, the references' "
            f"{refused[1]}: they were not sampled alike."
        )
    return found


def _notes(store: Store, how: dict[str, Any]) -> list[str]:
    scored = setting_for(store, how["setting"])
    notes = store.notes("prompts", "import", f"sampling {scored.id}")
    others = [generation for generation in store.generations() if generation != scored]
    if others:
        settings = ", ".join(
            f"{g.id} ({g.model}, T = {g.temperature}, seed {g.seed})" for g in others
        )
        notes.append(
            f"{store.folder} holds completions of other settings too, which are never mixed: "
            f"{settings}. Score one of them with --setting ID."
        )
    return notes
