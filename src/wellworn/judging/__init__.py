"""The stages that judge a run: score what it holds, and summarise that.

Scores are kept with all that they depend on. One pass over the records serves all detectors.
"""

import os
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from wellworn.detectors import DETECTORS, Options, load
from wellworn.errors import BadInput
from wellworn.judging.drawn import check_drawn
from wellworn.pipeline import Progress, silent
from wellworn.probes import PROBES
from wellworn.records import Generation, Score
from wellworn.scoring import all_scores_of, common_count
from wellworn.store import Store

ALL = "all"
"""In place of names of detectors: every one that can be."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What is scored, and at which m."""

    detector: str = "min-knn"
    """Detector that the verdict rests on; `wellworn list detectors` shows them."""
    also: tuple[str, ...] = ()
    """Further detectors, whose scores are kept beside; "all" is every one that can be."""
    m: int | None = None
    """Completions of each prompt that are scored; by default what most prompts have."""
    setting: str | None = None
    """Id of the generation parameters to score, where a run holds several; the latest, else."""
    jobs: int | None = None
    """Threads that measure; by default one for each core."""
    quick: bool = False
    """Leave out the standard errors of scores, which take as long as the scores."""
    match: int | None = None
    """References to choose for each suspect out of all, like it in what was fixed before RL."""
    cluster_field: str | None = None
    """Field of the prompts that says which belong together, such as a template or a contest."""

    def __post_init__(self) -> None:
        for name in ("jobs", "match"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise BadInput(f"--{name} is {value}; it must be 1 or more.")
        for name in self.named:
            load(name)

    @property
    def named(self) -> list[str]:
        """The detectors by name, that of the verdict first."""
        return list(dict.fromkeys([self.detector, *(name for name in self.also if name != ALL)]))

    def detectors(self, probes: Container[str], options: Options) -> list[str]:
        """Return the detectors, "all" being those that read no other `probes` than these."""
        able = [
            name
            for name in DETECTORS
            if all(need.probe in probes for need in load(name).needs(options, 2))
        ]
        return list(dict.fromkeys([*self.named, *(able if ALL in self.also else [])]))


class Effort(NamedTuple):
    """How scores are computed."""

    jobs: int = 1
    """Threads that measure."""
    noise: bool = False
    """Whether those of parts of the samples are computed too."""


_ALONE = Effort()


def score_run(
    store: Store,
    scoring: Scoring | None = None,
    options: Options | None = None,
    on_progress: Progress = silent,
) -> list[Score]:
    """Score the stored completions, keep the scores in the run, and return the detector's.

    Raises:
        BadInput: The run has no completions, or only greedy ones where samples are read.
    """
    scoring, options = scoring or Scoring(), options or Options()
    setting = current_setting(store, scoring.setting)
    names = scoring.detectors(store.probes_of(setting), options)
    _check_drawn(store, setting, names, options)
    m = _m_of(store, setting, scoring.m) if sampled(names, options) else 1
    count = len(store.prompt_ids())
    scores = []
    jobs = scoring.jobs or os.cpu_count() or 1
    for found in measured(store, setting, names, m, options, Effort(jobs, not scoring.quick)):
        scores.append(found)
        on_progress("scoring", len(scores), count)
    with store.transaction():
        store.put_scores(score for found in scores for score in found)
        how = {"detector": scoring.detector, "also": names[1:], "setting": setting.id, "m": m}
        how |= {"options": asdict(options), "match": scoring.match}
        how["cluster_field"] = scoring.cluster_field
        store.set_meta("scored", how)
    return [found[0] for found in scores]


def sampled(names: Sequence[str], options: Options) -> list[str]:
    """Return the detectors that read samples."""
    return [
        name
        for name in names
        if any(PROBES[need.probe].sampled for need in load(name).needs(options, 2))
    ]


def measured(
    store: Store,
    setting: Generation,
    names: Sequence[str],
    m: int,
    options: Options,
    effort: Effort = _ALONE,
) -> Iterator[list[Score]]:
    """Yield each prompt's scores, with why answers are missing where that is known."""
    _check_drawn(store, setting, names, options)
    detectors = [load(name) for name in names]
    probes = [[need.probe for need in each.needs(options, m)] for each in detectors]
    failures = {
        name: store.failures(setting, name) for name in {p for each in probes for p in each}
    }
    for found in all_scores_of(store.records(setting), detectors, m, options, *effort):
        yield [
            _explained(score, [failures[name].get(score.prompt_id) for name in names])
            for score, names in zip(found, probes, strict=True)
        ]


def _check_drawn(store: Store, setting: Generation, names: Sequence[str], options: Options) -> None:
    """Refuse greedy completions where a detector reads samples."""
    for name in sampled(names, options):
        check_drawn(store, setting, name, "Sample at a temperature above 0; the paper uses 0.7.")


def _explained(score: Score, failures: Sequence[list[str] | None]) -> Score:
    why = next((reasons[0] for reasons in failures if reasons), None)
    if score.reason and why:
        return replace(score, reason=f"{why} ({score.reason})")
    return score


def _m_of(store: Store, generation: Generation, wanted: int | None) -> int:
    """Return how many completions of each prompt are scored.

    Raises:
        BadInput: More are wanted than any prompt has, or fewer than two, or most prompts have one.
    """
    if wanted is None:
        held = samples_of(store, generation)
        if held < 2:
            raise BadInput(
                f"{store.folder}: most prompts have one completion, and samples are compared with "
                f"each other.\nSample more (docs/formats.md says how each tool logs several), or "
                f"give --m to score the prompts that have as many."
            )
        return held
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


def setting_for(store: Store, wanted: str | None) -> Generation:
    """Return the setting with the id `wanted` where the run has it, the latest where not."""
    held = {generation.id: generation for generation in store.generations()}
    return held[wanted] if wanted in held else current_setting(store)
