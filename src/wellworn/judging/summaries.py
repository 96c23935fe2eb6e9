"""The summary of a scored run: its two sides, what they rest on, and what is in doubt.

The scores of a reference run are computed anew with the same parameters and never stored
there, so that judging one run changes no other.
"""

from typing import Any

from wellworn.detectors import Options, load
from wellworn.errors import BadInput
from wellworn.judging import measured, setting_for
from wellworn.pipeline import REPORT
from wellworn.records import Prompt
from wellworn.report.encoding import to_json
from wellworn.report.sides import SetName, Side
from wellworn.report.summary import Context, Summary, summarize
from wellworn.sampler.continuity import addresses, left_out
from wellworn.store import Store


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
    options = Options(**how["options"])
    found = measured(store, generation, [how["detector"]], how["m"], options)
    scores = {score.prompt_id: score for (score,) in found}
    ids = store.set_ids("references") or store.set_ids("suspects")
    return Side("references", [store.prompt(i) for i in ids], [scores[i] for i in ids])


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
