"""An audit with a control model, from the command line to its reports."""

import json
import random

import pytest

from small_runs import run
from wellworn.audits import Stored, audit_runs
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.judging import Scoring
from wellworn.store import Store

WORDS = [
    "so",
    "then",
    "we",
    "add",
    "two",
    "and",
    "four",
    "to",
    "get",
    "six",
    "or",
    "less",
    "than",
    "that",
    "now",
]
COUNT = 8


def answers(seed, spread):
    """Return four answers, each with so many words changed, that end in a number."""
    dice = random.Random(seed)
    base = dice.choices(WORDS, k=30)
    found = []
    for _ in range(4):
        words = list(base)
        for place in dice.sample(range(30), spread):
            words[place] = dice.choice(WORDS)
        found.append(f"{' '.join(words)} {dice.choice([1, 2])}")
    return found


@pytest.fixture
def files(tmp_path):
    """Write prompts, and scripts of a tuned model and of its base."""
    for name in ("suspects", "references"):
        rows = [{"question": f"{name} {i}?", "answer": "1"} for i in range(COUNT)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for name, spread in (("tuned", {"suspects": 2, "references": 15}), ("base", {})):
        script = {
            f"{kind} {i}?": answers(f"{name} {kind} {i}", spread.get(kind, 15))
            for kind in ("suspects", "references")
            for i in range(COUNT)
        }
        (tmp_path / f"{name}.json").write_text(json.dumps({"answers": script}))
    return tmp_path


@pytest.fixture
def audited(files, capsys, monkeypatch):
    from wellworn.cli import main

    monkeypatch.chdir(files)
    with pytest.raises(SystemExit) as ended:
        main(
            [
                *("audit", "--model", "fake/tuned.json", "--control-model", "fake/base.json"),
                *("--prompts", "suspects.jsonl", "--reference", "references.jsonl"),
                *("--samples", "4", "-o", "a", "--verifier", "number"),
            ]
        )
    assert ended.value.code == 0
    capsys.readouterr()
    return json.loads((files / "a/report.json").read_text())


def test_the_control_model_is_asked_and_compared(audited, files):
    assert audited["control"] == "fake/base.json"
    item = audited["items"][0]
    assert item["score"] > item["base_score"] > 0
    assert 0 <= item["base_pass_rate"] <= 1
    assert 0 <= item["pass_rate"] <= 1
    kinds = {each["kind"] for each in audited["attribution"]["estimates"]}
    assert kinds >= {"detector", "blind", "adjusted", "difference", "success"}
    page = (files / "a/report.html").read_text()
    assert "fake/base.json" in page
    assert (files / "a/report.md").read_text().startswith("# ")


def test_the_verdict_needs_overlap_and_measured_difficulty(audited):
    assert audited["verdict"]["level"] == "converged, not attributable"


def test_reporting_again_says_the_same(audited, files, monkeypatch):
    from wellworn.audits import report_run

    again = report_run(Stored("a"))
    assert again.verdict.level == audited["verdict"]["level"]
    assert [item.base_score for item in again.items] == [i["base_score"] for i in audited["items"]]


FREE, NEAR = ["abcd", "efgh"], ["abcd", "abch"]


def judged(tmp_path, control, **parameters):
    tuned = run(tmp_path / "tuned", [NEAR] * 6, [FREE] * 6, **parameters)
    return audit_runs(Stored(tuned, None, control), Scoring(), Options())


def test_prompts_that_the_control_run_lacks_have_no_base_score(tmp_path):
    control = run(tmp_path / "base", [FREE] * 2)
    summary = judged(tmp_path, control)
    assert [item.base_score is None for item in summary.items[:3]] == [False, False, True]


def test_a_control_run_of_other_parameters_is_refused(tmp_path):
    control = run(tmp_path / "base", [FREE] * 6, temperature=0.9)
    with pytest.raises(BadInput, match=r"'temperature' is 0\.7 for the suspects and 0\.9"):
        judged(tmp_path, control)


def test_a_control_run_on_other_prompts_is_refused(tmp_path):
    control = run(tmp_path / "base", [], [FREE] * 9)
    with Store(control, create=True) as store:
        store.put_set("references", [store.prompt(i) for i in store.prompt_ids()][-3:])
    with pytest.raises(BadInput, match="holds none of the suspects"):
        judged(tmp_path, control)


def test_references_are_chosen_to_match(tmp_path):
    """Of a pool in which half is as hard as the suspects, that half is chosen."""
    tuned = run(tmp_path / "tuned", [NEAR] * 8, [FREE, NEAR] * 12)
    control = run(tmp_path / "base", [FREE, NEAR] * 4, [NEAR, FREE] * 12)
    summary = audit_runs(Stored(tuned, None, control), Scoring(match=1), Options())
    assert summary.references.compared == 8
    assert any(note.startswith("8 of 24 references were chosen") for note in summary.notes)


def test_prompts_whose_history_is_known_stand_beside(tmp_path):
    tuned = run(tmp_path / "tuned", [NEAR] * 6, [FREE] * 6)
    trained = run(tmp_path / "trained", [["abcd", "abcd"]] * 6, model="tuned")
    fresh = run(tmp_path / "fresh", [FREE] * 6, model="tuned")
    stored = Stored(tuned, None, None, trained, fresh)
    summary = audit_runs(stored, Scoring(), Options())
    known = {e.name: e.auc for e in summary.attribution.estimates if e.kind == "known"}
    assert known == {"prompts that were trained on": 1.0, "prompts that were not": 0.5}


def test_prompts_that_another_model_was_asked_are_refused(tmp_path):
    tuned = run(tmp_path / "tuned", [NEAR] * 6, [FREE] * 6)
    other = run(tmp_path / "other", [NEAR] * 6)
    with pytest.raises(BadInput, match="'model' is 'tuned' for the suspects and 'other' there"):
        audit_runs(Stored(tuned, positive_run=other), Scoring(), Options())


def sampled_with(monkeypatch, folder, model, control):
    from wellworn.cli import main

    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ended:
        main(
            [
                *("audit", "--model", f"fake/{model}", "--control-model", f"fake/{control}"),
                *("--prompts", f"{model.removesuffix('.json')}.txt", "--samples", "2"),
                *("-o", model.removesuffix(".json")),
            ]
        )
    return ended.value.code


def test_two_control_models_are_not_mixed(tmp_path, monkeypatch, capsys):
    """The suspects' run and the references' run have controls of their own, which differ."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("".join(f"{name} {i}\n" for i in range(6)))
        (tmp_path / f"{name}.json").write_text('{"default": ["abcd", "abce"]}')
    for name in ("base-a", "base-b"):
        (tmp_path / f"{name}.json").write_text('{"default": ["abcd", "efgh"]}')
    sampled_with(monkeypatch, tmp_path, "one.json", "base-a.json")
    sampled_with(monkeypatch, tmp_path, "two.json", "base-b.json")
    capsys.readouterr()
    with pytest.raises(BadInput, match=r"different control models: fake/base-a\.json and fake/b"):
        audit_runs(Stored(tmp_path / "one", tmp_path / "two"), Scoring(), Options())


def test_a_control_that_is_the_model_itself_controls_nothing(tmp_path):
    tuned = run(tmp_path / "tuned", [NEAR] * 6, [FREE] * 6)
    summary = audit_runs(Stored(tuned, None, tuned), Scoring(), Options())
    assert summary.verdict.level == "insufficient data"
    assert "The control model is the model itself (tuned): it controls nothing." in (
        summary.verdict.reasons
    )


def test_sampling_forgets_the_runs_of_an_earlier_audit(files, monkeypatch, capsys):
    from wellworn.cli import main

    monkeypatch.chdir(files)
    base = run(files / "other-base", [FREE])
    sets = ("--prompts", "suspects.jsonl", "--samples", "4", "-o", "a")
    with Store("a", create=True) as store:
        store.set_meta("control_run", str(base))
        store.set_meta("positive_run", str(base))
    with pytest.raises(SystemExit):
        main(["sample", "--model", "fake/tuned.json", *sets])
    capsys.readouterr()
    with Store("a") as store:
        assert store.meta("control_run") is None
        assert store.meta("positive_run") is None
