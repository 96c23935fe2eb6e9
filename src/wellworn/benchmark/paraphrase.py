"""Paraphrases of prompts, to see whether a detector needs their very words.

The Min-kNN paper (arXiv 2602.11792) has GPT-4o rewrite its members; the instruction is not
known, and if only members are rewritten, the rewriter's style marks them. Here nothing says
which prompts are members, so all are rewritten alike, by any model, with an instruction of our
own. What all prompts of a set share at their ends, as an instruction on the form of the answer,
stays as it is. A rewriting is kept if it has the same numbers, is 0.7 to 1.4 times as long,
changes some word and does not tell the answer, which is taken over; else it is asked for again,
and a prompt without a good one is listed with the reasons. Whether it still says the same, these
checks do not know: read some. A formula alone, as in the satisfiability suite, has no other words.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

import msgspec

from wellworn.backends import Backend, Request
from wellworn.errors import Refused
from wellworn.probes import with_last
from wellworn.records import Generation, Prompt, chat
from wellworn.sampler.wanted import Place, seed_of
from wellworn.verifiers.number import numbers

INSTRUCTION = (
    "Say the following problem in other words. Keep all its facts, numbers, names, symbols and "
    "formulas, and ask for the same. Do not solve it, add nothing, leave nothing out. Write "
    "numbers as they are written. Reply with the new wording alone.\n\n"
)
TRIES = 3
SHORTEST, LONGEST = 0.7, 1.4
"""Length of a rewriting, in lengths of the original."""

Ask = Callable[[str, int], str]
"""ask(text, seed): what a model says to a text."""


class Rewrites(msgspec.Struct, frozen=True, kw_only=True):
    """Paraphrased prompts, and those that could not be."""

    kept: dict[str, Prompt]
    """By the id of the original."""
    rejected: dict[str, tuple[str, ...]]
    """By the id of the original: what was amiss with each try."""

    def labels(self, labels: Mapping[str, bool]) -> dict[str, bool]:
        """Return the labels of the originals, by the ids of their paraphrases."""
        return {prompt.id: labels[original] for original, prompt in self.kept.items()}


def paraphrase(prompts: Sequence[Prompt], ask: Ask, *, seed: int = 0) -> Rewrites:
    """Return the prompts in other words, as a model puts them.

    Args:
        prompts: Members and others alike. Their last turn, or their text, is rewritten.
        ask: The model; `asker` makes one of a backend.
        seed: Seeds of the tries follow from it and from the prompt.

    Raises:
        BackendError: The model does not answer at all. A refusal is a reason to reject.
    """
    start, end = _shared([prompt.shown for prompt in prompts])
    kept: dict[str, Prompt] = {}
    rejected: dict[str, tuple[str, ...]] = {}
    for prompt in prompts:
        text = prompt.shown[len(start) : len(prompt.shown) - len(end)]
        reasons: list[str] = []
        while len(reasons) < TRIES and prompt.id not in kept:
            place = Place(prompt.id, "paraphrase", len(reasons))
            new, reason = _rewritten(text, prompt.answer, ask, seed_of(seed, place))
            if reason is None:
                kept[prompt.id] = _with(prompt, f"{start}{new}{end}")
            else:
                reasons.append(reason)
        if prompt.id not in kept:
            rejected[prompt.id] = tuple(reasons)
    return Rewrites(kept=kept, rejected=rejected)


def asker(backend: Backend, generation: Generation) -> Ask:
    """Return the function that asks a backend; the generation's own seed is not used."""

    def ask(text: str, seed: int) -> str:
        request = Request(prompt=chat(text), generation=generation, index=0, seed=seed)
        return backend.complete([request])[0].text

    return ask


def fault(original: str, new: str, answer: str | None = None) -> str | None:
    """Return why a rewriting does not stand for the original; None if it does.

    >>> fault("Ann has 3 pears and eats 1.", "Of her 3 pears, Ann eats two.")
    'its numbers differ: without 1'
    """
    before, after = (Counter(n.lstrip("-") for n in numbers(text)) for text in (original, new))
    if before != after:
        lost, added = (
            " and ".join((a - b).elements()) for a, b in ((before, after), (after, before))
        )
        facts = [f"without {lost}"] * bool(lost) + [f"with {added}"] * bool(added)
        return f"its numbers differ: {', '.join(facts)}"
    ratio = len(new) / len(original) if original else 0
    if not SHORTEST <= ratio <= LONGEST:
        return f"it is {ratio:.2f} times as long; {SHORTEST} to {LONGEST} is kept"
    if _words(new) == _words(original):
        return "no word of it has changed"
    if (
        answer
        and answer.casefold() in new.casefold()
        and answer.casefold() not in original.casefold()
    ):
        return "it tells the answer"
    return None


def _rewritten(text: str, answer: str | None, ask: Ask, seed: int) -> tuple[str, str | None]:
    """Return a rewriting between the same white space, and what is amiss with it."""
    core = text.strip()
    if not core:
        return "", "there is nothing in it that the other prompts do not share"
    try:
        new = ask(f"{INSTRUCTION}{core}", seed).strip()
    except Refused as error:
        return "", f"the model refused: {error}"
    return text.replace(core, new), fault(core, new, answer)


def _shared(texts: Sequence[str]) -> tuple[str, str]:
    """Return what all texts begin with and end with, in whole sentences; nothing for one text.

    >>> _shared(["You meet 4. Ann lies, he said. Who?", "You meet 4. Bo does, he said. Who?"])
    ('You meet 4. ', ' Who?')
    """
    if len(set(texts)) < 2:
        return "", ""
    start = _common(texts)
    ends = [match.end() for match in re.finditer(r"[.?!:]\s|\n", start)]
    start = start[: max(ends, default=0)]
    end = _common([text[len(start) :][::-1] for text in texts])[::-1]
    begins = re.search(r"\s(?=[A-Z])|\n", end)
    return start, end[begins.start() :] if begins else ""


def _common(texts: Sequence[str]) -> str:
    """Return what all texts begin with: what the first and the last in order share."""
    pairs = zip(min(texts), max(texts), strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _with(prompt: Prompt, text: str) -> Prompt:
    new = with_last(prompt, text)
    return msgspec.structs.replace(new, metadata=prompt.metadata, answer=prompt.answer)
