"""Convergence among the correct answers alone, at one common count.

Easy prompts have many correct answers, and correct answers are alike in their end at least. So
a detector can be told to read only samples that a verifier calls correct: the same number of
each prompt, drawn several times. What remains of convergence is then no mere easiness.

A verifier reads the answer, and the whole text where no reasoning is set apart. What was cut
off is correct only if the answer stands in it explicitly: a supposition or a step on the way
is no answer.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from wellworn.errors import Unscorable
from wellworn.records import Completion, Prompt, digest
from wellworn.verifiers import Verifier

DRAWS = 10
"""Draws that a score is the mean of."""


class Verified(NamedTuple):
    """The samples of a prompt, and which of them are correct."""

    prompt_id: str
    samples: tuple[Completion, ...]
    correct: tuple[Completion, ...]
    finals: int
    """How many different final answers the samples give."""

    @classmethod
    def of(cls, samples: Sequence[Completion], prompt: Prompt, verifier: Verifier) -> "Verified":
        """Return the samples of a prompt as a verifier sees them."""
        right = [sample for sample in samples if verifier.correct(sample.text, prompt)]
        correct = tuple(sample for sample in right if _answers(sample, verifier))
        answers = [sample.text for sample in samples if _answers(sample, verifier)]
        finals = {verifier.final(text) for text in answers} - {None}
        return cls(prompt.id, tuple(samples), correct, len(finals))

    @property
    def parts(self) -> dict[str, float]:
        """The share of correct samples, and the number of different final answers."""
        return {"pass_rate": len(self.correct) / len(self.samples), "finals": float(self.finals)}

    def draws(self, count: int) -> Iterator[tuple[Completion, ...]]:
        """Yield `DRAWS` random subsets of `count` correct samples; the one, if there is one.

        Raises:
            Unscorable: Fewer are correct.
        """
        if len(self.correct) < count:
            raise Unscorable(
                f"{len(self.correct)} of {len(self.samples)} samples are correct; "
                f"{count} are compared"
            )
        # a function of the texts, so that neither order nor seeds enter
        ordered = sorted(self.correct, key=lambda sample: digest([sample.text, sample.reasoning]))
        dice = Random(self.prompt_id)
        for _ in range(DRAWS if len(ordered) > count else 1):
            yield tuple(dice.sample(ordered, count))


def _answers(sample: Completion, verifier: Verifier) -> bool:
    return sample.finish_reason != "length" or verifier.explicit(sample.text)
