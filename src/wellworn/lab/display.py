"""An experiment, and a study of many, for the terminal."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wellworn.lab.effects import Auc
from wellworn.lab.results import Checkpoint, Results
from wellworn.lab.table import Mean, Study

LEAST = 0.05
"""The pass rate before RL below which an experiment has nothing to show."""
LEGEND = (
    "Members against others: before RL; after it; adjusted for what was fixed before it; matched "
    "on the tuned model's pass rate and length. AUC with 95 % limits."
)
SAID = {
    "members": "members against the other half",
    "twins": "the same in other words",
    "easy": "easier prompts that nobody trained on",
}


def show(results: Results, console: Console) -> None:
    """Print what an experiment shows."""
    before, *_, after = results.checkpoints
    console.print(
        Text(
            f"{results.task}, {results.algorithm}, {after.step} steps: each member was drawn "
            f"{results.epochs:.1f} times and taught {results.taught:.1f} times."
        )
    )
    for checkpoint in results.checkpoints:
        console.print(Text(_halves(checkpoint)))
    if before.members.pass_rate < LEAST:
        console.print(
            Text(
                f"The base solves {before.members.pass_rate:.0%} of the problems: RL had next to "
                f"nothing to reward, and the numbers below say nothing. Pretrain longer."
            )
        )
    known = {effect.detector: effect.raw for effect in before.effects}
    cells = [
        (e.detector, _auc(known.get(e.detector)), _auc(e.raw), _auc(e.adjusted), _auc(e.matched))
        for e in after.effects
        if e.raw
    ]
    headings = ("before", "after", "adjusted", "matched")
    _table(console, "Members against the other half", ("detector", *headings), cells)
    if after.repeated:
        told = [(e.detector, _auc(e.raw), _auc(e.adjusted)) for e in after.repeated if e.raw]
        title = "What pretraining had repeated against what it had not, after RL"
        _table(console, title, ("detector", "AUC", "adjusted"), told)
    console.print(Text(LEGEND))
    for effect in after.effects:
        if effect.reason:
            console.print(Text(f"• {effect.detector}: {effect.reason}"))
    if after.little and after.much:
        console.print(
            Text(
                f"{results.detector}, members that taught least: {_auc(after.little)}; "
                f"most: {_auc(after.much)}"
            )
        )
    for question, level in after.verdicts.items():
        console.print(Text.assemble(f"{SAID[question]}: ", (level, "bold")))


def show_study(study: Study, console: Console) -> None:
    """Print what a study shows: its last steps, detector by detector."""
    last = {(group.task, group.level, group.algorithm): group for group in study.groups}
    for key, group in last.items():
        mine = [row for row in study.rows if (row.task, row.level, row.algorithm) == key]
        before = {row.detector: row.raw for row in mine if row.step == 0}
        cells = [
            (r.detector, *map(_brief, (before.get(r.detector), r.raw, r.adjusted, r.matched)))
            for r in mine
            if r.step == group.step and r.raw
        ]
        title = (
            f"{group.task} ({group.level}), {group.algorithm}, {group.step} steps, "
            f"{group.experiments} models: pass rate {group.members.pass_rate:.2f} v "
            f"{group.held_out.pass_rate:.2f}"
        )
        headings = ("detector", "before", "after", "adjusted", "matched")
        _table(console, title, headings, cells)
        for question, counts in group.verdicts.items():
            told = ", ".join(f"{level} {count}" for level, count in counts.items())
            console.print(Text(f"{SAID[question]}: {told}"))


def _halves(checkpoint: Checkpoint) -> str:
    members, others = checkpoint.members, checkpoint.held_out
    return (
        f"step {checkpoint.step}, members v others: pass rate {members.pass_rate:.2f} v "
        f"{others.pass_rate:.2f}, "
        f"distinct {members.distinct:.2f} v {others.distinct:.2f}, "
        f"length {members.length:.0f} v {others.length:.0f}"
    )


def _table(
    console: Console, title: str, headings: Iterable[str], cells: Iterable[Sequence[str]]
) -> None:
    table = Table(title=title, box=SIMPLE_HEAD, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(
            heading, no_wrap=place > 0, justify="right" if place else "left", overflow="fold"
        )
    for each in cells:
        table.add_row(*each)
    console.print(table)


def _auc(auc: Auc | None) -> str:
    return _narrow(auc.value, auc.low, auc.high) if auc else "-"


def _brief(found: Mean | None) -> str:
    return _narrow(found.value, found.low, found.high) if found else "-"


def _narrow(value: float, low: float | None, high: float | None) -> str:
    """Return an AUC with its interval in 12 columns, so that four fit beside a name."""
    if low is None or high is None:
        return f"{value:.2f}"
    limits = (f"{limit:.2f}".removeprefix("0") for limit in (low, high))
    return f"{value:.2f} {'-'.join(limits)}"


def mean(found: Mean | None) -> str:
    """Return a mean with its interval, as 0.75 [0.70, 0.80]."""
    if found is None:
        return "-"
    if found.low is None:
        return f"{found.value:.2f}"
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"
