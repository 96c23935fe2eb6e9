"""Runs analysed: one, two, with labels, and what cannot be."""

import json

import pytest

from small_runs import run
from wellworn.analysing import analyse, write_analysis
from wellworn.analysis.design import Design
from wellworn.analysis.remarks import at_the_edge
from wellworn.errors import BackendError, BadInput, Unscorable
from wellworn.records import Completion, Generation, chat
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
    assert reasons[3].startswith("4 of 4 completions are empty or filtered")
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


def test_short_answers_have_what_needs_no_long_ngrams(tmp_path):
    folder = run(tmp_path / "a", [["A", "B", "A", "A"], ONE])
    short, long = analyse(stores(folder)).checkpoints[0].items
    assert short.reason is None
    assert short.measures["edit"] == 0.5  # three of six pairs differ, wholly
    assert short.measures["distinct-1"] == 0.5
    assert "ead" not in short.measures
    assert "too short" in short.lacking["ead"]
    assert "ead" in long.measures
    means = analyse(stores(folder)).checkpoints[0].means
    assert (means["ead"]["suspects"].count, means["edit"]["suspects"].count) == (1, 2)


def test_a_measure_that_some_prompts_lack(tmp_path):
    def neural(texts):
        if texts[0] == FREE[0] and texts[1] == FREE[1]:
            raise Unscorable("no wish to read")
        return {"nli": 1.0}

    folder = run(tmp_path / "a", [ONE, FREE, WAYS])
    [checkpoint] = analyse(stores(folder), neural={"NLI": neural}).checkpoints
    assert [item.measures.get("nli") for item in checkpoint.items] == [1.0, None, 1.0]
    assert checkpoint.items[1].lacking["NLI"] == "no wish to read"
    [sized] = [each for each in checkpoint.diversity if "nli" in each.means]
    assert (sized.means["nli"].count, sized.means["edit"].count) == (2, 3)


def test_completions_that_are_empty_are_alike_for_no_reason(tmp_path):
    folder = run(tmp_path / "a", [[*ONE, "", " "], [*ONE, "", "x"]])
    two, one = analyse(stores(folder)).checkpoints[0].items
    assert two.reason == "2 of 6 completions are empty or filtered, and alike for no reason"
    assert two.measures == {}
    assert one.reason is None


@pytest.mark.parametrize(
    ("texts", "design", "said"),
    [
        ([FREE[:1]], Design(), "most of its prompts have 1 completion; what differs between"),
        ([FREE], Design(setting="nope"), "no setting has the id 'nope'"),
        ([FREE], Design(m=5), "--m is 5, and no prompt has more than 4 completions"),
    ],
)
def test_runs_that_cannot_be_analysed(tmp_path, texts, design, said):
    folder = run(tmp_path / "a", texts)
    with pytest.raises(BadInput, match=f"{folder}: {said}"):
        analyse(stores(folder), design=design)


def test_runs_that_share_nothing_or_are_one(tmp_path):
    one, other = run(tmp_path / "a", [ONE]), run(tmp_path / "b", [], [ONE])
    with pytest.raises(BadInput, match=f"{one} has none of the 1 prompt of {other} that are read"):
        analyse(stores(one, other))
    with pytest.raises(BadInput, match=f"{one} is named twice"):
        analyse(stores(one, one))


def test_a_cut_that_cannot_be_chosen_is_not_said_to_be(tmp_path):
    free = run(tmp_path / "a", [["no idea", "none at all", "who knows that", "not me"]])
    found = analyse(stores(free))
    assert (found.cut, found.cut_chosen) == (0.5, False)


def test_lengths_that_differ_and_texts_cut_short_are_said(tmp_path):
    long = [text + " and so on and on and on" * 5 for text in FREE]
    folder = run(tmp_path / "a", [long, long[::-1], long], [FREE, WAYS, FREE])
    with Store(folder) as store:
        setting = store.generations()[0]
        store.put_set("suspects", [chat(f"sus {i:02}") for i in range(3)] + [chat("cut")])
        cut = [
            Completion(text=text, index=i, generation=setting, finish_reason=why)
            for i, (text, why) in enumerate(
                zip(long, ["length", "length", "stop", None], strict=True)
            )
        ]
        store.add((chat("cut").id, "sample", each) for each in cut)
    found = analyse(stores(folder))
    [item] = [item for item in found.checkpoints[0].items if "truncated" in item.measures]
    assert item.measures["truncated"] == pytest.approx(2 / 3)
    notes = "\n".join(found.notes)
    assert "completions of the suspects are longer than those of the references, by 34" in notes
    assert "67% of the completions of the suspects were cut at the most tokens" in notes


class Labeller:
    """A model that calls restated what its question holds, and symbolic all else."""

    identity = "scripted"

    def complete(self, requests):
        [request] = requests
        asked = request.prompt.shown
        problem, phrase = asked.split("Problem:\n")[1].split("\n\nPhrase: ")
        label = "restatement" if phrase.split("\n")[0] in problem else "symbolic"
        return [Completion(text=label, index=0)]


def test_a_labeller_is_shown_the_whole_problem(tmp_path):
    setting = Generation(model="m", temperature=0.7)
    prompt = chat("Some words to begin with. " * 20 + "red = blue")
    with Store(tmp_path / "a", create=True) as store:
        store.use(setting)
        store.put_set("suspects", [prompt])
        store.add(
            (prompt.id, "sample", Completion(text="red = blue", index=i, generation=setting))
            for i in range(4)
        )
    agreed = analyse(stores(tmp_path / "a"), labeller=Labeller()).agreement
    assert (agreed.asked, agreed.agreed) == (1, 1)
    assert agreed.table["restatement"]["restatement"] == 1


def test_a_labeller_that_fails_costs_no_analysis(pair):
    class Broken(Labeller):
        def complete(self, requests):
            raise BackendError("the server burns")

    found = analyse(stores(*pair), labeller=Broken())
    assert found.agreement is None
    assert "--labeller scripted labelled nothing: the server burns" in found.warnings
    assert found.course


def test_a_cut_at_the_end_of_those_tried_is_said():
    assert list(at_the_edge(0.4)) == list(at_the_edge(None)) == []
    [note] = at_the_edge(0.1)
    assert "The cut, 0.1, is the last that was tried (0.1 to 0.9)" in note


def test_what_all_runs_lack_is_said_once(pair):
    notes = [note for note in analyse(stores(*pair)).notes if "token entropy" in note]
    assert len(notes) == 1
    assert notes[0].startswith("every run: 6 prompts without token entropy: completion 0 has no")
