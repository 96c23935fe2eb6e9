"""`wellworn evaluate`, from scripted answers to tables and evaluation.json."""

import json

import pytest

ALIKE = ["The same answer.", "The same answer.", "The same answer!", "The same answer?"]
APART = ["One", "another thing", "nothing like it", "42"]
WORDS = ("stone", "river", "lamp", "horse", "paper", "cloud", "north", "glass", "bread", "chair")
SAMPLE = ("sample", "--model", "fake/m.json", "--samples", "4", "--prompts", "p.jsonl", "-o", "a")


@pytest.fixture
def run(wellworn, tmp_path):
    """Sample and score ten prompts, of which the first five answer alike, save one."""
    answers = {f"Tell of a {word}.": ALIKE if i < 4 else APART for i, word in enumerate(WORDS)}
    rows = [{"prompt": prompt, "member": i < 5} for i, prompt in enumerate(answers)]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "m.json").write_text(json.dumps({"answers": answers}))
    wellworn(*SAMPLE)
    wellworn("score", "a")
    return wellworn


def test_a_scored_run_is_evaluated_with_the_file_of_its_prompts(run, tmp_path):
    code, out, err = run("evaluate", "a", "--labels", "p.jsonl")
    assert (code, err) == (0, "Evaluation: a/evaluation.json\n")
    assert "Detectors: 5 members, 5 non-members that all score" in out
    assert "Blind baselines, without the model: 5 members, 5 non-members" in out
    assert "As published" not in out
    assert "TPR at 10 % FPR is not given: it needs 10 non-members; there are 5." in out
    [row] = [line.split() for line in out.splitlines() if line.startswith(" min-knn ")][:1]
    assert row[:4] == ["min-knn", "5", "5", "0.90"]  # four above all, one tied with all
    kept = json.loads((tmp_path / "a" / "evaluation.json").read_text())
    assert kept["detectors"][0]["metrics"]["comparison"]["auc"] == pytest.approx(0.9)
    assert kept["detectors"][0]["parameters"]["samples"] == 4


def test_json_goes_to_stdout_alone_and_is_what_is_kept(run, tmp_path):
    code, out, _ = run("evaluate", "a", "--labels", "p.jsonl", "--published", "--json")
    assert code == 0
    assert out == (tmp_path / "a" / "evaluation.json").read_text()
    assert json.loads(out)["detectors"][0]["metrics"]["published"]["roc_auc"] == 0.9


def test_published_metrics_are_shown(run):
    assert (
        "As published: 5 members" in run("evaluate", "a", "--labels", "p.jsonl", "--published")[1]
    )


def test_labels_by_the_ids_of_an_exported_table(run, tmp_path):
    run("export", "a", "scores.csv", "--what", "scores")
    header, *lines = (tmp_path / "scores.csv").read_text().splitlines()
    lines = [f"{line},{'yes' if i < 5 else 'no'}" for i, line in enumerate(lines)]
    (tmp_path / "l.csv").write_text("\n".join([f"{header},known", *lines]))
    code, out, _ = run("evaluate", "a", "--labels", "l.csv", "--label-field", "known", "--json")
    assert (code, json.loads(out)["members"]) == (0, 5)


def test_a_prompt_without_a_score_exits_with_1(run, tmp_path):
    with (tmp_path / "p.jsonl").open("a") as file:
        file.write('\n{"prompt": "Unheard of?", "member": true}')
    run(*SAMPLE)
    run("score", "a")
    code, out, _ = run("evaluate", "a", "--labels", "p.jsonl")
    assert code == 1
    assert "• min-knn: 1 prompt without a score: " in out


def test_a_text_that_separates_is_warned_of(wellworn, tmp_path):
    prompts = [f"Tell of {i:02}{', please' * (i > 5)}." for i in range(12)]
    rows = [{"prompt": prompt, "completions": APART} for prompt in prompts]
    (tmp_path / "log.json").write_text(json.dumps({"results": rows}))
    labels = [{"prompt": prompt, "seen": int(i < 6)} for i, prompt in enumerate(prompts)]
    (tmp_path / "l.jsonl").write_text("\n".join(map(json.dumps, labels)))
    wellworn("import", "log.json", "-o", "a")
    wellworn("score", "a")
    code, out, _ = wellworn("evaluate", "a", "--labels", "l.jsonl")
    assert code == 0
    assert "WARNING" in out.splitlines()[0]
    text = " ".join(out.replace("│", " ").split())
    assert "Members and non-members differ in their text alone: characters (AUC 0.00" in text
    assert "0.50 separates, reversed" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere", "--labels", "p.jsonl"), "nowhere: no run is there"),
        (("a", "--labels", "none.csv"), "none.csv: there is no such file"),
        (("a", "--labels", "p.jsonl", "--label-field", "seen"), "unknown column 'seen'"),
        (("a",), "--labels"),
    ],
)
def test_mistakes(run, arguments, said):
    code, out, err = run("evaluate", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_run_that_is_not_scored(wellworn, tmp_path):
    wellworn(
        *("sample", "--model", "fake/model.json", "--samples", "4"),
        *("--prompts", "suspects.jsonl", "--reference", "fresh.txt", "-o", "a"),
    )
    (tmp_path / "l.csv").write_text("prompt,member\nWhat is 2 + 2?,1\nName a city.,0\n")
    code, _, err = wellworn("evaluate", "a", "--labels", "l.csv")
    assert code == 2
    assert "a: not scored yet. Run `wellworn score a`." in err
