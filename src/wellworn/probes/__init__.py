"""Probes: the questions that a detector needs answered about a prompt.

A probe is a pure function from the prompt, and an earlier answer where it builds on one, to
what the model is asked: to write an answer, or to read a text and say how probable each of
its tokens was. Detectors declare which probes they read and how many answers of each; the
sampler asks for the union once, so one greedy answer serves all.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal, NamedTuple, get_args

from wellworn.errors import Unscorable
from wellworn.probes.wording import AFTER, BEFORE, CRITIQUES, SHOTS, UNUSUAL
from wellworn.records import Message, Prompt

Target = Literal["response", "prompt", "gold"]
"""A text whose probability tells: the greedy answer, the prompt, or prompt and gold answer."""

SHOWN_SHARE = 0.6
"""The share of a prompt's words that the partial prompt shows (Wu et al., arXiv 2507.10532)."""


class Question(NamedTuple):
    """What a model is asked."""

    prompt: Prompt
    reads: str | None = None
    """The text that it reads after the prompt; None: it writes."""


class Probe(NamedTuple):
    """One way to ask."""

    ask: Callable[[Prompt, str], Question]
    """Turns the prompt and the earlier answer into the question."""
    summary: str
    sampled: bool = False
    """At the run's temperature; otherwise greedily."""
    after: str | None = None
    """The probe whose first answer it builds on."""
    reads: bool = False
    """The model reads and writes nothing."""
    control: bool = False
    """The control model is asked, not the audited one."""


class Need(NamedTuple):
    """What a detector reads of every record."""

    probe: str
    """A name in `PROBES`."""
    completions: int = 1
    """How many of them."""
    signals: bool = False
    """Whether it reads their log-probabilities."""


def followed(prompt: Prompt, text: str, before: str = "") -> Prompt:
    """Return the prompt with `text` after its last turn, and another before it.

    >>> followed(Prompt(text="2 + 2 ="), " Now.").text
    '2 + 2 = Now.'
    """
    return with_last(prompt, f"{before}{prompt.shown}{text}")


def with_last(prompt: Prompt, text: str) -> Prompt:
    """Return the prompt with another text as its last turn."""
    if prompt.text is not None:
        return Prompt(text=text, source=prompt.source)
    *turns, last = prompt.messages
    return Prompt(messages=(*turns, Message(last.role, text)), source=prompt.source)


def halves(prompt: Prompt) -> tuple[str, str]:
    """Return the first 60 % of the words of a prompt's last turn, and the rest of the text.

    Raises:
        Unscorable: It has fewer than five words, so that nothing is left to tell.
    """
    words = prompt.shown.split()
    if len(words) < 5:
        raise Unscorable(f"the prompt has {len(words)} words; a part of it needs 5 or more")
    position = 0
    for word in words[: round(SHOWN_SHARE * len(words))]:
        position = prompt.shown.index(word, position) + len(word)
    return prompt.shown[:position], prompt.shown[position:]


def _as_it_is(prompt: Prompt, _: str) -> Question:
    return Question(prompt)


def _critique(instruction: str, prompt: Prompt, answer: str) -> Question:
    return Question(followed(prompt, instruction.replace("{answer}", answer)))


def _unanchored(prompt: Prompt, _: str) -> Question:
    return Question(followed(prompt, UNUSUAL))


def _perturbed(prompt: Prompt, _: str) -> Question:
    return Question(followed(prompt, f" {AFTER}", before=f"{BEFORE} "))


def _partial(prompt: Prompt, _: str) -> Question:
    return Question(Prompt(text=halves(prompt)[0], source=prompt.source))


def _read(target: Target, change: str, prompt: Prompt, answer: str) -> Question:
    """Return the question that has a target read: as it is, in lower case, or after shots."""
    text = _target_text(target, prompt, answer)
    if not text.strip():
        raise Unscorable(f"the {target} to be read is empty")
    before = "\n\n".join([*SHOTS, ""]) if change == "shots" else ""
    reads = text.lower() if change == "lower" else text
    if target == "response":
        return Question(followed(prompt, "", before=before), reads)
    return Question(Prompt(text=before, source=prompt.source), reads)


def _target_text(target: Target, prompt: Prompt, answer: str) -> str:
    if target == "response":
        return answer
    if target == "prompt":
        return prompt.shown
    if prompt.answer is None:
        raise Unscorable("the prompt has no gold answer (--answer-field names its column)")
    return f"{prompt.shown}\n{prompt.answer}"


def _readings() -> dict[str, Probe]:
    """Return the probes that have texts read: each target, as it is and changed."""
    changes = {
        "": "",
        "lower": ", in lower case",
        "shots": ", after texts that were not trained on",
        "control": ", by the control model",
    }
    texts = {
        "response": "the greedy answer",
        "prompt": "the prompt",
        "gold": "the prompt and its gold answer",
    }
    return {
        "-".join(filter(None, ["read", target, change])): Probe(
            ask=partial(_read, target, change),
            summary=f"{texts[target]} is read{how}",
            after="greedy" if target == "response" else None,
            reads=True,
            control=change == "control",
        )
        for target in get_args(Target)
        for change, how in changes.items()
    }


PROBES: dict[str, Probe] = {
    "sample": Probe(_as_it_is, "the prompt, sampled at the run's temperature", sampled=True),
    "greedy": Probe(_as_it_is, "the prompt, answered greedily"),
    **{
        f"critique-{name}": Probe(
            partial(_critique, instruction),
            f"another answer than the greedy one is asked for ({name} wording)",
            after="greedy",
        )
        for name, instruction in CRITIQUES.items()
    },
    "unanchored": Probe(_unanchored, "an unusual answer is asked for"),
    "perturbed": Probe(_perturbed, "the prompt amid small talk"),
    "partial": Probe(_partial, "the first 60 % of the prompt, as a text to continue"),
    **_readings(),
}


def union(needs: Iterable[Need]) -> dict[str, Need]:
    """Return what satisfies all `needs` at once, and what they build on, by probe.

    Probes stand after those that they build on.

    >>> list(union([Need("sample", 8), Need("sample", 32)]).values())
    [Need(probe='sample', completions=32, signals=False)]
    >>> list(union([Need("critique-published")]))
    ['greedy', 'critique-published']
    """
    found: dict[str, Need] = {}
    for need in needs:
        first = PROBES[need.probe].after
        for each in ([Need(first)] if first else []) + [need]:
            held = found.get(each.probe, Need(each.probe, 0))
            found[each.probe] = Need(
                each.probe,
                max(held.completions, each.completions),
                held.signals or each.signals,
            )
    return found
