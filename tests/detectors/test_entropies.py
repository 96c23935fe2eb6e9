"""Token entropies, whole and from the top, by hand; and the likeness of two curves."""

from math import exp, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from signalled import of_distributions, top, whole
from wellworn.detectors.base import Options
from wellworn.detectors.curves import likeness
from wellworn.detectors.entropies import Curve, curve_of, entropy_read_as, top_sums
from wellworn.errors import Unscorable

STEP = [log(0.5), log(0.25), log(0.125), log(0.125)]
"""Its entropy is 1.75 ln 2."""
FIRST_TWO = {
    "raw": log(2),  # 0.5 ln 2 + 0.25 * 2 ln 2
    "renormalised": log(2) / 0.75 + log(0.75),
    "rest": log(2) + 0.25 * 2 * log(2),  # what is left has 0.25
}


def served(tops=2, keep=True):
    """Return signals as a server has them, from the most probable tokens."""
    return top([STEP[:tops]], [STEP[0]], tops, keep)


def local(keep=True):
    return of_distributions([STEP], [STEP[0]], keep)


def test_the_whole_vocabulary():
    for mode in ("full", "auto"):
        assert curve_of(local(), mode) == Curve((pytest.approx(1.75 * log(2)),), "full")


@pytest.mark.parametrize(("mode", "value"), FIRST_TWO.items())
@pytest.mark.parametrize("signals", [served(), served(keep=False), served(tops=4), local()])
def test_the_top_two_tokens_of_any_signals(mode, value, signals):
    found = curve_of(signals, mode, 2 if signals.top_k != 2 else None)
    assert list(found.values) == [pytest.approx(value, abs=1e-15)]
    assert found.kind == f"{mode}, top 2"


def test_renormalised_is_the_entropy_of_the_tokens_that_are_left():
    q = np.array([2 / 3, 1 / 3])
    assert FIRST_TWO["renormalised"] == pytest.approx(-(q * np.log(q)).sum())


def test_auto_is_the_rest_where_a_server_gives_the_top_or_the_top_is_asked_for():
    assert curve_of(served(), "auto") == curve_of(served(), "rest")
    assert curve_of(local(), "auto", 2) == curve_of(local(), "rest", 2)


def test_all_top_tokens_that_there_are_is_the_default():
    assert curve_of(local(), "rest").kind == "rest, top 4"
    assert curve_of(local(), "rest").values == [pytest.approx(1.75 * log(2))]


@given(weights=st.lists(st.floats(0.01, 1), min_size=3, max_size=8), data=st.data())
def test_raw_is_at_most_rest_and_rest_at_most_full(weights, data):
    step = sorted((log(w / sum(weights)) for w in weights), reverse=True)
    top_k = data.draw(st.integers(1, len(step)))
    signals = of_distributions([step], [step[0]])
    raw, rest, full = (
        curve_of(signals, mode, None if mode == "full" else top_k).values[0]
        for mode in ("raw", "rest", "full")
    )
    assert raw <= rest + 1e-12
    assert rest <= full + 1e-12
    mass = sum(map(exp, step[:top_k]))
    renormalised = curve_of(signals, "renormalised", top_k).values[0]
    assert renormalised == pytest.approx(raw / mass + log(mass), abs=1e-12)


def test_a_mass_that_rounding_puts_above_1_leaves_no_rest():
    signals = top([[1e-9]], [1e-9], 1)
    assert curve_of(signals, "rest").values == [pytest.approx(0, abs=1e-8)]


def test_a_token_of_probability_0_contributes_0():
    signals = of_distributions([STEP], [STEP[0]])
    tops = ((*signals.tops[0][:2], float("-inf")),)
    signals = type(signals)(
        top_k=None, logprobs=(0.0,), entropy=(1.0,), mass=(1.0,), second_moment=(1.0,), tops=tops
    )
    assert curve_of(signals, "raw").values == [pytest.approx(FIRST_TWO["raw"])]


@pytest.mark.parametrize(
    ("signals", "mode", "top_k", "reason"),
    [
        (
            served(),
            "full",
            None,
            "the model gives the top 2 log-probabilities of a step, and `--entropy full` reads "
            "all; `--entropy rest` reads the top ones",
        ),
        (
            local(keep=False),
            "raw",
            None,
            "the entropies are those of the whole vocabulary, and the top log-probabilities are "
            "not kept (of samples they never are); `--entropy full` reads what is there",
        ),
        (served(), "rest", 5, "--top-k is 5, and 2 log-probabilities of each step are kept"),
        (
            served(keep=False),
            "rest",
            1,
            "--top-k is 1, and of this answer the sums over the top 2 alone are kept; leave it out",
        ),
        (
            top([[]], [nan], 2),
            "rest",
            None,
            "the model gives no log-probabilities at some of the steps",
        ),
    ],
)
def test_what_a_model_does_not_give_is_a_reason_with_the_way_out(signals, mode, top_k, reason):
    with pytest.raises(Unscorable) as caught:
        curve_of(signals, mode, top_k)
    assert str(caught.value) == reason


def test_sums_over_fewer_tokens_come_from_the_kept_ones():
    fewer, kept = top_sums(served(tops=4), 2), top_sums(served(tops=2))
    assert [list(each) for each in fewer[1:]] == [list(each) for each in kept[1:]]
    assert fewer.top_k == kept.top_k == 2


def test_the_whole_vocabulary_has_no_top():
    assert entropy_read_as(Options(entropy="full", top_k=5), 8) == {
        "entropy": "full",
        "top_k": None,
    }
    assert entropy_read_as(Options(top_k=5), 8) == {"entropy": "auto", "top_k": 5}


def curve(*values, kind="full"):
    return Curve(values, kind)


def test_the_penalised_cosine_by_hand():
    found = likeness(curve(1, 2, 2), curve(1, 2))
    assert found.cosine == pytest.approx(5 / (3 * 5**0.5), abs=1e-15)
    assert found.length_ratio == pytest.approx(2 / 3)
    assert found.value == pytest.approx(0.49690, abs=5e-6)


@pytest.mark.parametrize(("first", "second"), [((0, 0), (1, 2)), ((1, 2), (0, 0)), ((0,), (0,))])
def test_a_curve_of_zeros_is_like_nothing(first, second):
    assert likeness(curve(*first), curve(*second)).value == 0


def test_equal_curves_are_at_1_and_disjoint_ones_at_0():
    assert likeness(curve(1, 2, 3), curve(1, 2, 3)).value == pytest.approx(1, abs=1e-15)
    assert likeness(curve(1, 0), curve(0, 1)).value == 0


CURVES = st.lists(st.floats(0.01, 12), min_size=2, max_size=30)


@given(first=CURVES, second=CURVES, scale=st.floats(0.1, 10))
def test_likeness_is_symmetric_and_does_not_change_with_scale(first, second, scale):
    found = likeness(curve(*first), curve(*second))
    assert found.value == likeness(curve(*second), curve(*first)).value
    assert likeness(curve(*(scale * h for h in first)), curve(*second)).value == pytest.approx(
        found.value, rel=1e-12
    )
    assert 0 <= found.value <= 1 + 1e-12


@pytest.mark.parametrize(("first", "second"), [((3, 1, 2, 5), (4, 1, 1)), ((1, 2), (7, 0, 1, 3))])
def test_shuffled_is_the_mean_over_all_orders_of_the_second_curve(first, second):
    from itertools import permutations

    orders = [likeness(curve(*first), curve(*order)).value for order in permutations(second)]
    assert likeness(curve(*first), curve(*second)).shuffled == pytest.approx(np.mean(orders))


def test_curves_of_different_kinds_do_not_compare():
    with pytest.raises(Unscorable, match=r"one answer's are 'full', another's 'rest, top 5'$"):
        likeness(curve(1, 2), curve(1, 2, kind="rest, top 5"))


@pytest.mark.parametrize(("first", "second"), [((), (1,)), ((1,), ()), ((), ())])
def test_an_empty_curve_has_no_likeness(first, second):
    with pytest.raises(Unscorable, match=r"^an answer has no tokens, and so no entropies$"):
        likeness(curve(*first), curve(*second))


def test_two_tokens_make_a_whole_vocabulary():
    assert curve_of(whole([0.5]), "full").values == (pytest.approx(log(2)),)
