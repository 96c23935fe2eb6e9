"""What a verifier is: whether a completion solves its prompt, and what its answer is."""

from collections.abc import Callable
from typing import NamedTuple

from wellworn.errors import BadInput
from wellworn.records import Prompt


class Verifier(NamedTuple):
    """A verifier, as the table holds it.

    No text of a model raises anything: what cannot be read is a wrong answer. A gold answer
    that cannot be read is BadInput.
    """

    name: str
    correct: Callable[[str, Prompt], bool]
    """correct(text, prompt): whether the completion solves the prompt."""
    final: Callable[[str], str | None]
    """final(text): the answer, normalised, so that equal ones count once; None where none is."""
    explicit: Callable[[str], bool]
    """explicit(text): whether the answer stands, whole, where the verifier asks for it: in tags,
    a box, after a mark. Elsewhere, a text that was cut off has not come to its answer."""


def gold_of(prompt: Prompt) -> str:
    """Return the gold answer of a prompt.

    Raises:
        BadInput: It has none.
    """
    if prompt.answer is None:
        raise unverifiable(prompt, "there is no gold answer to compare with")
    return prompt.answer


def unverifiable(prompt: Prompt, fact: str) -> BadInput:
    """Return the error that says why no completion of a prompt can be checked."""
    place = prompt.source or f"prompt {prompt.id}"
    return BadInput(
        f"{place}: {fact}.\nName its field when prompts or logs are read (--answer-field), mend "
        f"the prompt, or choose another verifier."
    )
