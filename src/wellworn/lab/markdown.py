"""The table of a study as Markdown: docs/lab-results.md is written by it."""

from collections.abc import Iterable, Iterator, Sequence

from wellworn.lab.display import SAID, mean
from wellworn.lab.table import Group, Study


def markdown(study: Study) -> str:
    """Return what a study shows: all steps as a whole, then the last ones by detector."""
    last = {(group.task, group.level, group.algorithm): group for group in study.groups}
    return "\n".join([*_head(study), *(x for g in last.values() for x in _group(study, g))])


def _head(study: Study) -> Iterator[str]:
    yield "# What the lab's study has found"
    yield ""
    yield "Written by `wellworn lab table --markdown`; [lab.md](lab.md) says how it was made and"
    yield "what to make of it. Intervals are 95 %, over models. Before RL the AUC is that of one"
    yield "half, since the other one's is 1 less it; after RL it is the mean of both of a split."
    yield ""
    columns = ("task", "algorithm", "step", "models", "drawn", "taught", "pass rate", "distinct")
    last = {(g.task, g.level, g.algorithm): g.step for g in study.groups}
    cells = [
        (
            g.task if g.level == "standard" else f"{g.task} ({g.level})",
            g.algorithm,
            str(g.step),
            str(g.experiments),
            f"{g.epochs:.0f}" if g.step == last[g.task, g.level, g.algorithm] else "",
            f"{g.taught:.0f}" if g.step == last[g.task, g.level, g.algorithm] else "",
            f"{g.members.pass_rate:.2f} / {g.held_out.pass_rate:.2f}",
            f"{g.members.distinct:.2f} / {g.held_out.distinct:.2f}",
        )
        for g in study.groups
    ]
    yield from _table(columns, cells)


def _group(study: Study, group: Group) -> Iterator[str]:
    key = (group.task, group.level, group.algorithm)
    rows = [row for row in study.rows if (row.task, row.level, row.algorithm) == key]
    before = {row.detector: row.raw for row in rows if row.step == 0}
    yield f"## {group.task} ({group.level}), {group.algorithm}, step {group.step}"
    yield ""
    for question, counts in group.verdicts.items():
        told = "; ".join(f"*{level}* {count}" for level, count in sorted(counts.items()))
        yield f"- {SAID[question]}: {told}"
    if group.little and group.much:
        yield f"- members that taught least {mean(group.little)}, most {mean(group.much)}"
    yield ""
    cells = [
        (
            row.detector,
            *map(mean, (before.get(row.detector), row.raw, row.adjusted, row.matched)),
            f"{row.floor:.2f}",
        )
        for row in rows
        if row.step == group.step
    ]
    yield from _table(("detector", "before", "AUC", "adjusted", "matched", "at the top"), cells)


def _table(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for each in cells:
        yield f"| {' | '.join(each)} |"
    yield ""
