"""Quirks of the published code, by hand; the golden values are in test_golden.py."""

from math import exp, log

import msgspec
import pytest

from signalled import answer, asked, of_distributions, top, whole
from wellworn.detectors import Options, load
from wellworn.detectors.published import min_k, min_k_plus_plus, perplexity, recall
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Completion, Record, Signals, chat

TWO = [log(0.5), log(0.25)]
"""Raw entropy ln 2; the raw second moment is (ln 2)^2 * 1.5."""


def said(*logprobs, top_k=1):
    return answer(top([TWO[:top_k]] * len(logprobs), logprobs, top_k))


def test_unknown_tokens_are_left_out():
    record = asked(greedy=said(-1, None, -3), perturbed=said(-5, None))
    assert perplexity(record) == pytest.approx(exp(2))
    assert recall(record, wording=1) == pytest.approx(2.5)


def test_the_sign_of_min_k_is_turned_and_less_than_one_token_is_none():
    record = asked(greedy=said(-1, -9, -2, -6, -3))
    assert min_k(record, lowest=0.2) == 9
    assert load("min-k-published").score(9) == 9
    short = asked(greedy=said(-1, -9, -2, -6, None))
    with pytest.raises(Unscorable, match=r"^0.2 of 4 known tokens is less than one; `min-k` reads"):
        min_k(short, lowest=0.2)


def test_moments_are_those_of_the_top_out_of_step_after_an_unknown_token():
    flat, sharp = TWO, [log(0.9), log(0.05)]
    record = asked(greedy=answer(top([flat, sharp, flat], [None, log(0.9), log(0.5)], 2)))
    moments = [
        (sum(exp(lp) * lp for lp in step), sum(exp(lp) * lp * lp for lp in step))
        for step in (flat, sharp)  # the first two, though the last two tokens are known
    ]
    z = [
        (logprob - mu) / max(second - mu**2, 1e-6) ** 0.5
        for logprob, (mu, second) in zip([log(0.9), log(0.5)], moments, strict=True)
    ]
    found = min_k_plus_plus(record, lowest=0.5, top_k=None)
    assert found.value == pytest.approx(min(z))
    assert found.found == {"moments": "top 2"}


def test_a_local_model_is_read_from_its_top_tokens():
    steps = [[log(0.5), log(0.25), log(0.25)]] * 5
    local = asked(greedy=answer(of_distributions(steps, [log(0.5)] * 5)))
    served = asked(greedy=said(*[log(0.5)] * 5, top_k=2))
    one, other = (min_k_plus_plus(each, lowest=0.2, top_k=2) for each in (local, served))
    assert one == other


def test_nothing_known_and_nothing_to_divide_by_are_reasons():
    with pytest.raises(Unscorable, match=r"^no token of the answer to 'greedy' has a known"):
        perplexity(asked(greedy=said(None, None)))
    with pytest.raises(Unscorable, match=r"^every token of the greedy answer is certain$"):
        recall(asked(greedy=said(0.0), perturbed=said(-1)), wording=1)


def test_likeness_counts_against_training_in_entropy_noise():
    same = answer(whole([0.6, 0.9]))
    record = asked(greedy=same, perturbed=same)
    detector = load("entropy-noise-published")
    found = detector.measure(record, **detector.parameters(Options(), 8))
    assert found.value == pytest.approx(1)
    assert detector.score(found.value) == -found.value
    assert found.found == {"entropy": "raw, top 2"}


def test_an_answer_of_one_token_has_a_curve():
    one = answer(whole([0.6]))
    record = asked(greedy=one, critique_published=one)
    assert load("self-critique-published").measure(record, top_k=None).value == pytest.approx(1)


def test_the_wording_is_the_published_one_whatever_the_options_say():
    needs = load("self-critique-published").needs(Options(critique="ours-1"), 8)
    assert needs == (Need("greedy", 1, True), Need("critique-published", 1, True))


def test_they_read_the_greedy_answer_whatever_the_options_say():
    for name in ("perplexity-published", "min-k-published", "min-k++-published"):
        assert load(name).needs(Options(target="gold"), 8) == (Need("greedy", 1, True),)


def test_without_a_sample_that_has_tokens_there_is_a_reason():
    record = asked(greedy=answer(whole([0.6, 0.9])), sample=[answer(whole([]))])
    with pytest.raises(Unscorable, match=r"^there is no sample with log-probabilities$"):
        load("entropy-temp-published").measure(record, top_k=None)


def test_entropy_temp_of_a_local_model_reads_the_whole_vocabulary_of_both():
    curves = [[0.5, 1.0, 0.2], [0.4, 1.1, 0.3], [0.6, 0.2, 0.9]]
    answers = [
        Completion(text="a b c", signals=whole_signals(curve), index=i)
        for i, curve in enumerate(curves)
    ]
    greedy = Completion(
        text="a b c",
        signals=msgspec.structs.replace(answers[0].signals, tops=((-0.1, -2.5),) * 3),
    )
    record = Record(prompt=chat("?"), probes={"sample": tuple(answers), "greedy": (greedy,)})
    found = load("entropy-temp-published").measure(record, top_k=None)
    assert found.found == {"entropy": "full"}
    assert found.value == load("entropy-temp").measure(record, entropy="full").value


def whole_signals(entropies):
    """Return signals over a whole vocabulary with these entropies."""
    return Signals(
        top_k=None,
        logprobs=(-1.0,) * len(entropies),
        entropy=tuple(entropies),
        mass=(1.0,) * len(entropies),
        second_moment=(2.0,) * len(entropies),
    )
