"""Self-Critique, Entropy-Noise, Entropy-Temp, LNE and the entropy of samples, by hand."""

from math import log, sqrt

import pytest

from signalled import answer, asked, of_distributions, top
from wellworn.detectors import Options, load
from wellworn.detectors.entropy_noise import entropy_noise
from wellworn.detectors.entropy_temp import entropy_temp
from wellworn.detectors.lne import lne
from wellworn.detectors.sample_signals import sample_entropy, sample_nll
from wellworn.detectors.self_critique import self_critique, self_critique_unanchored
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Completion

UNIT = log(2)
HALVES = {0: [0.0], 1: [log(0.5)] * 2, 2: [log(0.25)] * 4}
"""Distributions whose entropy is so many times ln 2."""
READ = {"entropy": "auto", "top_k": None}


def written(*entropies, index=0, keep=True, **given):
    """Return an answer whose tokens have these entropies, in units of ln 2."""
    steps = [HALVES[each] for each in entropies]
    signals = of_distributions(steps, [step[0] for step in steps], keep)
    return answer(signals, index=index, **given)


PAIRS = [
    (self_critique, "critique_ours-1", {"critique": "ours-1"}),
    (self_critique_unanchored, "unanchored", {"wording": 1}),
    (entropy_noise, "perturbed", {"wording": 1}),
]
every_pair = pytest.mark.parametrize(("measure", "probe", "given"), PAIRS)


@every_pair
def test_two_answers_are_compared_position_by_position(measure, probe, given):
    record = asked(**{"greedy": written(1, 2, 2), probe: written(1, 2)})
    found = measure(record, **given, **READ)
    assert found.value == pytest.approx(0.49690, abs=5e-6)
    assert found.parts == {
        "cosine": pytest.approx(5 / (3 * sqrt(5))),
        "length_ratio": pytest.approx(2 / 3),
        "shuffled": pytest.approx(2 / 3 * (3 * 1.5) / (3 * sqrt(5))),
        "entropy": pytest.approx(5 / 3 * UNIT),
    }
    assert found.found == {"entropy": "full"}


@every_pair
def test_certain_answers_are_at_0(measure, probe, given):
    record = asked(**{"greedy": written(1, 2), probe: written(0, 0)})
    assert measure(record, **given, **READ).value == 0


@every_pair
@pytest.mark.parametrize(
    ("greedy", "second", "reason"),
    [
        (written(1, 2), written(), "the answer to '{}' is empty"),
        (written(), written(1, 2), "the answer to 'greedy' is empty"),
        (written(1, 2, text=" \n"), written(1, 2), "the answer to 'greedy' is empty"),
        (written(1), written(1, 2), "the answer to 'greedy' has one token, and one is no curve"),
        (written(1, 2), written(1), "the answer to '{}' has one token, and one is no curve"),
        (
            written(1, 2),
            Completion(text="a b"),
            "the answer to '{}' has no log-probabilities; `--logprobs 20` asks for them where the "
            "model gives any",
        ),
        (
            written(1, 2),
            Completion(text="a", reasoning_hidden=True, signals=written(1, 2).signals),
            "the reasoning of the answer to '{}' is hidden, and the log-probabilities are those "
            "of the rest",
        ),
        ((), written(1, 2), "there is no answer to 'greedy'"),
    ],
)
def test_an_answer_without_a_curve_is_a_reason(measure, probe, given, greedy, second, reason):
    with pytest.raises(Unscorable) as caught:
        measure(asked(**{"greedy": greedy, probe: second}), **given, **READ)
    assert str(caught.value) == reason.format(probe.replace("_", "-"))


def test_answers_from_the_top_and_from_the_whole_vocabulary_do_not_compare():
    served = answer(top([HALVES[1]] * 2, [log(0.5)] * 2, 2))
    record = asked(greedy=written(1, 2), unanchored=served)
    with pytest.raises(Unscorable, match=r"one answer's are 'full', another's 'rest, top 2'$"):
        self_critique_unanchored(record, wording=1, **READ)


def test_what_they_need_and_which_options_concern_them():
    options = Options(critique="ours-3", entropy="rest", top_k=5)
    critique = load("self-critique")
    assert critique.needs(options, 8) == (Need("greedy", 1, True), Need("critique-ours-3", 1, True))
    assert critique.parameters(options, 8) == {
        "critique": "ours-3",
        "entropy": "rest",
        "top_k": 5,
    }
    assert load("entropy-temp").needs(options, 8) == (
        Need("sample", 8, True),
        Need("greedy", 1, True),
    )


def samples(*curves, **given):
    return [written(*curve, index=i, **given) for i, curve in enumerate(curves)]


def test_entropy_temp_by_hand():
    record = asked(greedy=written(1, 2, 2), sample=samples((1, 2, 2), (1, 2)))
    found = entropy_temp(record, **READ)
    s = 5 / (3 * sqrt(5)) * 2 / 3
    mean, deviation = (1 + s) / 2, (1 - s) / 2
    assert found.value == pytest.approx(mean * (1 - deviation), abs=1e-15)
    assert found.parts == {
        "likeness": pytest.approx(mean),
        "deviation": pytest.approx(deviation),
    }
    assert found.found == {"entropy": "full"}


def test_a_single_sample_does_not_vary():
    record = asked(greedy=written(1, 2, 2), sample=samples((1, 2)))
    assert entropy_temp(record, **READ).value == pytest.approx(0.49690, abs=5e-6)


def test_a_sample_without_tokens_is_at_0_here_and_skipped_by_the_published_code():
    record = asked(greedy=written(1, 2), sample=samples((1, 2), ()))
    assert entropy_temp(record, **READ).value == pytest.approx(0.5 * 0.5)
    assert load("entropy-temp-published").measure(record, top_k=None).value == pytest.approx(1)


@pytest.mark.parametrize(
    ("greedy", "given", "reason"),
    [
        (written(1, 2), (), "there are no samples"),
        (written(1, 2), samples((), ()), "all 2 completions are empty"),
        (written(), samples((1, 2)), "the answer to 'greedy' is empty"),
        (written(1), samples((1, 2)), "the answer to 'greedy' has one token, and one is no curve"),
    ],
)
def test_entropy_temp_without_curves_is_a_reason(greedy, given, reason):
    with pytest.raises(Unscorable, match=f"^{reason}$"):
        entropy_temp(asked(greedy=greedy, sample=given), **READ)


def test_samples_of_a_local_model_have_no_top():
    record = asked(greedy=written(1, 2), sample=samples((1, 2), keep=False))
    with pytest.raises(Unscorable, match=r"`--entropy full` reads what is there$"):
        entropy_temp(record, entropy="rest", top_k=None)


def test_lne_is_the_mean_entropy_of_the_greedy_answer():
    found = lne(asked(greedy=written(0, 1, 2)), **READ)
    assert found.value == pytest.approx(UNIT)
    assert (found.parts, found.found) == ({"tokens": 3}, {"entropy": "full"})


def test_samples_are_weighed_by_their_tokens():
    record = asked(sample=samples((0, 1, 2), (2,), ()))
    found = sample_entropy(record, **READ)
    assert found.value == pytest.approx(5 / 4 * UNIT)
    assert found.found == {"entropy": "full"}
    assert sample_nll(record) == pytest.approx(5 / 4 * UNIT)  # all tokens of a step are alike


def test_an_unknown_log_probability_of_a_sample_is_a_reason():
    unknown = answer(top([HALVES[1]] * 2, [log(0.5), None], 2))
    with pytest.raises(Unscorable, match=r"^the log-probability of 1 of 5 tokens is not known;"):
        sample_nll(asked(sample=[*samples((0, 1, 2)), unknown]))


def test_samples_of_two_kinds_do_not_compare():
    served = answer(top([HALVES[1]] * 2, [log(0.5)] * 2, 2))
    with pytest.raises(Unscorable, match=r"they are full and rest, top 2$"):
        sample_entropy(asked(sample=[*samples((0, 1, 2)), served]), **READ)
