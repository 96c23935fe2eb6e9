"""How different texts are in their words: EAD, distinct-n, compression, self-BLEU, edit distance.

EAD (Liu et al. 2022) is the number of distinct units over that which so many random draws from a
vocabulary would give: N / (V (1 - ((V - 1) / V)^C)). As in the code that Kirk et al. (2024)
published, units are n-grams and the value is the mean over n = 1 to 5 at one V. The space of
n-grams is larger than V, so that the value can exceed 1 for n of 2 and more: it then compares only
with others of the same V and about as many tokens, and the report warns.

Self-BLEU (Zhu et al. 2018) is the mean BLEU-4 of each text against all others. Its score is
sacrebleu's, with effective order and exponential smoothing as for sentences; the counts behind it
are ours, since every text is a reference of every other. Compression is the ratio of the texts'
bytes to gzip's (Shaib et al. 2024); gzip looks back 32 kB, so that repetitions further apart go
unnoticed. The edit distance is normalised by the longer text.

EAD, distinct-n and the edit distance are higher where texts are more diverse; self-BLEU and
compression are lower.
"""

import zlib
from collections.abc import Sequence
from math import expm1, log1p

import numpy as np

from wellworn.errors import Unscorable

ORDERS = range(1, 6)
"""The n over which EAD is averaged."""
_BLEU = 4
_LEVEL, _GZIP = 9, 31


def ead(distinct: int, total: int, vocabulary: int) -> float:
    """Return the expectation-adjusted share of distinct units, above 0.

    Raises:
        Unscorable: There are no units.

    >>> round(ead(10_000, 10_000, 50_257), 4)
    1.1028
    """
    if not total:
        raise Unscorable("the completions are too short: they hold no n-gram")
    return distinct / (-vocabulary * expm1(total * log1p(-1 / vocabulary)))


def distinct_n(distinct: int, total: int) -> float:
    """Return the share of n-grams that are different, in (0, 1].

    Raises:
        Unscorable: There are none.
    """
    if not total:
        raise Unscorable("the completions are too short: they hold no n-gram")
    return distinct / total


def compression_ratio(texts: Sequence[str]) -> float:
    """Return how many times larger the texts are than what gzip makes of them.

    Raises:
        Unscorable: All are empty.
    """
    data = "\n".join(texts).encode("utf-8", "surrogatepass")
    if not data.strip():
        raise Unscorable("all completions are empty")
    return len(data) / len(zlib.compress(data, _LEVEL, _GZIP))


def self_bleu(counts: Sequence[np.ndarray], lengths: np.ndarray) -> float:
    """Return the mean BLEU-4 of each text against all others, in [0, 100].

    Args:
        counts: int[m, g] of the n-grams of 1, 2, 3 and 4 tokens.
        lengths: int[m], tokens of each text.

    Raises:
        Unscorable: There are fewer than two texts.
    """
    from sacrebleu.metrics import BLEU

    m = len(lengths)
    if m < 2:
        raise Unscorable(f"self-BLEU needs two completions; there are {m}")
    matched = np.array([_matches(each) for each in counts]).T
    totals = np.array([each.sum(axis=1) for each in counts]).T
    scores = [
        BLEU.compute_bleu(
            correct=matched[place].tolist(),
            total=totals[place].tolist(),
            sys_len=int(length),
            ref_len=_nearest(int(length), np.delete(lengths, place)),
            smooth_method="exp",
            effective_order=True,
        ).score
        for place, length in enumerate(lengths)
    ]
    return float(np.mean(scores))


def _matches(counts: np.ndarray) -> np.ndarray:
    """Return how many n-grams of each text another one has, as often at most as it has them."""
    shared = counts[:, np.count_nonzero(counts, axis=0) > 1]
    if not shared.size:
        return np.zeros(len(counts), int)
    second, most = np.partition(shared, len(shared) - 2, axis=0)[-2:]
    others = np.where(shared == most, second, most)
    return np.asarray(np.minimum(shared, others).sum(axis=1))


def _nearest(length: int, others: np.ndarray) -> int:
    """Return the length that is nearest, of two the shorter."""
    return int(min(others.tolist(), key=lambda other: (abs(other - length), other)))


def mean_distance(distances: np.ndarray) -> float:
    """Return the mean of the distances of all pairs, in [0, 1].

    Raises:
        Unscorable: There are fewer than two texts.
    """
    if len(distances) < 2:
        raise Unscorable(f"a distance needs two completions; there are {len(distances)}")
    return float(distances[np.triu_indices(len(distances), k=1)].mean())
