"""Prompts whose completions the page shows, and what it shows of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wellworn.analysis.design import Design
from wellworn.analysis.measuring import structure_of, texts_of
from wellworn.analysis.modes import least_stable
from wellworn.analysis.ngrams import Category, frequent_ngrams
from wellworn.analysis.results import Analysed, Analysis, Mode
from wellworn.analysis.skeletons import steps
from wellworn.analysis.tokens import tokenised
from wellworn.records import Record
from wellworn.report.page.analysis.aligned import Cell, Row, aligned
from wellworn.report.page.analysis.dendrogram import Dendrogram, dendrogram
from wellworn.report.page.analysis.heat import TEXT, Segment, heat

MODES = 3
"""Modes that stand side by side."""
STEPS = 40
"""Steps of a medoid that are shown."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A prompt and the ways that its completions go."""

    item: Analysed
    m: int
    segments: list[Segment]
    """The medoid of the largest mode, coloured."""
    medoid: int
    counts: dict[Category, int]
    """Frequent n-grams by category."""
    tree: Dendrogram
    modes: list[Mode]
    rows: list[Row]
    singles: int
    """Completions in modes that are not stable."""
    left_out: int
    """Characters of the medoid that are not shown."""
    longer: bool
    """Whether a medoid has more steps than are shown."""


def example_prompts(analysis: Analysis) -> list[str]:
    """Return ids of prompts of the last run: most worn, middling and least worn of each group.

    How worn is told by the entropy of the modes.
    """
    chosen: list[str] = []
    for group in analysis.groups:
        items = [
            item
            for item in analysis.checkpoints[-1].items
            if item.group == group and "mode entropy" in item.measures and item.modes
        ]
        items.sort(key=lambda item: (item.measures["mode entropy"], item.prompt_id))
        places = dict.fromkeys((0, len(items) // 2, len(items) - 1)) if items else {}
        chosen += [items[place].prompt_id for place in places]
    return chosen


def example_of(record: Record, item: Analysed, design: Design, cut: float) -> Example:
    """Return what is shown of a prompt that was measured, and has a stable mode.

    Args:
        record: The prompt and its completions.
        item: What was found of it.
        design: How it was measured.
        cut: Distance up to which completions are joined.
    """
    texts = texts_of(record, design)
    frequent = frequent_ngrams(tokenised(texts), record.prompt.shown, design.n, design.share)
    tree = structure_of(texts, frequent, design).tree
    modes = tree.modes(cut)
    shown = list(item.modes[:MODES])
    return Example(
        item=item,
        m=len(texts),
        segments=heat(texts[shown[0].medoid], frequent, len(texts)),
        medoid=shown[0].medoid,
        counts=dict(Counter(frequent.categories)),
        tree=dendrogram(tree, modes, cut),
        modes=shown,
        rows=aligned([list(_cells(texts[mode.medoid], mode)) for mode in shown]),
        singles=_outside(modes),
        left_out=max(0, len(texts[shown[0].medoid]) - TEXT),
        longer=any(len(steps(texts[mode.medoid])) > STEPS for mode in shown),
    )


def _outside(modes: np.ndarray) -> int:
    sizes = np.bincount(modes)
    return int(sizes[sizes < least_stable(len(modes))].sum())


def _cells(text: str, mode: Mode) -> Iterator[Cell]:
    shares = {step.text: step.share for step in mode.skeleton}
    every: Sequence[str] = steps(text)
    for step in every[:STEPS]:
        yield Cell(step, shares.get(step))
