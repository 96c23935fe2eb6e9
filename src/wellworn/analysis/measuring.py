"""One prompt's completions, measured: diversity, frequent n-grams, modes.

Completions are read as detectors read them: the same view, and as many of every prompt. A prompt
with fewer, or with hidden reasoning, has a reason instead.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from wellworn.analysis import modes as clustering
from wellworn.analysis import ngrams as frequency
from wellworn.analysis.design import CUTS, Design
from wellworn.analysis.modes import Tree, jaccard, tree_of
from wellworn.analysis.ngrams import CATEGORIES, Frequent, frequent_ngrams
from wellworn.analysis.results import Analysed, Mode, Phrase, Step
from wellworn.analysis.sets import LEXICAL, Neural, Wording, within
from wellworn.analysis.skeletons import skeletons
from wellworn.analysis.tokens import tokenised
from wellworn.detectors.min_knn import default_k
from wellworn.detectors.sample_signals import sample_entropy
from wellworn.distance import distance_matrix
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record
from wellworn.scoring.counts import counts_of, is_spoilt
from wellworn.scoring.task import settled

SHOWN = 400
"""Characters of a prompt that are kept."""
PHRASES = 20
"""Frequent n-grams of each category that are kept."""
_SHORT = "the completions are too short for its n-grams"


class Structure(NamedTuple):
    """What modes are made of, and how completions are joined."""

    features: np.ndarray
    """bool[m, g], which completion has which frequent symbolic n-gram."""
    distances: np.ndarray
    """float[m, m]"""
    tree: Tree
    chance: Tree
    """The same after a shuffle."""


def texts_of(record: Record, design: Design) -> list[str]:
    """Return the texts of a record's first m completions.

    Raises:
        Unscorable: There are fewer, the view is hidden, or several are empty or filtered, which
            are alike for no reason.
    """
    samples = _samples(record, design)
    counts = counts_of(samples, design.view)
    if is_spoilt(counts):
        lost = counts.empty + counts.filtered
        raise Unscorable(
            f"{lost} of {len(samples)} completions are empty or filtered, and alike for no reason"
        )
    return [sample.view(design.view) for sample in samples]


def _samples(record: Record, design: Design) -> Sequence[Completion]:
    samples = settled(record.completions("sample"))
    wanted = design.m or len(samples)
    if len(samples) < wanted or not samples:
        raise Unscorable(f"{len(samples)} of {wanted} completions are there")
    return samples[:wanted]


def structure_of(
    texts: Sequence[str], frequent: Frequent, design: Design, edits: np.ndarray | None = None
) -> Structure:
    """Return how completions are joined.

    Args:
        texts: The completions.
        frequent: Their frequent n-grams.
        design: By what they are joined.
        edits: Their edit distances, if they are known.

    Raises:
        Unscorable: There are fewer than two, or they differ, and share no symbolic n-gram by
            which they could be told apart.
    """
    random = Random(len(texts))
    features = frequent.counts[:, frequent.among("symbolic")] > 0
    if design.feature == "ngrams" and not features.size and len({*texts}) > 1:
        raise Unscorable("no symbolic n-gram is frequent, so that nothing tells ways apart")
    if design.feature == "edit":
        distances = distance_matrix(texts, normalized=True) if edits is None else edits
        chance = clustering.shuffled_distances(distances, random)
    else:
        distances = jaccard(features)
        chance = jaccard(clustering.shuffled_features(features, random))
    trees = (tree_of(each, design.linkage, texts) for each in (distances, chance))
    return Structure(features, distances, *trees)


def analysed(
    record: Record, group: str, design: Design, cut: float, neural: Neural | None = None
) -> tuple[Analysed, dict[float, int]]:
    """Return what is found of a prompt, and its number of modes at every cut of `CUTS`."""
    shown = record.prompt.shown
    found = Analysed(prompt_id=record.prompt.id, group=group, prompt=shown[:SHOWN])
    try:
        texts = texts_of(record, design)
        wording = Wording(texts, design)
        sized = within(wording, len(texts))
        tokens = wording.tokens if design.tokens == "math" else tokenised(texts)
        frequent = frequent_ngrams(tokens, shown, design.n, design.share)
        lengths = [len(ids) for ids in tokens.ids]
        repeated = frequency.measures_of(frequent, sum(lengths))
    except Unscorable as error:
        return replace(found, reason=str(error)), {}
    modelled, lacking = _modelled(record, texts, neural or {})
    short = {name: _SHORT for name in LEXICAL if name not in sized[len(texts)]}
    found = replace(
        found,
        measures={
            **sized[len(texts)],
            "min-knn": _nearest(wording.distances),
            **modelled,
            **repeated,
            "length": sum(lengths) / len(texts),
            **_truncated(record, design),
        },
        lacking=short | lacking,
        phrases=tuple(_phrases(frequent)),
        sized=sized | {len(texts): sized[len(texts)] | modelled},
    )
    try:
        structure = structure_of(texts, frequent, design, wording.distances)
    except Unscorable as error:
        return replace(found, lacking={**found.lacking, "modes": str(error)}), {}
    return _with_modes(found, texts, structure, design, cut)


def _with_modes(
    found: Analysed, texts: Sequence[str], structure: Structure, design: Design, cut: float
) -> tuple[Analysed, dict[float, int]]:
    modes = structure.tree.modes(cut)
    bare = float((~structure.features.any(axis=1)).mean())
    found = replace(
        found,
        measures={**found.measures, **clustering.measures_of(modes), "bare completions": bare},
        chance=clustering.measures_of(structure.chance.modes(cut)),
        modes=tuple(_modes(texts, structure.distances, modes, design.n)),
    )
    return found, {at: int(structure.tree.modes(at).max()) + 1 for at in CUTS}


def _truncated(record: Record, design: Design) -> dict[str, float]:
    """Return the share of the completions that were cut at the most tokens, if that is known."""
    counts = counts_of(_samples(record, design), design.view)
    known = counts.completions - counts.finish_unknown
    return {"truncated": counts.truncated / known} if known else {}


def _nearest(distances: np.ndarray) -> float:
    """Return the Min-kNN Distance of characters, with the paper's share of k."""
    others = distances + 2 * np.eye(len(distances))
    return float(np.sort(others.min(axis=1))[: default_k(len(distances))].mean())


def _modelled(
    record: Record, texts: Sequence[str], neural: Neural
) -> tuple[dict[str, float], dict[str, str]]:
    """Return what models say of the texts, and why they say nothing."""
    values: dict[str, float] = {}
    lacking = {}

    def entropy(texts: Sequence[str]) -> dict[str, float]:
        samples = record.completions("sample")[: len(texts)]
        bare = replace(record, probes={"sample": samples})
        return {"token entropy": sample_entropy(bare, entropy="auto", top_k=None).value}

    for name, measure in {"token entropy": entropy, **neural}.items():
        try:
            values |= measure(texts)
        except Unscorable as error:
            lacking[name] = str(error)
    return values, lacking


def _phrases(frequent: Frequent) -> list[Phrase]:
    spread, total = frequent.spread.tolist(), frequent.counts.sum(axis=0).tolist()
    kept = [
        place
        for category in CATEGORIES
        for place in np.flatnonzero(frequent.among(category))[:PHRASES].tolist()
    ]
    return [
        Phrase(
            tokens=frequent.grams[place],
            category=frequent.categories[place],
            completions=spread[place],
            occurrences=total[place],
        )
        for place in sorted(kept)
    ]


def _modes(texts: Sequence[str], distances: np.ndarray, modes: np.ndarray, n: int) -> list[Mode]:
    least = clustering.least_stable(len(texts))
    return [
        Mode(
            members=tuple(found.members),
            medoid=found.medoid,
            skeleton=tuple(Step(text=text, share=share) for text, share in found.steps),
        )
        for found in skeletons(texts, distances, modes, n, least)
    ]
