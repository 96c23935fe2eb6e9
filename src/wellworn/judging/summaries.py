"""The summary of a scored run: its two sides, what they rest on, and what is in doubt.

The scores of a reference run and of a control model are computed anew with the same
parameters and never stored, so that judging one run changes no other.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wellworn.detectors import Options, load
from wellworn.errors import BadInput, unknown
from wellworn.judging import Effort, measured, setting_for
from wellworn.judging.doubts import doubts_between
from wellworn.records import Generation, Prompt, Score
from wellworn.report.sides import SetName, Side
from wellworn.report.summary import Context, Summary, summarize
from wellworn.sampler.continuity import left_out
from wellworn.store import Store
from wellworn.tables.values import value_at


class Runs(NamedTuple):
    """A scored run, and the runs that it is judged against."""

    run: Store
    reference: Store | None = None
    """Its suspects are the references (or its references, if it has any)."""
    control: Store | None = None
    """Completions of the base model or an earlier checkpoint, of the same prompts."""
    positive: Store | None = None
    """Prompts that the model was trained on, as a check of the detector."""
    negative: Store | None = None
    """Prompts that it cannot have been trained on, beside the references."""


def summarized(runs: Runs) -> Summary:
    """Return the summary of a scored run.

    The suspects are those of the run. The references are those of the reference run; without
    one, the run's own. The control model's scores are those of the control run; without one,
    those of the control model that was sampled into the run, if one was.

    Raises:
        BadInput: The run is not scored yet, or the scores do not compare.
    """
    store, reference, *_ = runs
    how = store.meta("scored")
    if not how:
        raise BadInput(f"{store.folder}: not scored yet. Run `wellworn score {store.folder}`.")
    detector = load(how["detector"])
    control = _control_of(runs, how)
    suspects = _stored_side(store, "suspects", how, control.scores)
    if reference is None:
        references = _stored_side(store, "references", how, control.scores)
    else:
        references = _reference_side(reference, how, control.scores)
    _check_control(runs, suspects, control)
    _check_clusters([suspects, references])
    stores = [store, *([reference] if reference else [])]
    context = Context(
        run=str(store.folder),
        reference_run=None if reference is None else str(reference.folder),
        detector=detector.name,
        paper=detector.paper,
        orientation=detector.orientation,
        subset=any(each.meta("subset") for each in stores),
        notes=[note for each in stores for note in _notes(each, how)],
        doubts=[
            *(doubts_between(store, reference, how) if reference else []),
            *_control_doubts(runs, how, control),
        ],
        control=control.model,
        known=_known(runs, how, suspects),
        match=how["match"],
    )
    return summarize(suspects, references if references.prompts else None, context)


class _Control(NamedTuple):
    model: str | None
    scores: Mapping[str, Score]
    """By prompt."""


def _control_of(runs: Runs, how: dict[str, Any]) -> _Control:
    """Return the scores of the control model, as the run was scored; none without one."""
    found: dict[str, Score] = {}
    models: dict[str, None] = {}
    held = [(each, _control_setting(each, how)) for each in (runs.run, runs.reference) if each]
    if runs.control:
        held = [(runs.control, setting_for(runs.control, how["setting"]))]
    for store, setting in held:
        if setting is not None:
            models[setting.model] = None
            options = Options(**how["options"])
            scores = measured(store, setting, [how["detector"]], how["m"], options)
            found |= {score.prompt_id: score for (score,) in scores}
    if len(models) > 1:
        raise BadInput(
            f"{runs.run.folder} and {runs.reference.folder if runs.reference else ''} have "
            f"different control models: {' and '.join(models)}.\n"
            f"Sample one control model into both, or give a --control-run that covers both."
        )
    return _Control(next(iter(models), None), found)


def _control_setting(store: Store, how: dict[str, Any]) -> Generation | None:
    """Return the setting of the control model that was sampled into a run, if one was."""
    return store.control_of(setting_for(store, how["setting"]))


def _control_doubts(runs: Runs, how: dict[str, Any], control: _Control) -> list[str]:
    """Return why a control says nothing: it is the model itself, or was asked in another way."""
    store = runs.run
    setting = setting_for(store, how["setting"])
    if control.model == setting.model:
        return [f"The control model is the model itself ({control.model}): it controls nothing."]
    other = setting_for(runs.control, how["setting"]) if runs.control else store.control_of(setting)
    if other is None:
        return []
    refused = left_out(store, setting), left_out(runs.control or store, other)
    if None in refused or refused[0] == refused[1]:
        return []
    return [
        f"The model's server refused the sampling fields {refused[0]}, the control's {refused[1]}: "
        f"they were not sampled alike."
    ]


def _known(runs: Runs, how: dict[str, Any], suspects: Side) -> dict[str, list[Score]]:
    """Return the scores of prompts whose history is known, by what they are called."""
    found = {}
    for name, words, other in (
        ("positives", "prompts that were trained on", runs.positive),
        ("negatives", "prompts that were not", runs.negative),
    ):
        ids = set(runs.run.set_ids(name))
        scores = [score for score in runs.run.scores(how["detector"]) if score.prompt_id in ids]
        if other is not None:
            setting, options = setting_for(other, how["setting"]), Options(**how["options"])
            measures = measured(other, setting, [how["detector"]], how["m"], options)
            scores = [score for (score,) in measures]
        _check_alike(suspects.scores, scores, f"set of {words}")
        if scores:
            found[words] = scores
    return found


def _check_control(runs: Runs, suspects: Side, control: _Control) -> None:
    """Refuse a control that was sampled in another way, or on other prompts alone."""
    _check_alike(suspects.scores, list(control.scores.values()), "control model", but="model")
    if runs.control and not any(prompt.id in control.scores for prompt in suspects.prompts):
        raise BadInput(
            f"{runs.control.folder} holds none of the suspects of {runs.run.folder}.\n"
            f"A control run has completions of the same prompts by another model."
        )


def _check_clusters(sides: Sequence[Side]) -> None:
    """Refuse a field of clusters that no prompt has."""
    name = sides[0].cluster_field
    prompts = [prompt for side in sides for prompt in side.prompts]
    if name and not any(value_at(prompt.metadata, name) is not None for prompt in prompts):
        known = dict.fromkeys(field for prompt in prompts for field in prompt.metadata)
        raise BadInput(f"--cluster-field: {unknown('field', name, known)}")


def _check_alike(
    suspects: Sequence[Score], others: Sequence[Score], what: str, but: str = ""
) -> None:
    """Refuse scores that depend on other parameters than those of the suspects.

    Raises:
        BadInput: They do; the parameter `but` may differ.
    """
    mine = next((score.parameters for score in suspects if score.score is not None), None)
    for theirs in (score.parameters for score in others if score.score is not None):
        for name in ({**mine, **theirs}.keys() - {but}) if mine else ():
            if mine and mine.get(name) != theirs.get(name):
                raise BadInput(
                    f"the {what} does not compare: '{name}' is {mine.get(name)!r} for the suspects "
                    f"and {theirs.get(name)!r} there.\n"
                    f"Sample and score both with the same settings."
                )


def _stored_side(
    store: Store, name: SetName, how: dict[str, Any], control: Mapping[str, Score]
) -> Side:
    scores = {
        detector: {score.prompt_id: score for score in store.scores(detector)}
        for detector in (how["detector"], *how["also"])
    }
    ids = store.set_ids(name)
    mine = scores.pop(how["detector"])
    lacking = [prompt_id for prompt_id in ids if prompt_id not in mine]
    if lacking:
        raise BadInput(
            f"{store.folder}: {len(lacking)} of {len(ids)} prompts are not scored by "
            f"{how['detector']}.\nRun `wellworn score {store.folder}`."
        )
    prompts: list[Prompt] = [store.prompt(prompt_id) for prompt_id in ids]
    return Side(name, prompts, [mine[i] for i in ids], control, scores, how["cluster_field"])


def _reference_side(store: Store, how: dict[str, Any], control: Mapping[str, Score]) -> Side:
    """Score a reference run as the run was scored, without storing that."""
    setting = setting_for(store, how["setting"])
    names = [how["detector"], *how["also"]]
    options = Options(**how["options"])
    found = list(measured(store, setting, names, how["m"], options, Effort(noise=True)))
    scores = {
        name: {each[place].prompt_id: each[place] for each in found}
        for place, name in enumerate(names)
    }
    mine = scores.pop(how["detector"])
    ids = store.set_ids("references") or store.set_ids("suspects")
    prompts = [store.prompt(prompt_id) for prompt_id in ids]
    scored = [mine[prompt_id] for prompt_id in ids]
    return Side("references", prompts, scored, control, scores, how["cluster_field"])


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
