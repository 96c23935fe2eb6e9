"""What the page says of the numbers, for who never heard of them."""

from collections.abc import Sequence
from typing import NamedTuple

from wellworn.report.page.contents import Contents
from wellworn.statistics.comparison import Comparison
from wellworn.statistics.estimates import Estimate, Kind

PLAIN = {
    "insufficient data": "These data do not bear a claim, in either direction.",
    "no evidence": "The suspects' answers do not differ from the references' in a way that this "
    "audit could tell from chance.",
    "converged, not attributable": "The model's answers to the suspects are more alike than its "
    "answers to the references. Several things can bring that about, and training on the "
    "suspects is but one of them.",
    "converged more than matched controls": "The model's answers to the suspects are more alike "
    "than its answers to comparable references, even after what else could explain it was "
    "accounted for.",
    "consistent with RL exposure": "The model's answers to the suspects are more alike than all "
    "that was held against it can explain. That is what training on them with rewards looks "
    "like; other exposure can look the same.",
}
"""Each level of the verdict in plain words."""

KINDS: dict[Kind, str] = {
    "detector": "the detector that was named beforehand",
    "known": "the same on prompts whose history is known",
    "adjusted": "the same, adjusted for covariates",
    "difference": "its change against the control model",
    "success": "gain in success",
    "blind": "baselines that never see the model",
    "nuisance": "other measures of the completions",
    "secondary": "other detectors",
}
"""What estimates of each kind are called, in the order in which they are shown."""


class Group(NamedTuple):
    """Estimates of one kind."""

    kind: Kind
    words: str
    estimates: list[Estimate]


def grouped(estimates: Sequence[Estimate]) -> list[Group]:
    """Return the estimates by kind, without kinds that have none."""
    groups = [
        Group(kind, words, [estimate for estimate in estimates if estimate.kind == kind])
        for kind, words in KINDS.items()
    ]
    return [group for group in groups if group.estimates]


def digits(p: float) -> str:
    """Return a p-value with two digits.

    >>> digits(0.5), digits(0.0321), digits(0.00004)
    ('0.50', '0.032', '4 × 10⁻⁵')
    """
    if p == 0:  # too small for a float
        return "less than 10⁻³⁰⁰"
    if p >= 0.1:
        return f"{p:.2f}"
    if p >= 0.0001:
        return f"{p:.2g}"
    factor, power = f"{p:.1e}".split("e-")
    return f"{float(factor):g} \N{MULTIPLICATION SIGN} 10⁻{power.lstrip('0').translate(_RAISED)}"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def share(number: float) -> str:
    """Return a share in per cent.

    >>> share(0.074).split(), share(1).split()
    (['7', '%'], ['100', '%'])
    """
    return f"{100 * number:.0f}\N{NO-BREAK SPACE}%"


def in_pairs(comparison: Comparison, event: str = "the suspect scores higher") -> str:
    """Return what the AUC means: of how many pairs of prompts the `event` is true.

    >>> from wellworn.statistics.comparison import compare
    >>> in_pairs(compare([1, 2, 3, 4], [1, 2, 3, 4]))[:90]
    'Take one suspect and one reference at random: in 50 of 100 such pairs the suspect scores h'
    """
    auc, low, high = (round(100 * x) for x in (comparison.auc, comparison.low, comparison.high))
    return (
        f"Take one suspect and one reference at random: in {auc} of 100 such pairs {event}. "
        f"50 would be a coin toss. With other prompts of the same kind it could well have been "
        f"anything from {low} to {high}."
    )


def by_chance(comparison: Comparison) -> str:
    """Return what the p-value means."""
    p = comparison.p
    if p > 0.4:
        often = "about every second audit"
    elif p < 1e-6:
        often = "fewer than 1 of a million audits"
    else:
        often = f"about 1 of {_rounded(1 / p)} audits"
    return f"If the sets did not differ, {often} would show at least this separation."


def _rounded(number: float) -> str:
    """Return a count with two digits.

    >>> _rounded(31.2), _rounded(25_731)
    ('31', '26,000')
    """
    return f"{int(float(f'{number:.2g}')):,}"


def what_it_sees(contents: Contents) -> str:
    """Return what sets of this size can see, and what they cannot."""
    comparison, references = contents.comparison, contents.references
    assert comparison is not None
    assert references is not None
    return visible(comparison, contents.suspects.compared, references.compared)


def visible(comparison: Comparison, suspects: int, references: int) -> str:
    """Return what effect a comparison of so many prompts can see."""
    return (
        f"{suspects} suspects against {references} references see an AUC of "
        f"{comparison.detectable_auc:.2f} or more in 80 % of audits. A smaller effect may go "
        f"unnoticed, so silence exonerates nobody."
    )
