"""What an experiment shows: every detector at every checkpoint, and what an audit would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from wellworn.judging import score_run
from wellworn.lab.auditing import QUESTIONS, able, of_base, of_checkpoint, reads_samples_alone
from wellworn.lab.effects import Auc, Effect, auc, effect
from wellworn.lab.experiment import Experiment, Tell, write_whole
from wellworn.lab.injection import pool_of, prompt_id
from wellworn.records import Score
from wellworn.report.encoding import to_json
from wellworn.statistics.items import Item
from wellworn.store import Store

RESULTS = "results.json"
PASS_RATE = "pass rate"
"""What stands among the detectors, though it is none: how often the answer is right."""

Scores = Mapping[str, Mapping[str, Score]]
"""By detector, then by prompt id."""


class Averages(msgspec.Struct, frozen=True, kw_only=True):
    """What a half of the pool looks like: means over its prompts."""

    pass_rate: float
    distinct: float
    """The share of different completions."""
    length: float
    """Of completions, in characters."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit of one model shows."""

    step: int
    """Steps of RL; 0 for the base model."""
    members: Averages
    held_out: Averages
    effects: tuple[Effect, ...]
    """Of each detector, and of the pass rate itself."""
    repeated: tuple[Effect, ...] = ()
    """The same on what pretraining had repeated, against what it had not; without, empty."""
    verdicts: dict[str, str] = {}
    """The level of each question's verdict."""
    little: Auc | None = None
    """The detector of the verdict on members that taught less often than the median."""
    much: Auc | None = None
    """The same on the others."""


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment shows."""

    task: str
    level: str
    algorithm: str
    seed: int
    half: str
    detector: str
    """The one that verdicts rest on."""
    epochs: float
    """Times that a member was drawn, on average."""
    taught: float
    """Times that a member had an advantage other than 0, on average."""
    checkpoints: tuple[Checkpoint, ...]


def audited_base(experiment: Experiment, tell: Tell) -> Scores:
    """Audit the base model, and return its scores of all prompts."""
    detectors, audit = able(experiment), of_base(experiment)
    with Store(audit.run, create=True) as store:
        known = store.scored_detectors() == sorted(detectors)
    if not known:
        audit.sample(detectors, tell)
        with Store(audit.run) as store:
            score_run(store, audit.scoring(detectors), audit.options)
    return audit.scores(detectors)


def audited(experiment: Experiment, tell: Tell) -> Results:
    """Audit the base model and all checkpoints, and write results.json.

    Checkpoints before the last are audited by the detectors that read samples alone.
    """
    before, detectors = audited_base(experiment, tell), able(experiment)
    found = [_checkpoint(experiment, 0, before, before)]
    *early, last = experiment.checkpoints
    sampled = [name for name in detectors if reads_samples_alone(name)]
    for step in early:
        found.append(_judged(experiment, step, {"members": sampled}, before, tell))
    questions = dict.fromkeys(QUESTIONS, detectors[:1]) | {"members": detectors}
    found.append(_judged(experiment, last, questions, before, tell))
    return _written(experiment, found)


def _judged(
    experiment: Experiment,
    step: int,
    questions: Mapping[str, Sequence[str]],
    before: Scores,
    tell: Tell,
) -> Checkpoint:
    """Ask a model these questions, each with its detectors, and return what that shows."""
    base, main = of_base(experiment), of_checkpoint(experiment, step)
    verdicts = {}
    for question, detectors in questions.items():
        audit = of_checkpoint(experiment, step, question)
        audit.sample(detectors, tell)
        references = main if question == "easy" else audit
        verdicts[question] = audit.judge(detectors, base, references).verdict.level
    return _checkpoint(experiment, step, main.scores(questions["members"]), before, verdicts)


def _checkpoint(
    experiment: Experiment,
    step: int,
    scores: Scores,
    before: Scores,
    verdicts: Mapping[str, str] = MappingProxyType({}),
) -> Checkpoint:
    first = next(iter(scores))
    injection = experiment.injection
    lengths = [
        {prompt_id(item): len(item.prompt) for item in items}
        for items in (injection.members, injection.held_out)
    ]
    items = {name: _items(name, lengths, scores, before) for name in scores}
    told = [effect(name, items[name], _reason(scores[name])) for name in scores]
    repeated = _repeated(experiment)
    stages = {
        name: [replace(item, suspect=item.prompt_id in repeated) for item in items[name]]
        for name in (scores if repeated else ())
    }
    rates = [replace(item, score=item.pass_rate, base_score=None) for item in items[first]]
    little, much = _by_exposure(experiment, items[first]) if step else (None, None)
    return Checkpoint(
        step=step,
        members=_averages([scores[first][each] for each in lengths[0]]),
        held_out=_averages([scores[first][each] for each in lengths[1]]),
        effects=(*told, effect(PASS_RATE, rates)),
        repeated=tuple(effect(name, staged) for name, staged in stages.items()),
        verdicts=dict(verdicts),
        little=little,
        much=much,
    )


def _repeated(experiment: Experiment) -> set[str]:
    """Return the ids of the prompts that pretraining saw too."""
    config = experiment.config
    count = config.pretraining.repeated
    pool, _ = pool_of(experiment.task, config.level, config.pools) if count else ([], [])
    return {prompt_id(item) for item in pool[:count]}


def _items(
    detector: str, lengths: Sequence[Mapping[str, int]], scores: Scores, before: Scores
) -> list[Item]:
    """Return the prompts as the statistics take them, members as suspects.

    Args:
        detector: Whose scores they carry.
        lengths: Those of the members' prompts in characters, by prompt id; then of the others'.
        scores: What is said of the model.
        before: What is said of the base model.
    """
    first = next(iter(scores))
    found = []
    for suspect, half in zip((True, False), lengths, strict=True):
        for name, length in half.items():
            tuned, base = scores[first][name], before[first][name]
            found.append(
                Item(
                    prompt_id=name,
                    suspect=suspect,
                    score=scores[detector][name].score,
                    base_score=before[detector][name].score,
                    pass_rate=tuned.parts.get("pass_rate"),
                    base_pass_rate=base.parts.get("pass_rate"),
                    base_samples=base.counts.completions,
                    prompt_length=length,
                    length=tuned.counts.length,
                    base_length=base.counts.length,
                )
            )
    return found


def _reason(scores: Mapping[str, Score]) -> str | None:
    return next((score.reason for score in scores.values() if score.reason), None)


def _averages(scores: Sequence[Score]) -> Averages:
    return Averages(
        pass_rate=fmean(score.parts["pass_rate"] for score in scores),
        distinct=fmean(score.counts.distinct / score.counts.completions for score in scores),
        length=fmean(score.counts.length for score in scores),
    )


def _by_exposure(experiment: Experiment, items: Sequence[Item]) -> tuple[Auc | None, Auc | None]:
    """Return the AUC of the members that taught up to the median of times, and of the others."""
    taught = {name: each.informative for name, each in experiment.exposures.items()}
    middle = median(taught.values())
    others = [item for item in items if not item.suspect]
    little = [item for item in items if item.suspect and taught[item.prompt_id] <= middle]
    much = [item for item in items if item.suspect and taught[item.prompt_id] > middle]
    return auc([*little, *others]), auc([*much, *others])


def _written(experiment: Experiment, found: Sequence[Checkpoint]) -> Results:
    config, exposures = experiment.config, experiment.exposures.values()
    results = Results(
        task=config.task,
        level=config.level,
        algorithm=config.rl.algorithm,
        seed=config.seed,
        half=config.half,
        detector=config.audit.detector,
        epochs=fmean(each.drawn for each in exposures),
        taught=fmean(each.informative for each in exposures),
        checkpoints=tuple(found),
    )
    write_whole(experiment.folder / RESULTS, to_json(results))
    return results
