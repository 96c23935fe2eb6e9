"""Audits of an experiment's models, by the audit that every user runs.

    audits/0060         members against the other half: what was done
    audits/0060-twins   both in other words
    audits/0060-easy    easier prompts that nobody trained on, against the other half

The base model answers all prompts once, into a run beside it; it is the control of all audits,
and, with the labels, the state before RL. Labels meet scores only when all is scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wellworn.audits import Stored, audit_runs
from wellworn.backends import Target
from wellworn.detectors import DETECTORS, Options
from wellworn.judging import Scoring
from wellworn.lab.experiment import Experiment, Tell
from wellworn.pipeline import Plan, askable, sample_run
from wellworn.prompts import PromptSet, read_prompts
from wellworn.report.summary import Summary
from wellworn.sampler import Sampling
from wellworn.store import Store

ROWS = 128
"""Completions that the model is asked for at once, in pairs."""
QUESTIONS = {
    "members": ("members", "held_out"),
    "twins": ("member_twins", "held_out_twins"),
    "easy": ("easy", "held_out"),
}
"""What is asked of a model: which set is suspected, and against which."""


class Audit(NamedTuple):
    """A question to a model, and the run that keeps its answers."""

    experiment: Experiment
    model: Path
    run: Path
    sets: Sequence[str]
    """Names of the prompt files: the suspects, and the references if there are two."""

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
        config, stage = self.experiment.config, f"audit of {self.run.name}"
        plan = Plan(
            target=Target(model=f"hf/{self.model}", choices=ROWS, device="cpu"),
            prompts=self._prompts(self.sets[0]),
            reference=self._prompts(self.sets[1]) if len(self.sets) > 1 else None,
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

    def _prompts(self, name: str) -> PromptSet:
        return read_prompts(str(self.experiment.folder / "prompts" / f"{name}.jsonl"))
