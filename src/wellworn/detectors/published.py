"""What the published code of RL-MIA computes, number by number (code of arXiv 2510.09259).

github.com/yongding-tao/RL-Data-Contamination is what the tables of that paper, and by all signs
the baselines of arXiv 2602.11792, were made with. It departs from the definitions that it
names. Each detector here gives its numbers, and its score follows its direction; so the AUC of
`min-k-published` is 1 minus that of `min-k`. Use them to compare with published tables, and for
nothing else. They read the model's own greedy answer, whatever `--target` says.

- Tokens whose log-probability is unknown are left out; fewer than five leave Min-K% nothing.
- `min-k-published` returns the mean of the lowest log-probabilities with the sign turned, as if
  surprise were a sign of training.
- `min-k++-published` takes the moments over the top tokens without renormalising, and pairs
  tokens and moments by position after the unknown ones were dropped: from the first one on
  they are out of step.
- `recall-published` divides the likelihood of the answer to the perturbed prompt by that of the
  answer to the prompt: two different texts.
- `cdd-published` cuts to 100 tokens only if the shorter answer is longer than that, and its
  threshold is a share of the mean uncut length: from 2,000 tokens on every sample passes.
"""

from collections.abc import Sequence
from math import fsum, isnan
from typing import Any

from wellworn.detectors.answers import answer_to, signals_of
from wellworn.detectors.base import Detector, Measured, Options, falling, rising
from wellworn.detectors.cdd import COMPARED, peak
from wellworn.detectors.entropies import top_sums
from wellworn.detectors.min_k import standardised
from wellworn.detectors.perplexity import perplexity_of
from wellworn.distance import distance
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.probes.wording import VERSION
from wellworn.records import Record

SOURCE = "code of arXiv 2510.09259"


def perplexity(record: Record) -> float:
    """Return the perplexity of the greedy answer's tokens of known log-probability."""
    return perplexity_of(_known(record, "greedy"))


def min_k(record: Record, *, lowest: float) -> float:
    """Return minus the mean of the lowest share of the known log-probabilities."""
    return -_mean_of_lowest(_known(record, "greedy"), lowest)


def min_k_plus_plus(record: Record, *, lowest: float, top_k: int | None) -> Measured:
    """Return the mean of the lowest share of z, with moments over the top tokens."""
    known, sums = _known(record, "greedy"), top_sums(signals_of(record, "greedy"), top_k)
    value = _mean_of_lowest(standardised(known, sums.entropy, sums.second_moment), lowest)
    return Measured(value, found={"moments": f"top {sums.top_k}"})


def recall(record: Record, *, wording: int) -> float:
    """Return the mean log-likelihood of the perturbed answer by that of the greedy one."""
    perturbed, own = (
        fsum(known) / len(known) for known in (_known(record, p) for p in ("perturbed", "greedy"))
    )
    if own == 0:
        raise Unscorable("every token of the greedy answer is certain")
    return perturbed / own


def cdd(record: Record, *, alpha: float) -> float:
    """Return the share of samples that are near the greedy answer, as this code has it."""
    answers = [answer_to(record, "greedy"), *record.completions("sample")]
    if any(answer.token_ids is None for answer in answers):
        raise Unscorable("an answer has no token ids; `cdd` reads words in their place")
    written = (answer.view("full").strip() for answer in answers)
    greedy, *samples = (
        (answer.token_ids or ()) if text else ()
        for answer, text in zip(answers, written, strict=True)
    )
    filled = [sample for sample in samples if sample]
    if not greedy or not filled:
        raise Unscorable("the greedy answer is empty, or all samples are")
    threshold = alpha * sum(map(len, [greedy, *samples])) / len(answers)
    return peak([_cut_distance(greedy, sample) for sample in filled], threshold)


def _cut_distance(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the distance of two answers, both cut only if both are longer than the limit."""
    if min(len(a), len(b)) > COMPARED:
        return distance(a[:COMPARED], b[:COMPARED])
    return distance(a, b)


def _known(record: Record, probe: str) -> tuple[float, ...]:
    """Return the log-probabilities that are known; one at least."""
    known = tuple(lp for lp in signals_of(record, probe).logprobs if not isnan(lp))
    if not known:
        raise Unscorable(f"no token of the answer to '{probe}' has a known log-probability")
    return known


def _mean_of_lowest(values: Sequence[float], lowest: float) -> float:
    count = int(len(values) * lowest)
    if not count:
        raise Unscorable(
            f"{lowest:g} of {len(values)} known tokens is less than one; `min-k` reads one at least"
        )
    return fsum(sorted(values)[:count]) / count


def _lowest(options: Options, m: int) -> dict[str, Any]:
    return {"lowest": options.lowest}


def _lowest_and_top(options: Options, m: int) -> dict[str, Any]:
    return {"lowest": options.lowest, "top_k": options.top_k}


def _greedy(options: Options, m: int) -> tuple[Need, ...]:
    return (Need("greedy", signals=True),)


PERPLEXITY = Detector(
    name="perplexity-published",
    summary="perplexity of the greedy answer, unknown tokens left out",
    paper=SOURCE,
    measure=perplexity,
    score=falling,
    orientation="-value",
    parameters=lambda options, m: {},
    needs=_greedy,
    requires=("answers", "log-probabilities"),
)
MIN_K = PERPLEXITY._replace(
    name="min-k-published",
    summary="minus the mean of the lowest log-probabilities: the sign is turned",
    measure=min_k,
    score=rising,
    orientation="value",
    parameters=_lowest,
)
PLUS_PLUS = MIN_K._replace(
    name="min-k++-published",
    summary="Min-K%++ with moments over the top tokens, out of step after unknown ones",
    measure=min_k_plus_plus,
    parameters=_lowest_and_top,
    requires=("answers", "log-probabilities", "top log-probabilities"),
)
RECALL = MIN_K._replace(
    name="recall-published",
    summary="likelihood of the answer amid small talk by that of the greedy answer",
    measure=recall,
    parameters=lambda options, m: {"wording": VERSION},
    needs=lambda options, m: (Need("greedy", signals=True), Need("perturbed", signals=True)),
)
CDD = MIN_K._replace(
    name="cdd-published",
    summary="CDD with a threshold on uncut lengths",
    measure=cdd,
    parameters=lambda options, m: {"alpha": options.alpha},
    needs=lambda options, m: (Need("sample", m), Need("greedy")),
    requires=("answers", "token ids"),
)
