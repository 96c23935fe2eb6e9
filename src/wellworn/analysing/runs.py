"""The runs of an analysis: which of them compare, at which m, and which prompts are read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from wellworn.analysis.design import Design
from wellworn.errors import BadInput
from wellworn.judging import current_setting, samples_of
from wellworn.judging.drawn import check_drawn
from wellworn.records import Generation, Record
from wellworn.report.sides import SETS
from wellworn.store import Store
from wellworn.tables.values import counted

ALIKE = ("temperature", "top_p", "max_tokens", "extra")
"""Parameters in which runs must agree."""


class Groups(NamedTuple):
    """Which prompts are read, and in which group each is."""

    names: tuple[str, ...]
    of: dict[str, str]
    """The group of each prompt, by its id."""


class Run(NamedTuple):
    """A run, and the generation parameters whose completions are read."""

    store: Store
    setting: Generation

    def records(self, wanted: Collection[str]) -> Iterator[Record]:
        """Yield the prompts with these ids that the run has, with their completions."""
        return (r for r in self.store.records(self.setting) if r.prompt.id in wanted)


def check_alike(runs: Sequence[Run], design: Design) -> None:
    """Raise BadInput where runs do not compare, are greedy, or lack the setting that is wanted."""
    if design.setting and all(run.setting.id != design.setting for run in runs):
        current_setting(runs[-1].store, design.setting)
    for run in runs:
        check_drawn(*run, "an analysis", "Sample at a temperature above 0.")
    first = runs[0]
    for run in runs[1:]:
        for name in ALIKE:
            one, other = getattr(first.setting, name), getattr(run.setting, name)
            if one != other:
                raise BadInput(
                    f"{first.store.folder} and {run.store.folder} do not compare: '{name}' is "
                    f"{one!r} in one and {other!r} in the other.\n"
                    f"Sample both with the same settings, or name one with --setting ID."
                )


def common_m(runs: Sequence[Run]) -> int:
    """Return the m that most prompts of each run have.

    Raises:
        BadInput: It is below two.
    """
    held = {run.store.folder: samples_of(*run) for run in runs}
    folder, fewest = min(held.items(), key=lambda each: each[1])
    if fewest < 2:
        raise BadInput(
            f"{folder}: most of its prompts have {counted(fewest, 'completion')}; what differs "
            f"between completions needs 2 or more of each.\n"
            f"Sample more (`wellworn sample --samples 32`), or read those with more by --m."
        )
    return fewest


def held_m(runs: Sequence[Run], m: int) -> int:
    """Return an m that the user wants, if some prompt of each run has as many completions.

    Raises:
        BadInput: No prompt of a run has.
    """
    for run in runs:
        most = max(run.store.counts("sample", run.setting), default=0)
        if m > most:
            raise BadInput(
                f"{run.store.folder}: --m is {m}, and no prompt has more than "
                f"{counted(most, 'completion')}.\nRead as many or fewer, or leave out --m."
            )
    return m


def check_shared(stores: Sequence[Store], groups: Groups) -> None:
    """Raise BadInput where a run has none of the prompts that are read, or is named twice."""
    last = stores[-1]
    for place, store in enumerate(stores[:-1]):
        if any(store.folder.resolve() == each.folder.resolve() for each in stores[place + 1 :]):
            raise BadInput(f"{store.folder} is named twice.\nName each run once.")
        if groups.of.keys().isdisjoint(store.prompt_ids()):
            raise BadInput(
                f"{store.folder} has none of the {counted(len(groups.of), 'prompt')} of "
                f"{last.folder} that are read, so that the two do not compare.\n"
                f"Sample both with the same prompts, worded alike."
            )


def groups_of(store: Store, labels: Mapping[str, bool] | None) -> Groups:
    """Return the groups of a run's prompts: those that labels make, or its sets.

    Raises:
        BadInput: No prompt has a label.
    """
    ids = store.prompt_ids()
    of: dict[str, str]
    if labels is None:
        of = {prompt_id: name for name in reversed(SETS) for prompt_id in store.set_ids(name)}
        return Groups(tuple(name for name in SETS if name in of.values()), of)
    called = {True: "members", False: "non-members"}
    of = {prompt_id: called[labels[prompt_id]] for prompt_id in ids if prompt_id in labels}
    if not of:
        raise BadInput(f"{store.folder}: none of its prompts has a label.\nGive labels of them.")
    return Groups(tuple(name for name in called.values() if name in of.values()), of)
