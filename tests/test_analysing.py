"""Runs analysed: one, two, with labels, and what cannot be."""

import json

import pytest

from small_runs import run
from wellworn.analysing import analyse, write_analysis
from wellworn.analysis.design import Design
from wellworn.errors import BadInput
from wellworn.store import Store

ONE = ["2 + 2 = 4, so x = 4"] * 4
WAYS = ["2 + 2 = 4, so x = 4"] * 2 + ["x = 1 + 3, hence we have x = 4 too"] * 2
FREE = ["2 + 2 = 4, so x = 4", "no idea at all, sorry", "count it: 1 then 3", "\\frac{8}{2} it is"]


def stores(*folders):
    return [Store(folder) for folder in folders]


@pytest.fixture
def pair(tmp_path):
    """Return a base model, whose answers are free, and one whose suspects wore in."""
    base = run(tmp_path / "base", [FREE, WAYS, FREE], [FREE, WAYS, FREE])
    tuned = run(tmp_path / "tuned", [ONE, ONE, WAYS], [FREE, WAYS, FREE])
    return base, tuned


def test_one_run_by_hand(tmp_path):
    folder = run(tmp_path / "a", [ONE, WAYS, FREE])
    found = analyse(stores(folder), design=Design(cut=0.7))
    [checkpoint] = found.checkpoints
    assert found.groups == ("suspects",)
    assert [item.measures.get("modes") for item in checkpoint.items] == [1, 2, None]
    assert checkpoint.means["modes"]["suspects"].value == 1.5
    one, ways, free = checkpoint.items
    assert one.measures["edit"] == 0
    assert one.measures["min-knn"] == 0
    assert [mode.members for mode in ways.modes] == [(0, 1), (2, 3)]
    assert ways.modes[0].skeleton[0].share == 1
    assert one.phrases[0].completions == 4
    assert one.lacking["token entropy"]
    assert (found.cut, found.cut_chosen, found.course) == (0.7, False, {})
    assert free.measures["symbolic n-grams"] == 0
    assert free.lacking["modes"].startswith("no symbolic n-gram is frequent")
    assert free.reason is None


def test_a_course_over_two_runs(pair):
    found = analyse(stores(*pair))
    assert found.cut_chosen
    assert [each.run for each in found.checkpoints] == list(map(str, pair))
    change = found.course["edit"].groups
    assert change["suspects"].mean < 0 == change["references"].mean
    assert found.course["edit"].difference.difference == pytest.approx(change["suspects"].mean)
    assert found.checkpoints[1].contrasts["edit"].difference < 0


def test_the_cut_is_that_of_the_first_run(pair):
    base, tuned = pair
    alone = analyse(stores(base)).cut
    assert analyse(stores(base, tuned)).cut == alone


def test_labels_make_the_groups(pair):
    with Store(pair[1]) as store:
        ids = store.prompt_ids()
    labels = {ids[0]: True, ids[1]: False, ids[2]: False, "elsewhere": True}
    found = analyse(stores(pair[1]), labels)
    assert found.groups == ("members", "non-members")
    assert [item.group for item in found.checkpoints[0].items].count("members") == 1
    assert "3 prompts of " in found.notes[0]
    assert "without a label, left out." in found.notes[0]
    with pytest.raises(BadInput, match="none of its prompts has a label"):
        analyse(stores(pair[1]), {"elsewhere": True})


def test_prompts_of_the_last_run_that_an_earlier_one_lacks(tmp_path):
    base = run(tmp_path / "base", [FREE])
    tuned = run(tmp_path / "tuned", [ONE, WAYS, FREE])
    found = analyse(stores(base, tuned))
    assert [each.prompts for each in found.checkpoints] == [1, 3]
    assert any(f"{base}: 2 prompts of the last run not there." in note for note in found.notes)


def test_a_prompt_with_too_few_or_empty_completions_has_a_reason(tmp_path):
    folder = run(tmp_path / "a", [ONE, ONE, ONE[:3], ["", "", "", ""]])
    found = analyse(stores(folder))
    reasons = [item.reason for item in found.checkpoints[0].items]
    assert reasons[:2] == [None, None]
    assert reasons[2] == "3 of 4 completions are there"
    assert "too short" in reasons[3]
    assert found.checkpoints[0].prompts == 2
    assert sum("not measured" in note for note in found.notes) == 2


def test_runs_that_were_not_sampled_alike(tmp_path):
    hot, cold = run(tmp_path / "hot", [ONE], temperature=1.0), run(tmp_path / "cold", [ONE])
    with pytest.raises(BadInput, match=r"do not compare: 'temperature' is 1.0 in one and 0.7"):
        analyse(stores(hot, cold))


def test_ead_above_one_is_warned_of(tmp_path):
    assert analyse(stores(run(tmp_path / "alike", [ONE, ONE]))).warnings == ()
    texts = [" ".join(f"w{i}x{j}" for j in range(30)) for i in range(4)]
    folder = run(tmp_path / "a", [texts, texts])
    [warning] = [
        text
        for text in analyse(stores(folder), design=Design(vocabulary=40)).warnings
        if "5-gr" in text
    ]
    assert "EAD of 5-grams exceeds 1 (up to" in warning
    assert "V = 40" in warning


def test_models_that_read_are_measured_too(pair):
    found = analyse(stores(*pair), neural={"nli": lambda texts: {"nli": float(len({*texts}))}})
    assert found.checkpoints[1].means["nli"]["suspects"].value == pytest.approx(4 / 3)
    assert found.parameters["models"] == ["nli"]
    sized = [each for each in found.checkpoints[1].diversity if "nli" in each.means]
    assert {(each.within, each.n) for each in sized} >= {(True, 4)}


@pytest.mark.parametrize("feature", ["ngrams", "edit"])
@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_other_features_and_linkages(pair, feature, linkage):
    found = analyse(stores(pair[1]), design=Design(feature=feature, linkage=linkage))
    ones = [item for item in found.checkpoints[0].items if item.group == "suspects"][:2]
    assert [item.measures["modes"] for item in ones] == [1, 1]


def test_what_is_written(pair, tmp_path):
    held = stores(*pair)
    found = analyse(held)
    write_analysis(found, held[-1], Design(), tmp_path / "out", ["wellworn", "analyze", "a b"])
    kept = json.loads((tmp_path / "out" / "analysis.json").read_text())
    assert kept["checkpoints"][0]["means"]["modes"]["suspects"]["value"] > 1
    assert "wellworn analyze &#39;a b&#39;" in (tmp_path / "out" / "analysis.html").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"m": 1}, "--m is 1; it must be 2 or more."),
        ({"share": 1.0}, "--share is 1.0; it must be at least 0 and below 1."),
        ({"cut": 1.5}, "--cut is 1.5; distances lie from 0 to 1."),
        ({"n": 0}, "--n is 0"),
    ],
)
def test_designs_that_are_none(options, said):
    with pytest.raises(BadInput, match=said):
        Design(**options)
