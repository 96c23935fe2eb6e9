"""Members out of training rollouts: what was rolled out in training was trained on.

verl, TRL and others dump the rollouts of each step. Their prompts are members for certain; the
other prompts of a run count as non-members, which holds only if every step was dumped. A dump
holds the prompt as the model saw it, or the bare question: the user's turn is taken out of known
templates. Out of others, one of the two may contain the other, if it is long enough not to do so
by chance. White space does not count.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wellworn.errors import BadInput
from wellworn.labels import read_labels
from wellworn.prompts.asked import recognisable
from wellworn.readers import Layout, read_completions
from wellworn.readers.sources import local_files
from wellworn.records import Prompt
from wellworn.tables.values import counted

_LONG = 40
"""A question of fewer characters may be part of another one by chance."""
_BETWEEN = "\x00"


class Labels(NamedTuple):
    """Which prompts are members, and what to say of how that is known."""

    by_prompt: dict[str, bool]
    note: str | None = None


def known_labels(
    prompts: Sequence[Prompt],
    labels: Path | None,
    members_from: Sequence[str],
    field: str | None = None,
) -> Labels:
    """Return which prompts are members, from a file of labels or from training rollouts.

    Raises:
        BadInput: Neither is given, or both, or they do not tell members from others.
    """
    if (labels is None) == (not members_from):
        given = "both are" if members_from else "neither is"
        raise BadInput(
            f"which prompts are members is read from --labels FILE, or from the rollouts of a "
            f"training with --members-from PATH; {given} given."
        )
    if labels is not None:
        return Labels(read_labels(labels, prompts, field))
    return members(prompts, members_from)


def members(prompts: Sequence[Prompt], rollouts: Sequence[str | Path]) -> Labels:
    """Return which prompts were rolled out in a training.

    Args:
        prompts: The prompts of the run.
        rollouts: Dumps of a training: files, folders, globs.

    Raises:
        BadInput: The rollouts cannot be read, or hold none of the prompts, or all.
    """
    trained = _rolled_out(rollouts)
    whole = _BETWEEN.join(trained)
    long = [text for text in trained if len(text) >= _LONG]
    found = {prompt.id: _is_among(_asked(prompt), trained, whole, long) for prompt in prompts}
    count = sum(found.values())
    names = ", ".join(map(str, rollouts))
    if not 0 < count < len(found):
        raise BadInput(
            f"{names}: of the {counted(len(found), 'prompt')} of the run, {count} are among the "
            f"{counted(len(trained), 'prompt')} that were rolled out; an evaluation needs both "
            f"members and others.{_one_of_each(prompts, trained)}"
        )
    return Labels(
        found,
        f"{counted(count, 'member')}: prompts that were rolled out in training ({names}, "
        f"{counted(len(trained), 'prompt')}). The others count as non-members, which holds only if "
        f"every step was dumped.",
    )


def _rolled_out(rollouts: Sequence[str | Path]) -> set[str]:
    layout = Layout(mix_steps=True)
    try:
        with local_files(rollouts) as sources:
            reading = read_completions(sources.files, layout, wandered=sources.wandered)
            return {_asked(prompt) for prompt, _ in reading}
    except BadInput as error:
        fact = str(error).partition("\n")[0]
        raise BadInput(
            f"{fact}\nRollouts are read as `wellworn import --dry-run` reads them; a file that "
            f"says which prompts are members goes to --labels."
        ) from None


def _asked(prompt: Prompt) -> str:
    """Return what is asked, with white space collapsed: the last user's turn, or the text."""
    turns = [turn.content for turn in prompt.messages if turn.role == "user"]
    return " ".join((turns[-1] if turns else recognisable(prompt)).split())


def _one_of_each(prompts: Sequence[Prompt], trained: set[str]) -> str:
    """Return a question of the run and one that was rolled out, to be compared by eye."""
    if not (prompts and trained):
        return ""
    return f"\nOne of the run: {_asked(prompts[0])!r:.80}. One rolled out: {min(trained)!r:.80}."


def _is_among(text: str, trained: set[str], whole: str, long: Sequence[str]) -> bool:
    if text in trained:
        return True
    if len(text) >= _LONG and text in whole:
        return True
    return any(other in text for other in long)
