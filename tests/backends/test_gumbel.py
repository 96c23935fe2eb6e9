"""Noise makes a greedy decoder sample: from the right distribution, each row by its own seed."""

import numpy as np
import pytest
from scipy.stats import chisquare

from wellworn.backends.gumbel import Chooser, nucleus
from wellworn.errors import BackendError
from wellworn.records import Generation

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LOGITS = torch.tensor([2.0, 1.5, 1.0, 0.0, -1.0, -3.0])


def chooser(seeds, **parameters):
    return Chooser(Generation(model="m", **parameters), seeds, torch.device("cpu"))


def choices(seeds, logits=LOGITS, **parameters):
    rows = logits.expand(len(seeds), -1)
    return chooser(seeds, **parameters)(None, rows).argmax(-1).tolist()


@pytest.mark.parametrize(
    ("temperature", "top_p"), [(1.0, 1.0), (0.7, 1.0), (None, None), (1.5, 0.9), (0.7, 0.8)]
)
def test_tokens_come_as_often_as_their_probability_says(temperature, top_p):
    drawn = choices(range(20_000), temperature=temperature, top_p=top_p)
    scores = LOGITS[None] / (temperature or 1.0)
    if top_p is not None:
        scores = transformers.TopPLogitsWarper(top_p)(None, scores)
    expected = scores.double().softmax(-1)[0].numpy() * len(drawn)
    counts = np.bincount(drawn, minlength=len(LOGITS))
    possible = expected > 0
    assert not counts[~possible].any()
    assert chisquare(counts[possible], expected[possible]).pvalue > 0.001


def test_a_row_draws_the_same_in_any_company():
    together = choices([5, 6, 7, 8], temperature=1.0)
    assert together == [choices([seed], temperature=1.0)[0] for seed in (5, 6, 7, 8)]
    assert together == choices([8, 7, 6, 5], temperature=1.0)[::-1]


def test_each_step_draws_anew():
    one = chooser([3], temperature=1.0)
    flat = torch.zeros(1, 1000)
    assert len({one(None, flat).argmax(-1).item() for _ in range(5)}) == 5


def test_temperature_zero_takes_the_likeliest_whatever_the_seed():
    assert choices(range(50), temperature=0, top_p=0.5) == [0] * 50


@pytest.mark.parametrize("spread", [0.1, 5.0], ids=["beyond the head", "within the head"])
@pytest.mark.parametrize("top_p", [0.0, 0.5, 0.95, 0.999])
def test_the_nucleus_is_that_of_transformers(spread, top_p):
    scores = torch.randn(4, 5000, generator=torch.Generator().manual_seed(1)) * spread
    theirs = transformers.TopPLogitsWarper(top_p)(None, scores.double())
    ours = nucleus(scores.double(), top_p)
    assert torch.equal(ours, theirs)


def test_equally_probable_tokens_are_in_the_nucleus_together():
    assert nucleus(torch.tensor([[1.0, 0.0, 0.0, -9.0]]), 0.6).isfinite().tolist() == [
        [True, True, True, False]
    ]


def test_signals_are_cut_to_the_length_of_each_answer():
    watching = chooser([1, 2], temperature=1.0, top_logprobs=20)
    for _ in range(3):
        watching(None, LOGITS.expand(2, -1))
    short, long = watching.signals([0, 3])
    assert short.logprobs == short.entropy == short.mass == short.second_moment == ()
    assert long.mass == (1.0, 1.0, 1.0)
    assert len(long.logprobs) == len(long.entropy) == len(long.second_moment) == 3
    assert long.top_k is None


def test_without_log_probabilities_there_are_no_signals():
    idle = chooser([1], temperature=1.0)
    idle(None, LOGITS[None])
    assert idle.signals([1]) == [None]


def test_broken_logits_are_an_error_and_not_a_sample():
    with pytest.raises(BackendError, match=r"^m: the logits are NaN; .*\nTry --device cpu"):
        choices([1], torch.tensor([0.0, float("nan")]), temperature=1.0)
