"""The answer is the gold text, but for case, white space and marks around it.

The answer is what the last answer tags hold; without them, the last box; else the whole text.
"""

from wellworn.records import Prompt
from wellworn.verifiers.answers import in_box, in_tags, last_block, last_boxed
from wellworn.verifiers.base import Verifier, gold_of, unverifiable

_AROUND = " \"'`*_.,;:!"


def final_text(text: str) -> str | None:
    """Return the answer that a completion gives, normalised; None if it is empty.

    >>> final_text("I think: <answer> **The  Moon**. </answer>")
    'the moon'
    """
    for said in (last_block(text), last_boxed(text), text):
        if said is not None:
            return " ".join(said.split()).strip(_AROUND).casefold() or None
    return None


def load() -> Verifier:
    """Return the verifier of exact texts."""
    return Verifier("exact", _correct, final_text, _explicit)


def _explicit(text: str) -> bool:
    return in_box(text) if last_block(text) is None else in_tags(text)


def _correct(text: str, prompt: Prompt) -> bool:
    expected = final_text(gold_of(prompt))
    if expected is None:
        raise unverifiable(prompt, "the gold answer is empty")
    return final_text(text) == expected
