"""What must be said of an analysis: what misleads in its numbers, and what is missing, and why."""

from collections import Counter
from collections.abc import Iterator, Sequence

from wellworn.analysis.design import CUTS
from wellworn.analysis.results import Checkpoint
from wellworn.tables.values import counted

REASONS = 5
"""Different reasons that are listed."""
CUT_SHORT = 0.1
"""The share of completions cut at the most tokens from which it is said."""


def ead_above_one(checkpoints: Sequence[Checkpoint], vocabulary: int) -> Iterator[str]:
    """Yield where EAD exceeds 1, which no share of a vocabulary can."""
    above: dict[str, float] = {}
    for sized in (each for checkpoint in checkpoints for each in checkpoint.diversity):
        for name, mean in sized.means.items():
            if name.startswith("ead-") and mean.value > 1:
                above[name] = max(above.get(name, 0), mean.value)
    for name, value in sorted(above.items()):
        yield (
            f"EAD of {name[-1]}-grams exceeds 1 (up to {value:.3f}): there are more different "
            f"{name[-1]}-grams than V = {vocabulary:,} allows for. Compare it only at the same V "
            f"and about as many tokens."
        )


def at_the_edge(cut: float | None) -> Iterator[str]:
    """Yield that a cut was chosen at an end of those that were tried."""
    if cut in (CUTS[0], CUTS[-1]):
        yield (
            f"The cut, {cut:g}, is the last that was tried ({CUTS[0]:g} to {CUTS[-1]:g}): "
            f"the best may lie beyond. --cut sets another."
        )


def unlike_lengths(last: Checkpoint, groups: Sequence[str]) -> Iterator[str]:
    """Yield that the completions of two groups differ in length, where their interval says so."""
    found = last.contrasts.get("length")
    if found and found.low * found.high > 0:
        more = "longer" if found.difference > 0 else "shorter"
        yield (
            f"{last.run}: completions of the {groups[0]} are {more} than those of the {groups[1]}, "
            f"by {abs(found.difference):.0f} tokens on average. EAD, distinct-n, compression, "
            f"self-BLEU and counts of n-grams depend on length."
        )


def cut_short(checkpoint: Checkpoint) -> Iterator[str]:
    """Yield that many completions of a run were cut at the most tokens."""
    for group, mean in checkpoint.means.get("truncated", {}).items():
        if mean.value >= CUT_SHORT:
            yield (
                f"{checkpoint.run}: {mean.value:.0%} of the completions of the {group} were cut at "
                f"the most tokens; texts cut short look more alike."
            )


def missing(checkpoints: Sequence[Checkpoint], prompts: int) -> Iterator[str]:
    """Yield which of the `prompts` wanted runs lack, and which measures, and in which runs."""
    runs: dict[str, list[str]] = {}
    for checkpoint in checkpoints:
        for text in _missing(checkpoint, prompts):
            runs.setdefault(text, []).append(checkpoint.run)
    for text, those in runs.items():
        every = len(those) == len(checkpoints) > 1
        yield f"{'every run' if every else ', '.join(those)}: {text}."


def _missing(checkpoint: Checkpoint, prompts: int) -> Iterator[str]:
    """Yield what a run lacks, commonest first."""
    if absent := prompts - len(checkpoint.items):
        yield f"{counted(absent, 'prompt')} of the last run not there"
    reasons = Counter(item.reason for item in checkpoint.items if item.reason)
    for reason, count in reasons.most_common(REASONS):
        yield f"{counted(count, 'prompt')} not measured: {reason}"
    lacking = Counter(each for item in checkpoint.items for each in item.lacking.items())
    for (name, why), count in lacking.most_common(REASONS):
        yield f"{counted(count, 'prompt')} without {name}: {why}"
