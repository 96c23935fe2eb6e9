"""What the page says of two runs, for who never heard of an AUC."""

from collections import Counter

from wellworn.report.page.words import by_chance, digits, in_pairs, visible
from wellworn.report.paired import Paired
from wellworn.report.sides import SetName
from wellworn.statistics.change import Change

CAUTION = (
    "By itself this is no finding of exposure, and none of its absence: easy prompts change more "
    "under RL, whether or not the model was trained on them."
)
_EVENT = "the score of the suspect rose more, or fell less"


def signed(number: float) -> str:
    """Return a change with its sign and three decimals.

    >>> signed(0.25), signed(-0.0001), signed(-0.5).encode("ascii", "replace")
    ('+0.250', '0.000', b'?0.500')
    """
    text = f"{abs(number):.3f}"
    if float(text) == 0:
        return text
    return ("\N{MINUS SIGN}" if number < 0 else "+") + text


def claim(paired: Paired) -> str:
    """Return what changed, in a sentence."""
    suspects, references = paired.suspects, paired.references
    if suspects is None:
        return "Too few suspects have a score in both runs to tell a change."
    said = f"From the first run to the second, the suspects' mean score {_moved(suspects)}"
    if references is None:
        return f"{said}; there are no references to hold it against."
    return f"{said}; the references' {_moved(references)}."


def _moved(change: Change) -> str:
    if change.low <= 0 <= change.high:
        return "did not change by more than chance"
    return f"{'rose' if change.mean > 0 else 'fell'} by {abs(change.mean):.3f}"


def told(name: SetName, change: Change) -> str:
    """Return how many prompts of a set changed, and which way."""
    same = change.prompts - change.rose - change.fell
    return (
        f"Of {change.prompts} {name}, {change.rose} rose, {change.fell} fell and {same} stayed "
        f"where they were; that there is no tendency: p = {digits(change.p)}."
    )


def difference(paired: Paired) -> list[str]:
    """Return what the difference in differences means, in sentences."""
    found, suspects, references = paired.difference, paired.suspects, paired.references
    if found is None or suspects is None or references is None:
        return []
    if found.low > 0.5:
        answer = "Yes, the suspects rose more than the references. Easier prompts do so too."
    elif found.high < 0.5:
        answer = "No: the references rose more than the suspects."
    else:
        answer = "Not so that this comparison could tell it from chance."
    return [
        answer,
        in_pairs(found, _EVENT),
        by_chance(found),
        visible(found, suspects.prompts, references.prompts),
    ]


def missing(paired: Paired) -> list[tuple[str, int]]:
    """Return why prompts have no change, and how many, the commonest first."""
    return Counter(item.reason for item in paired.items if item.reason).most_common(8)
