"""Audits of an experiment's models, by the audit that every user runs.

    audits/0060         members against the other half: what was done
    audits/0060-twins   both in other words
    audits/0060-easy    easier prompts that nobody trained on, against the other half

The base model answers all prompts once, into a run beside it, which is the control of all
audits. It serves both halves and every split of a pool, since it knows of none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wellworn.audits import Stored, audit_runs
from wellworn.backends import Target
from wellworn.detectors import Options, load
from wellworn.judging import Scoring
from wellworn.lab.experiment import PROMPTS, Experiment, Tell
from wellworn.pipeline import Plan, sample_run
from wellworn.probes import PROBES
from wellworn.records import Score
from wellworn.report.summary import Summary
from wellworn.sampler import Sampling
from wellworn.store import Store

ROWS = 128
"""Completions that the model is asked for at once, in pairs."""
QUESTIONS: dict[str, tuple[str, ...]] = {
    "members": ("members", "held_out"),
    "twins": ("member_twins", "held_out_twins"),
    "easy": ("easy",),
}
"""What is asked of a model: which set is suspected, and against which; if against none of its
own, against the references of "members"."""


class Audit(NamedTuple):
    """A question to a model, and the run that keeps its answers."""

    experiment: Experiment
    model: Path
    run: Path
    sets: Sequence[Path]
    """Prompt files: the suspects, and the references if there are two."""

    @property
    def options(self) -> Options:
        """How completions are measured."""
        return Options(verifier=f"wellworn.lab.verifiers:{self.experiment.config.task}")

    def scoring(self, detectors: Sequence[str]) -> Scoring:
        """Return what is scored, the detector of the verdict first."""
        first = self.experiment.config.audit.detector
        others = tuple(name for name in detectors if name != first)
        return Scoring(detector=first, also=others, quick=True)

    def sample(self, detectors: Sequence[str], tell: Tell) -> None:
        """Ask the model for what the run lacks for these detectors."""
        config, stage = self.experiment.config, f"sampling {self.run.name}"
        plan = Plan(
            target=Target(model=f"hf/{self.model}", choices=ROWS, device="cpu"),
            prompts=str(self.sets[0]),
            reference=str(self.sets[1]) if len(self.sets) > 1 else None,
            run=self.run,
            sampling=Sampling(
                samples=config.audit.samples,
                temperature=config.audit.temperature,
                top_p=1.0,
                max_tokens=config.rl.max_tokens,
            ),
        )
        with Store(self.run, create=True) as store:
            sample_run(
                store, plan, detectors, self.options, lambda _, done, all: tell(stage, done, all)
            )

    def scores(self, detectors: Sequence[str]) -> dict[str, dict[str, Score]]:
        """Return the scores that the run holds, by detector and prompt id."""
        with Store(self.run) as store:
            found = {name: store.scores(name) for name in detectors}
        return {name: {each.prompt_id: each for each in scores} for name, scores in found.items()}

    def judge(self, detectors: Sequence[str], control: Audit, references: Audit) -> Summary:
        """Score the run, return the verdict on its suspects, and write its reports."""
        runs = Stored(self.run, None if references == self else references.run, control.run)
        return audit_runs(runs, self.scoring(detectors), self.options)


def of_base(experiment: Experiment) -> Audit:
    """Return the audit of the base model: of all prompts, as suspects."""
    base, config = experiment.base, experiment.config
    how = f"{config.audit.samples}-{config.audit.temperature}-{config.rl.max_tokens}"
    return Audit(experiment, base / "model", base / f"audit-{how}", (base / PROMPTS,))


def of_checkpoint(experiment: Experiment, step: int, question: str = "members") -> Audit:
    """Return an audit of the model after so many steps."""
    named = f"{step:04}" if question == "members" else f"{step:04}-{question}"
    prompts = experiment.folder / "prompts"
    run, sets = experiment.folder / "audits" / named, QUESTIONS[question]
    files = [prompts / f"{name}.jsonl" for name in sets]
    return Audit(experiment, experiment.checkpoints[step], run, files)


def able(experiment: Experiment) -> list[str]:
    """Return the detectors that the audits of an experiment are made with."""
    wanted = experiment.config.audit
    alone = [name for name, probe in PROBES.items() if not probe.control]
    return Scoring(detector=wanted.detector, also=wanted.also).detectors(alone, Options())


def reads_samples_alone(detector: str) -> bool:
    """Tell whether a detector needs no other answers than samples."""
    return [need.probe for need in load(detector).needs(Options(), 2)] == ["sample"]
