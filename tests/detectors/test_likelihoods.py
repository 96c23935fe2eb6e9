"""Perplexity, Min-K%, Min-K%++, zlib and texts that are read twice, by hand."""

import zlib
from math import exp, log, sqrt

import pytest

from signalled import answer, asked, of_distributions, top, whole
from wellworn.detectors import Options, load
from wellworn.detectors.compression import zlib_ratio
from wellworn.detectors.min_k import min_k, min_k_plus_plus
from wellworn.detectors.perplexity import perplexity
from wellworn.detectors.readings import lowercase, recall, reference_ratio
from wellworn.errors import Unscorable
from wellworn.probes import Need
from wellworn.records import Completion, Generation


def said(*logprobs, **given):
    """Return an answer, or a reading, whose tokens have these log-probabilities."""
    return answer(top([[0.0]] * len(logprobs), logprobs, 1), **given)


TEXTS = {"response": "greedy", "prompt": "read_prompt", "gold": "read_gold"}
every_text = pytest.mark.parametrize(("text", "probe"), TEXTS.items())


@every_text
def test_perplexity_of_each_text(text, probe):
    found = perplexity(asked(**{probe: said(-1, -2, -3)}), target=text)
    assert found.value == pytest.approx(exp(2))
    assert found.parts == {"tokens": 3}


@every_text
@pytest.mark.parametrize(
    ("lowest", "value", "averaged"),
    [(0.2, -9, 1), (0.5, -7.5, 2), (0.59, -7.5, 2), (1.0, -4.2, 5), (0.01, -9, 1)],
)
def test_min_k_of_each_text(text, probe, lowest, value, averaged):
    found = min_k(asked(**{probe: said(-1, -9, -2, -6, -3)}), target=text, lowest=lowest)
    assert found.value == pytest.approx(value)
    assert found.parts == {"tokens": 5, "averaged": averaged}


def test_one_token_is_enough():
    record = asked(greedy=said(-3))
    assert perplexity(record, target="response").value == pytest.approx(exp(3))
    assert min_k(record, target="response", lowest=0.2).value == -3


def test_min_k_plus_plus_of_two_tokens_is_the_odds():
    """With probabilities p and 1 - p, z of the first is the root of (1 - p) / p."""
    chosen = (0.8, 0.9, 0.3, 0.6, 0.7)
    z = sorted(sqrt((1 - p) / p) * (1 if p > 0.5 else -1) for p in chosen)
    record = asked(greedy=answer(whole(chosen)))
    found = min_k_plus_plus(record, target="response", lowest=0.4)
    assert found.value == pytest.approx((z[0] + z[1]) / 2)


def test_a_greedy_token_is_never_below_what_was_expected():
    steps = [[log(p) for p in (0.4, 0.3, 0.2, 0.1)], [log(0.25)] * 4]
    record = asked(greedy=answer(of_distributions(steps, [step[0] for step in steps])))
    lowest = min_k_plus_plus(record, target="response", lowest=0.2).value
    assert lowest == pytest.approx(0, abs=1e-12)
    assert min_k_plus_plus(record, target="response", lowest=1.0).value > 0


def test_a_certain_token_is_as_expected():
    record = asked(greedy=answer(of_distributions([[0.0]] * 5, [0.0] * 5)))
    assert min_k_plus_plus(record, target="response", lowest=1.0).value == 0


def test_min_k_plus_plus_needs_the_whole_vocabulary():
    with pytest.raises(Unscorable) as caught:
        min_k_plus_plus(asked(greedy=said(-1, -2)), target="response", lowest=0.2)
    assert str(caught.value) == (
        "the moments of the whole vocabulary are needed, and the model gives its top 1 alone; a "
        "local model gives all, and `min-k++-published` reads the top"
    )


@every_text
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (said(-1, None, -2), "the log-probability of 1 of 3 tokens is not known; "),
        (said(), "the answer to '{}' is empty"),
        (Completion(text="a"), "the answer to '{}' has no log-probabilities; "),
        ((), "there is no answer to '{}'"),
    ],
)
def test_a_text_without_a_likelihood_is_a_reason(text, probe, given, reason):
    for measure, more in ((perplexity, {}), (min_k, {"lowest": 0.2}), (zlib_ratio, {})):
        with pytest.raises(Unscorable) as caught:
            measure(asked(**{probe: given}), target=text, **more)
        assert str(caught.value).startswith(reason.format(probe.replace("_", "-")))


def test_a_loss_beyond_every_float_is_no_number():
    [score] = scores("perplexity", asked(greedy=said(*[-9999.0] * 3)))
    assert score.reason == "perplexity gives inf, which is no number to rank by"


def scores(name, record):
    from wellworn.scoring import scores_of

    return scores_of([record], load(name), 1, Options())


@every_text
def test_zlib_divides_by_the_bytes_of_the_compressed_text(text, probe):
    written = "Größe: " + "ab" * 40
    record = asked(**{probe: said(-1, -3, text=written)})
    size = len(zlib.compress(written.encode()))
    found = zlib_ratio(record, target=text)
    assert found.value == pytest.approx(-2 / size)
    assert found.parts == {"likelihood": -2, "bytes": size}


def test_zlib_takes_lone_surrogates():
    assert zlib_ratio(asked(greedy=said(-1, text="\ud800")), target="response").value < 0


@pytest.mark.parametrize("text", TEXTS)
def test_reference_ratio_is_the_difference_of_the_same_tokens(text):
    own, control = said(-1, -2, token_ids=(5, 6)), said(-4, -5, token_ids=(5, 6))
    base = Generation(model="base", temperature=0.0)
    control = Completion(text="a", token_ids=(5, 6), signals=control.signals, generation=base)
    record = asked(**{f"read_{text}": own, f"read_{text}_control": control})
    found = reference_ratio(record, target=text)
    assert found.value == 3
    assert found.parts == {"likelihood": -1.5, "control": -4.5}
    assert found.found == {"control": "base"}


@pytest.mark.parametrize(
    ("measure", "change", "more"),
    [(reference_ratio, "control", {}), (recall, "shots", {"wording": 1})],
)
@pytest.mark.parametrize("ids", [(5, 7), (5, 6, 7, 8), (6,) * 2])
def test_other_tokens_do_not_compare(measure, change, more, ids):
    other = said(*[-1] * len(ids), token_ids=ids)
    own = said(-1, -2, token_ids=(5, 6))
    record = asked(**{"read_prompt": own, f"read_prompt_{change}": other})
    with pytest.raises(Unscorable) as caught:
        measure(record, target="prompt", **more)
    assert str(caught.value) == (
        f"'read-prompt' and 'read-prompt-{change}' read the same text as different tokens, 2 and "
        f"{len(ids)} of them: is it another tokenizer?"
    )


def test_readings_without_token_ids_do_not_compare():
    bare = Completion(text="a", signals=said(-1).signals)
    record = asked(read_prompt=said(-1), read_prompt_control=bare)
    with pytest.raises(Unscorable, match=r"^'read-prompt-control' has no token ids, and nothing"):
        reference_ratio(record, target="prompt")


@pytest.mark.parametrize("text", TEXTS)
def test_lowercase_and_recall_are_ratios(text):
    own = said(-1, -3, token_ids=(5, 6))
    record = asked(
        **{
            f"read_{text}": own,
            f"read_{text}_lower": said(-4, -5, -6, token_ids=(7, 8, 9)),
            f"read_{text}_shots": said(-3, -7, token_ids=(5, 6)),
        }
    )
    found = lowercase(record, target=text)
    assert (found.value, found.parts) == (2.5, {"likelihood": -2, "lower": -5})
    found = recall(record, target=text, wording=1)
    assert (found.value, found.parts) == (2.5, {"likelihood": -2, "after_shots": -5})


def test_the_first_token_of_a_text_that_stands_alone_is_left_out_on_both_sides():
    alone = said(-1, -3, token_ids=(5, 6))
    after = said(-90, -3, -7, token_ids=(4, 5, 6))
    record = asked(read_prompt=alone, read_prompt_shots=after)
    assert recall(record, target="prompt", wording=1).value == 2.5


def test_a_certain_text_divides_nothing():
    certain = said(0.0, 0.0, token_ids=(5, 6))
    record = asked(read_prompt=certain, read_prompt_shots=certain, read_prompt_lower=certain)
    for measure, more in ((lowercase, {}), (recall, {"wording": 1})):
        with pytest.raises(Unscorable, match=r"^every token of the text is certain"):
            measure(record, target="prompt", **more)


def test_what_they_need_and_which_options_concern_them():
    options = Options(target="gold", lowest=0.1)
    assert load("perplexity").needs(options, 8) == (Need("read-gold", 1, True),)
    assert load("min-k").parameters(options, 8) == {"target": "gold", "lowest": 0.1}
    both = (Need("read-gold", 1, True), Need("read-gold-control", 1, True))
    assert load("reference-ratio").needs(options, 8) == both
    assert load("recall").parameters(options, 8) == {"target": "gold", "wording": 1}
