"""The dual-stage analysis: does a detector see RL, or what pretraining had seen already?

Items that the model finds easy may have been in its pretraining. So keep those that it finds
hard, by a proxy (a perplexity), and see whether the AUC holds on them. Self-Critique (arXiv
2510.09259) keeps the items whose aligned score, minus the perplexity, is at most its
q-quantile: q = 1 keeps all, q = 0.1 the tenth with the highest perplexity.

Its proxy is the perplexity of the tuned model's own response, so that one response makes both
the selection and the score, and its control is a single random subset of as many items, of any
class. On 100 items, the AUC of ten at random has a standard deviation of 0.2. Ours: any proxy,
better the perplexity of the prompt under the base model; and many random subsets with as many
members and as many others as were kept. Ten nested subsets are ten looks at the same data.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from wellworn.errors import BadInput

QUANTILES = tuple(tenth / 10 for tenth in range(10, 0, -1))
DRAWS = 1_000
"""Random controls at each quantile."""
PUBLISHED_SEED = 2025
"""Seed of the single control of the paper's code."""


class Control(msgspec.Struct, frozen=True, kw_only=True):
    """The AUC of random subsets with as many members and as many others."""

    mean: float
    low: float
    """5 % of the controls lie below."""
    high: float
    """5 % of the controls lie above."""
    below: float
    """Share of the controls that lie below the AUC of the kept items, ties counting half."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of an AUC where the easier items are left out."""

    quantile: float
    members: int
    """Members among the items that are kept."""
    others: int
    auc: float | None = None
    """AUC on the items that are kept."""
    control: Control | None = None
    published: float | None = None
    """AUC of the paper's control: one subset of as many items, of any class. Which items that
    draws depends on their order."""
    reason: str | None = None
    """Why there is no AUC."""


class DualStage(msgspec.Struct, frozen=True, kw_only=True):
    """A detector's AUC by how hard the items are to the model."""

    stages: tuple[Stage, ...]
    left_out: int
    """Items without a finite proxy or without a finite score."""
    draws: int
    """Controls at each quantile."""
    seed: int
    """Seed of the controls."""


def dual_stage(
    proxies: Sequence[float],
    scores: Sequence[float],
    labels: Sequence[bool],
    *,
    quantiles: Sequence[float] = QUANTILES,
    draws: int = DRAWS,
    seed: int = 0,
) -> DualStage:
    """Return the AUC on the items with the highest perplexity, by quantile.

    Args:
        proxies: Perplexity of each item, or its logarithm: higher means seen less before RL.
        scores: A detector's score of each item: higher means more likely trained on.
        labels: Whether each item was trained on.
        quantiles: Shares of the items to keep, each above 0 and at most 1.
        draws: Random controls at each quantile.
        seed: Their seed.

    Raises:
        BadInput: The three differ in length, a quantile is out of range, there are no draws,
            or no item has both a proxy and a score.
    """
    proxy, score, member = np.asarray(proxies, float), np.asarray(scores, float), np.array(labels)
    _check((len(proxy), len(score), len(member)), quantiles, draws)
    finite = np.isfinite(proxy) & np.isfinite(score)
    if not finite.any():
        raise BadInput(f"none of {len(proxy)} items has both a proxy and a score.\nScore them.")
    aligned, score, member = -proxy[finite], score[finite], member[finite].astype(bool)
    generator = np.random.default_rng(seed)
    stages = []
    for quantile in quantiles:
        kept = aligned <= np.quantile(aligned, quantile)
        stages.append(_stage(quantile, kept, score, member, (generator, draws)))
    left_out = int((~finite).sum())
    return DualStage(stages=tuple(stages), left_out=left_out, draws=draws, seed=seed)


def auc_of(members: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the AUC of scores, ties counting half; many at once, [draws, n1] and [draws, n2].

    >>> auc_of(np.array([[2.0, 3.0]]), np.array([[1.0, 2.0]]))
    array([0.875])
    """
    from scipy.stats import rankdata

    n1, n2 = members.shape[-1], others.shape[-1]
    ranks = rankdata(np.concatenate([members, others], axis=-1), axis=-1)
    return np.asarray((ranks[..., :n1].sum(axis=-1) - n1 * (n1 + 1) / 2) / (n1 * n2))


def _stage(
    quantile: float,
    kept: np.ndarray,
    score: np.ndarray,
    member: np.ndarray,
    drawing: tuple[np.random.Generator, int],
) -> Stage:
    n1, n2 = int((kept & member).sum()), int((kept & ~member).sum())
    stage = Stage(quantile=quantile, members=n1, others=n2)
    if not n1 or not n2:
        reason = f"an AUC needs both classes; the kept items are {n1} members and {n2} others"
        return msgspec.structs.replace(stage, reason=reason)
    auc = float(auc_of(score[kept & member], score[kept & ~member]))
    controls = auc_of(
        _subsets(score[member], n1, *drawing),
        _subsets(score[~member], n2, *drawing),
    )
    return msgspec.structs.replace(
        stage,
        auc=auc,
        control=_control(controls, auc),
        published=_published(score, member, n1 + n2),
    )


def _subsets(
    scores: np.ndarray, size: int, generator: np.random.Generator, draws: int
) -> np.ndarray:
    """Return `draws` random subsets of scores without replacement, [draws, size]."""
    return generator.permuted(np.tile(scores, (draws, 1)), axis=1)[:, :size]


def _control(controls: np.ndarray, auc: float) -> Control:
    low, high = np.quantile(controls, [0.05, 0.95])
    near = np.isclose(controls, auc, rtol=0, atol=1e-12)
    return Control(
        mean=float(controls.mean()),
        low=float(low),
        high=float(high),
        below=float(np.where(near, 0.5, controls < auc).mean()),
    )


def _published(score: np.ndarray, member: np.ndarray, size: int) -> float | None:
    """Return the AUC of the paper's control; None if it happens to hold one class only."""
    drawn = np.random.default_rng(PUBLISHED_SEED).choice(len(score), size=size, replace=False)
    chosen, is_member = score[drawn], member[drawn]
    if is_member.all() or not is_member.any():
        return None
    return float(auc_of(chosen[is_member], chosen[~is_member]))


def _check(lengths: tuple[int, int, int], quantiles: Sequence[float], draws: int) -> None:
    if len(set(lengths)) > 1:
        raise BadInput(
            f"the dual stage has {lengths[0]} proxies, {lengths[1]} scores and {lengths[2]} "
            f"labels.\nGive one of each for every item; NaN stands for what is missing."
        )
    wrong = [quantile for quantile in quantiles if not 0 < quantile <= 1]
    if wrong or draws < 1:
        raise BadInput(
            f"the dual stage keeps shares of the items above 0 and at most 1, and draws 1 control "
            f"or more; asked for: {wrong or 'shares in range'}, {draws} draws."
        )
