"""A real RL run whose prompts were not trained on: Qwen2.5-Math-1.5B under GRPO.

30 + 30 + 83 competition problems, eight completions each, at the base model and four
checkpoints. Whatever tells them apart is no trace of training on them.
"""

import gzip
import json
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from scipy.special import expit
from scipy.stats import rankdata

from wellworn.distance import min_knn_distance
from wellworn.records import Prompt, digest
from wellworn.statistics.items import Item
from wellworn.verifiers import load_verifier

CHECKPOINTS = ("base", "step50", "step200", "step400", "step1000")
BENCHMARKS = ("AIME-2024", "AIME-2025", "AMC")


class Measured(NamedTuple):
    """What a checkpoint did on a prompt."""

    prompt_id: str
    prompt_length: int
    score: float
    pass_rate: float
    length: float
    unfinished: float


class Ladder:
    """The run in a folder; each file is read and scored once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def measured(self) -> dict[tuple[str, str], list[Measured]]:
        """What each checkpoint did on each benchmark."""
        return {(c, b): self._read(c, b) for c in CHECKPOINTS for b in BENCHMARKS}

    def _read(self, checkpoint: str, benchmark: str) -> list[Measured]:
        with gzip.open(self.folder / f"{checkpoint}_{benchmark}.json.gz") as file:
            rows = json.load(file)["metadata"]
        return [_measured(row) for row in rows]

    def items(self, checkpoint: str, benchmark: str, *, suspect: bool, control: bool) -> list[Item]:
        """Return a benchmark's prompts at a checkpoint, with the base model as control or none."""
        found = [
            Item(
                prompt_id=tuned.prompt_id,
                suspect=suspect,
                score=tuned.score,
                pass_rate=tuned.pass_rate,
                prompt_length=tuned.prompt_length,
                length=tuned.length,
                truncated=tuned.unfinished,
            )
            for tuned in self.measured[checkpoint, benchmark]
        ]
        if not control:
            return found
        return [
            replace(
                item,
                base_score=base.score,
                base_pass_rate=base.pass_rate,
                base_samples=8,
                base_length=base.length,
                base_truncated=base.unfinished,
            )
            for item, base in zip(found, self.measured["base", benchmark], strict=True)
        ]

    def divided(
        self, checkpoint: str, by: str, strength: float, generator: np.random.Generator
    ) -> list[Item]:
        """Return all prompts, divided at random: easier ones are more probably suspects.

        Args:
            checkpoint: What is audited.
            by: What the other checkpoints say of a prompt: "pass_rate" or "score".
            strength: How much that counts; 0 divides evenly.
            generator: Divides.
        """
        others = [c for c in CHECKPOINTS[1:] if c != checkpoint]
        ease = np.mean(
            [[getattr(m, by) for b in BENCHMARKS for m in self.measured[c, b]] for c in others],
            axis=0,
        )
        place = (rankdata(ease) - 0.5) / len(ease) - 0.5
        suspect = generator.random(len(ease)) < expit(2 * strength * place)
        items = [i for b in BENCHMARKS for i in self.items(checkpoint, b, suspect=0, control=True)]
        return [replace(item, suspect=bool(s)) for item, s in zip(items, suspect, strict=True)]


def _measured(row: dict) -> Measured:
    texts, prompt = row["outputs"], Prompt(text=row["prompt"], answer=str(row["label"]))
    verifier = load_verifier("number")
    return Measured(
        prompt_id=digest(row["prompt"]),
        prompt_length=len(row["prompt"]),
        score=1 - min_knn_distance(texts, k=4),
        pass_rate=float(np.mean([verifier.correct(text, prompt) for text in texts])),
        length=float(np.mean([len(text) for text in texts])),
        unfinished=float(np.mean(["\\boxed" not in text for text in texts])),
    )
