"""Ablations of runs made by hand: the AUC at each value, and what is said where there is none."""

import pytest
from msgspec.structs import replace

from ablations import FOUR, LABELS, SETTING, add, run
from wellworn.ablating import Design, ablate
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.records import Completion, Signals, chat


def axis(ablation, name):
    return next(axis for axis in ablation.axes if axis.name == name)


def aucs(ablation, name):
    return {point.at: point.auc for point in axis(ablation, name).points}


def test_the_auc_at_every_k_by_hand(tmp_path):
    with run(tmp_path) as store:
        found = ablate([store], LABELS, Design(axes="k"))
    # means of the k smallest, k = 1..4: worn 0 0 1/3 1/2, near 1/4, fresh 1/2, pair 1/4 1/4 1/2 5/8
    assert aucs(found, "k") == {1: 0.875, 2: 0.875, 3: 1.0, 4: 0.875}
    assert [point.default for point in axis(found, "k").points] == [True, False, False, False]
    assert [point.parameters["k"] for point in axis(found, "k").points] == [1, 2, 3, 4]
    assert {point.draws for point in axis(found, "k").points} == {1}
    assert {point.spread for point in axis(found, "k").points} == {None}
    assert (found.default.auc, found.default.parameters["samples"]) == (0.875, 4)
    assert (found.members, found.non_members, found.unlabelled, found.unmatched) == (2, 2, 0, 0)


def test_the_grid_of_k_has_the_default_and_all_of_m(tmp_path):
    ten = {name: [f"{name} {i}" * (i + 1) for i in range(10)] for name in FOUR}
    with run(tmp_path, ten) as store:
        found = ablate([store], LABELS, Design(axes="k"), Options(k=7))
        assert list(aucs(found, "k")) == [1, 2, 3, 5, 7, 10]
        found = ablate([store], LABELS, Design(axes="k"))
        assert list(aucs(found, "k")) == [1, 2, 3, 5, 10]


def test_at_all_completions_there_is_one_draw_and_the_default(tmp_path):
    with run(tmp_path) as store:
        found = ablate([store], LABELS, Design(axes="m", draws=3))
    two, four = axis(found, "m").points
    assert (two.at, two.draws, two.parameters["k"], two.default) == (2, 3, 1, False)
    assert (four.at, four.draws, four.spread, four.default) == (4, 1, None, True)
    assert (four.auc, four.low, four.high) == (
        found.default.auc,
        found.default.low,
        found.default.high,
    )
    assert axis(found, "m").notes == (
        "Fewer than 4 completions are random choices among each prompt's first 4, 3 times.",
        "k follows m: 1 of 4, and that share of fewer.",
    )


def test_draws_are_the_same_again_whatever_else_is_scored_and_by_many_threads(tmp_path):
    with run(tmp_path) as store:
        first = ablate([store], LABELS, Design(axes="m", jobs=1))
        second = ablate([store], LABELS, Design(axes="unit,m,k", jobs=3))
        fewer = ablate([store], LABELS, Design(axes="m", draws=1))
    assert axis(first, "m") == axis(second, "m")
    assert axis(first, "m").points[0].spread is not None
    assert axis(fewer, "m").points[0].spread is None


def test_the_spread_is_0_where_all_draws_are_alike(tmp_path):
    alike = {
        "worn": ["same"] * 8,
        "near": ["like"] * 8,
        "fresh": list("abcdefgh"),
        "pair": list("ijklmnop"),
    }
    with run(tmp_path, alike) as store:
        found = ablate([store], LABELS, Design(axes="m"))
    assert aucs(found, "m") == {2: 1.0, 4: 1.0, 8: 1.0}
    assert [point.spread for point in axis(found, "m").points] == [(1.0, 1.0), (1.0, 1.0), None]


def test_a_fixed_k_is_said(tmp_path):
    with run(tmp_path) as store:
        found = ablate([store], LABELS, Design(axes="m", draws=1), Options(k=3))
    assert [point.parameters["k"] for point in axis(found, "m").points] == [2, 3]
    assert axis(found, "m").notes[1] == "k is fixed at 3, or m where that is smaller."


def test_k_goes_up_to_the_correct_completions_that_are_compared(tmp_path):
    eight = {name: ["so 4", "yes 4", "4", "it is 4", "5", "6", "7", "8"] for name in FOUR}
    with run(tmp_path, eight, gold="4") as store:
        options = Options(correct=4, verifier="number")
        found = ablate([store], LABELS, Design(axes="k,m", draws=1), options)
    assert [(point.at, point.default) for point in axis(found, "k").points] == [
        (1, True),
        (2, False),
        (3, False),
        (4, False),
    ]
    assert [point.auc for point in axis(found, "m").points] == [None, None, 0.5]
    assert len(axis(found, "m").notes) == 1


def test_units_by_hand_and_one_that_cannot_be_read(tmp_path):
    with run(tmp_path) as store:
        found = ablate([store], LABELS, Design(axes="unit"))
    # words: worn has a twin, all others share nothing
    assert aucs(found, "unit")["char"] == 0.875
    assert aucs(found, "unit")["word"] == 0.75
    token = axis(found, "unit").points[2]
    assert (token.at, token.auc, token.members, token.non_members) == ("token", None, 0, 0)
    assert token.reason is not None
    assert token.reason.startswith("4 prompts without a score: completion 0 has no token ids")


def test_prompts_that_lack_completions_are_counted_at_every_m(tmp_path):
    with run(tmp_path, FOUR | {"short": ("aa", "ab", "ac")}) as store:
        labels = LABELS | {chat("short").id: True, "0" * 16: False}
        found = ablate([store], labels, Design(axes="m", draws=2))
    for point in axis(found, "m").points:
        assert (point.members, point.non_members) == (2, 2)
        assert point.lacking == (
            "1 prompt without a score: 3 of 4 completions are there (sample); all prompts of a run "
            "are scored at the same number"
        )
    assert (found.members, found.non_members, found.unmatched) == (3, 2, 1)


def test_draws_that_leave_too_few_scores_are_not_counted(tmp_path):
    with run(tmp_path, FOUR | {"worn": ("", "", "bbbb", "cccc")}) as store:
        found = ablate([store], LABELS, Design(axes="m", draws=30))
    two = axis(found, "m").points[0]
    assert 0 < two.draws < 30
    assert (two.members, two.non_members) == (1, 2)  # where both empty ones are drawn
    assert two.lacking == "1 prompt without a score: all 2 completions are empty in the full view"
    assert two.reason is None


def test_two_of_each_class_are_needed(tmp_path):
    with run(tmp_path) as store:
        few = {chat(name).id: name == "worn" for name in ("worn", "fresh", "pair")}
        found = ablate([store], few, Design(axes="k"))
    assert found.unlabelled == 1
    assert {point.auc for point in axis(found, "k").points} == {None}
    assert found.default.reason == "2 prompts of each class are needed; 1 and 2 have a score"


def test_temperatures_are_those_of_one_run_and_of_others(tmp_path):
    hot, long = replace(SETTING, temperature=1.0), replace(SETTING, max_tokens=9)
    cold = replace(SETTING, temperature=0.3, seed=5)
    with run(tmp_path / "a") as a, run(tmp_path / "b", FOUR, cold) as b:
        add(a, FOUR, hot)
        add(a, FOUR, long)
        a.use(SETTING)
        found = ablate([a, b], LABELS, Design(axes="temperature"))
    points = axis(found, "temperature").points
    assert [point.at for point in points] == [0.3, 0.7, 0.7, 1.0]
    assert [point.auc for point in points] == [0.875, 0.875, None, 0.875]
    assert [point.default for point in points] == [False, True, False, False]
    assert points[0].source == f"{tmp_path / 'b'}, setting {cold.id}"
    assert points[0].parameters["temperature"] == 0.3
    assert points[2].reason == "its max_tokens is 9, that of the other samples 64"
    assert axis(found, "temperature").notes == ()


def test_temperatures_are_compared_at_one_m(tmp_path):
    hot = replace(SETTING, temperature=1.0)
    with run(tmp_path) as store:
        add(store, {name: texts[:2] for name, texts in FOUR.items()}, hot)
        store.use(SETTING)
        found = ablate([store], LABELS, Design(axes="temperature"))
    cold, warm = axis(found, "temperature").points
    assert (cold.parameters["samples"], warm.parameters["samples"]) == (2, 2)
    assert cold.auc == warm.auc  # the first two of each
    assert axis(found, "temperature").notes == (
        "All are scored at m = 2, which the setting with the fewest completions has.",
    )


def test_runs_of_one_setting_are_read_as_one(tmp_path):
    members = {name: FOUR[name] for name in ("worn", "near")}
    others = {name: FOUR[name] for name in ("fresh", "pair")}
    with run(tmp_path / "a", members) as a, run(tmp_path / "b", others) as b:
        found = ablate([a, b], LABELS, Design(axes="k,temperature"))
    assert aucs(found, "k") == {1: 0.875, 2: 0.875, 3: 1.0, 4: 0.875}
    assert found.notes == (
        "The axis temperature is left out: the runs hold samples of one setting alone.",
    )


def test_a_setting_can_be_named(tmp_path):
    with run(tmp_path) as store:
        add(store, {name: ["x"] * 4 for name in FOUR}, replace(SETTING, temperature=1.0))
        assert ablate([store], LABELS, Design(axes="k")).default.auc == 0.5
        named = ablate([store], LABELS, Design(axes="k", setting=SETTING.id))
    assert (named.default.auc, named.setting) == (0.875, SETTING)


def test_views_where_a_reasoning_is_set_apart(tmp_path):
    with run(tmp_path, reasoning="so") as store:
        found = ablate([store], LABELS, Design(axes="view"))
    # the reasonings are all alike; the answers are as above
    assert aucs(found, "view") == {"full": 0.875, "reasoning": 0.5, "answer": 0.875}


def test_axes_that_say_nothing_are_left_out_with_a_note(tmp_path):
    with run(tmp_path) as store:
        found = ablate([store], LABELS)
    assert [axis.name for axis in found.axes] == ["k", "m", "unit"]
    assert found.notes == (
        "The axis temperature is left out: the runs hold samples of one setting alone.",
        "The axis top-k is left out: min-knn does not depend on it.",
        "The axis view is left out: no completion has its reasoning set apart.",
    )


def curves(store, tops):
    """Add greedy answers and their critiques, whose entropies depend on the top K."""
    for name in FOUR:
        shift = 1 if name in ("worn", "near") else 4
        for probe, factor in (("greedy", 1), ("critique-published", shift)):
            steps = [
                [-1.0 * factor * (step + rank) - 0.5 for rank in range(tops)] for step in (0, 1)
            ]
            signals = Signals(
                top_k=tops,
                logprobs=(-1.0, -1.0),
                entropy=(0.5 + factor, 0.25),
                mass=(0.5, 0.5),
                second_moment=(1.0, 1.0),
                tops=tuple(map(tuple, steps)),
            )
            answer = Completion(text="x y", signals=signals, generation=SETTING.greedy)
            store.add([(chat(name).id, probe, answer)])


def test_top_k_goes_as_far_as_is_stored(tmp_path):
    with run(tmp_path) as store:
        curves(store, tops=6)
        found = ablate([store], LABELS, Design(detector="self-critique"))
    assert [axis.name for axis in found.axes] == ["top-k"]
    points = axis(found, "top-k").points
    assert [(point.at, point.default) for point in points] == [(3, False), (5, False), (6, True)]
    assert [point.parameters["entropy"] for point in points] == [
        "rest, top 3",
        "rest, top 5",
        "rest, top 6",
    ]
    assert all(point.auc == 1 for point in points)  # the curves of members are alike
    assert axis(found, "top-k").notes == (
        "10, 20, 50 left out: 6 log-probabilities of a step are stored.",
    )
    assert found.notes[:2] == (
        "The axis k is left out: self-critique does not depend on it.",
        "The axis m is left out: self-critique does not depend on it.",
    )


def test_top_k_needs_log_probabilities_one_by_one(tmp_path):
    with run(tmp_path) as store:
        found = ablate([store], LABELS, Design(detector="self-critique", axes="top-k"))
    assert found.axes == ()
    assert found.notes == (
        "The axis top-k is left out: the top log-probabilities of its answers are not stored.",
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"axes": "k,units"},
            "unknown axis 'units'. Did you mean 'unit'?\n"
            "Known: k, m, temperature, top-k, unit, view.",
        ),
        ({"draws": 0}, "--draws is 0; it must be 1 or more."),
        ({"jobs": 0}, "--jobs is 0; it must be 1 or more."),
    ],
)
def test_a_design_that_cannot_be(fields, message):
    with pytest.raises(BadInput) as error:
        Design(**fields)
    assert str(error.value) == message


def test_greedy_completions_and_missing_labels_are_refused(tmp_path):
    with run(tmp_path / "a", setting=SETTING.greedy) as store, pytest.raises(BadInput) as error:
        ablate([store], LABELS)
    assert str(error.value) == (
        f"{tmp_path / 'a'}: the completions are greedy (temperature 0), and min-knn reads "
        f"samples.\nName the setting of the samples with --setting ID."
    )
    with (
        run(tmp_path / "b") as store,
        pytest.raises(BadInput, match="none of the prompts has"),
    ):
        ablate([store], {"0" * 16: True})
