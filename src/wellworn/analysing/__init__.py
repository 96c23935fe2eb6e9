"""The stage that analyses runs: one model, two, or a series of checkpoints.

All runs are read at the same m and must have been sampled alike; what differs is the model. The
prompts are those of the last run, in its sets or in the groups that labels make of them. The cut
of the modes is chosen on the first run, which should be the base model, and frozen.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from shlex import join

from wellworn.analysing.runs import (
    ALIKE,
    Groups,
    Run,
    check_alike,
    check_shared,
    common_m,
    groups_of,
    held_m,
)
from wellworn.analysis.design import CUTS, Design
from wellworn.analysis.labelling import Item, agreement, asker
from wellworn.analysis.measuring import analysed, structure_of, texts_of
from wellworn.analysis.modes import USUAL, Tree, best_cut
from wellworn.analysis.ngrams import frequent_ngrams
from wellworn.analysis.remarks import (
    at_the_edge,
    cut_short,
    ead_above_one,
    missing,
    unlike_lengths,
)
from wellworn.analysis.results import Agreement, Analysed, Analysis, Checkpoint, Sized
from wellworn.analysis.sets import Neural, across
from wellworn.analysis.tokens import tokenised
from wellworn.analysis.trajectories import (
    contrasts,
    course,
    means,
    sized_across,
    sized_within,
)
from wellworn.backends import Backend
from wellworn.errors import BackendError, Unscorable
from wellworn.judging import setting_for
from wellworn.pipeline import Progress, silent
from wellworn.records import Generation, Record
from wellworn.report.encoding import to_json
from wellworn.report.page.analysis import analysis_page, example_of, example_prompts
from wellworn.store import Store
from wellworn.store.folders import make_folder
from wellworn.tables.values import counted
from wellworn.threads import ordered_map

RESULT, PAGE = "analysis.json", "analysis.html"


def analyse(
    stores: Sequence[Store],
    labels: Mapping[str, bool] | None = None,
    design: Design | None = None,
    neural: Neural | None = None,
    labeller: Backend | None = None,
    on_progress: Progress = silent,
) -> Analysis:
    """Return how worn the paths of runs are.

    Args:
        stores: One or more, the base model or earliest checkpoint first.
        labels: Whether a prompt is a member, by its id; without, the groups are the run's sets.
        design: What is measured.
        neural: Measures by models, by what they are.
        labeller: A model that labels n-grams as well.
        on_progress: Told how many prompts are measured.

    Raises:
        BadInput: Runs do not compare, a run has no completions, or no prompt has a label.
    """
    design = design or Design()
    runs = [Run(store, setting_for(store, design.setting)) for store in stores]
    check_alike(runs, design)
    design = replace(design, m=common_m(runs) if design.m is None else held_m(runs, design.m))
    groups = groups_of(stores[-1], labels)
    check_shared(stores, groups)
    chosen = _chosen_cut(runs[0], groups, design) if design.cut is None else None
    cut = next(each for each in (design.cut, chosen, USUAL) if each is not None)
    frozen = replace(design, cut=cut)
    checkpoints = [_checkpoint(run, groups, frozen, neural or {}, on_progress) for run in runs]
    agreed, failed = _agreement(stores[-1], checkpoints[-1], labeller)
    return Analysis(
        wellworn=version("wellworn"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        parameters=_parameters(runs[-1].setting, design) | {"models": list(neural or {})},
        groups=groups.names,
        cut=cut,
        cut_chosen=chosen is not None,
        checkpoints=tuple(checkpoints),
        course=course(checkpoints, groups.names),
        agreement=agreed,
        warnings=(*ead_above_one(checkpoints, design.vocabulary), *failed),
        notes=(*at_the_edge(chosen), *_notes(stores[-1], groups, checkpoints, bool(labels))),
    )


def write_analysis(
    analysis: Analysis, last: Store, design: Design, folder: Path, command: Sequence[str]
) -> None:
    """Write analysis.json and analysis.html into a folder, which is made if needed.

    Args:
        analysis: What `analyse` found.
        last: The last run, some completions of which the page shows.
        design: How it was measured.
        folder: Where to.
        command: The command that makes it again, word by word.
    """
    make_folder(folder)
    design = replace(design, m=analysis.parameters["m"])
    places = {prompt_id: place for place, prompt_id in enumerate(example_prompts(analysis))}
    items = {item.prompt_id: item for item in analysis.checkpoints[-1].items}
    run = Run(last, setting_for(last, design.setting))
    records = sorted(run.records(places), key=lambda record: places[record.prompt.id])
    examples = [example_of(r, items[r.prompt.id], design, analysis.cut) for r in records]
    page = analysis_page(analysis, join(command), examples)
    (folder / RESULT).write_text(to_json(analysis), encoding="utf-8")
    (folder / PAGE).write_text(page, encoding="utf-8")


def _notes(
    store: Store, groups: Groups, checkpoints: Sequence[Checkpoint], labelled: bool
) -> Iterator[str]:
    if left_out := len(store.prompt_ids()) - len(groups.of):
        what = "a label" if labelled else "a set that is read"
        yield f"{counted(left_out, 'prompt')} of {store.folder} without {what}, left out."
    yield from unlike_lengths(checkpoints[-1], groups.names)
    for checkpoint in checkpoints:
        yield from cut_short(checkpoint)
    yield from missing(checkpoints, len(groups.of))


def _chosen_cut(run: Run, groups: Groups, design: Design) -> float | None:
    """Return the cut at which the prompts of a run have fewest modes against chance.

    None where no prompt of the run tells ways apart.
    """
    records = run.records(groups.of)
    found = ordered_map(lambda record: _trees(record, design), records, _jobs(design))
    return best_cut([trees for trees in found if trees])


def _trees(record: Record, design: Design) -> tuple[Tree, Tree] | None:
    try:
        texts = texts_of(record, design)
        frequent = frequent_ngrams(tokenised(texts), record.prompt.shown, design.n, design.share)
        found = structure_of(texts, frequent, design)
    except Unscorable:
        return None
    return found.tree, found.chance


def _checkpoint(
    run: Run, groups: Groups, design: Design, neural: Neural, on_progress: Progress
) -> Checkpoint:
    cut = design.cut or 0.0
    found = []
    texts: dict[str, dict[str, list[str]]] = {name: {} for name in groups.names}

    def measure(record: Record) -> tuple[Analysed, dict[float, int]]:
        return analysed(record, groups.of[record.prompt.id], design, cut, neural)

    def read() -> Iterator[Record]:
        for record in run.records(groups.of):
            mine = texts[groups.of[record.prompt.id]]
            with suppress(Unscorable):
                mine[record.prompt.id] = texts_of(record, design)
            yield record

    for each in ordered_map(measure, read(), _jobs(design)):
        found.append(each)
        on_progress(f"analysing {run.store.folder}", len(found), len(groups.of))
    items = [item for item, _ in found]
    counts = [cuts for _, cuts in found if cuts]
    return Checkpoint(
        run=str(run.store.folder),
        model=run.setting.model,
        prompts=sum(item.reason is None for item in items),
        diversity=(
            *sized_within(items, groups.names),
            *_across(texts, design, neural),
        ),
        means=means(items, groups.names),
        chance=means(items, groups.names, chance=True),
        contrasts=contrasts(items, groups.names),
        cuts={f"{at}": sum(each[at] for each in counts) / len(counts) for at in CUTS if counts},
        items=tuple(items),
    )


def _across(
    texts: Mapping[str, Mapping[str, Sequence[str]]], design: Design, neural: Neural
) -> Iterator[Sized]:
    def one(group: str) -> list[Sized]:
        return [sized_across(group, *each) for each in across(texts[group], design, neural)]

    for found in ordered_map(one, texts, _jobs(design)):
        yield from found


def _agreement(
    store: Store, checkpoint: Checkpoint, labeller: Backend | None
) -> tuple[Agreement | None, list[str]]:
    """Return how far a model agrees with the rules, and why it said nothing."""
    if labeller is None:
        return None, []
    items = [
        Item(store.prompt(each.prompt_id).shown, phrase.tokens, phrase.category)
        for each in checkpoint.items
        for phrase in each.phrases
    ]
    try:
        return agreement(items, asker(labeller), labeller.identity), []
    except BackendError as error:
        return None, [f"--labeller {labeller.identity} labelled nothing: {error}"]


def _jobs(design: Design) -> int:
    return design.jobs or os.cpu_count() or 1


def _parameters(setting: Generation, design: Design) -> dict[str, object]:
    how = {name: value for name, value in asdict(design).items() if name not in ("jobs", "cut")}
    sampled = {name: getattr(setting, name) for name in ALIKE}
    return how | {"setting": setting.id} | sampled
