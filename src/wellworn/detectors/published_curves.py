"""What the published code of RL-MIA computes from entropies (code of arXiv 2510.09259).

As `self-critique`, `entropy-noise` and `entropy-temp`, with the entropy that this code takes
whatever its options say: the sum of -p ln p over the top tokens of a step, raw. The published
runs keep the top 50; here it is what was asked for, and what was found says how many. Wording
and small talk around the prompt are ours but for the published critique.

- `entropy-noise-published` ranks likeness downwards, against its own comment.
- `entropy-temp-published` skips samples without tokens. Of samples of a local model the sums over
  the whole vocabulary alone are kept: the raw sum over as many tokens, which is the full entropy.
- An answer of one token has a curve.
"""

from typing import Any

from wellworn.detectors import entropy_noise, entropy_temp, self_critique
from wellworn.detectors.answers import signals_of
from wellworn.detectors.base import EntropyMode, Measured, Options, falling
from wellworn.detectors.curves import likeness, measured
from wellworn.detectors.entropies import curve_of
from wellworn.detectors.published import SOURCE
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.probes.wording import VERSION
from wellworn.records import Record


def critique_likeness(record: Record, *, top_k: int | None) -> Measured:
    """Return how alike the greedy answer and the one after the published critique run."""
    return _likeness(record, "critique-published", top_k)


def unanchored_likeness(record: Record, *, wording: int, top_k: int | None) -> Measured:
    """Return how alike the greedy answer and an unusual one run."""
    return _likeness(record, "unanchored", top_k)


def noise_likeness(record: Record, *, wording: int, top_k: int | None) -> Measured:
    """Return how alike the greedy answers to the prompt and to it amid small talk run."""
    return _likeness(record, "perturbed", top_k)


def temp_likeness(record: Record, *, top_k: int | None) -> Measured:
    """Return how alike and how evenly the samples that have tokens run to the greedy answer."""
    answer = signals_of(record, "greedy")
    signals = [sample.signals for sample in record.completions("sample")]
    written = [each for each in signals if each and each.logprobs]
    if not written:
        raise Unscorable("there is no sample with log-probabilities")
    whole = top_k is None and all(each.top_k is None and not each.tops for each in written)
    mode: EntropyMode = "full" if whole else "raw"
    greedy = curve_of(answer, mode, top_k)
    curves = [curve_of(each, mode, top_k) for each in written]
    return entropy_temp.evenly_alike([likeness(greedy, c).value for c in curves], greedy.kind)


def _likeness(record: Record, probe: str, top_k: int | None) -> Measured:
    first, second = (curve_of(signals_of(record, p), "raw", top_k) for p in ("greedy", probe))
    return measured(likeness(first, second), first)


def _top(options: Options, m: int) -> dict[str, Any]:
    return {"top_k": options.top_k}


def _top_and_wording(options: Options, m: int) -> dict[str, Any]:
    return {"top_k": options.top_k, "wording": VERSION}


CRITIQUE = self_critique.DETECTOR._replace(
    name="self-critique-published",
    summary="Self-Critique on raw entropies of the top tokens",
    paper=SOURCE,
    measure=critique_likeness,
    parameters=_top,
    needs=lambda options, m: (Need("greedy", 1, True), Need("critique-published", 1, True)),
)
UNANCHORED = self_critique.UNANCHORED._replace(
    name="self-critique-unanchored-published",
    summary="the ablation without an anchor on raw entropies of the top tokens",
    paper=SOURCE,
    measure=unanchored_likeness,
    parameters=_top_and_wording,
)
NOISE = entropy_noise.DETECTOR._replace(
    name="entropy-noise-published",
    summary="Entropy-Noise on raw entropies, with the direction turned",
    paper=SOURCE,
    measure=noise_likeness,
    score=falling,
    orientation="-value",
    parameters=_top_and_wording,
)
TEMP = entropy_temp.DETECTOR._replace(
    name="entropy-temp-published",
    summary="Entropy-Temp on raw entropies, samples without tokens skipped",
    paper=SOURCE,
    measure=temp_likeness,
    parameters=_top,
)
