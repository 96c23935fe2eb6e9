"""Scores as Inspect and Every Eval Ever read them."""

import hashlib
import json

import pytest

from sample_logs import jsonl
from wellworn.errors import BadInput
from wellworn.exporting import export
from wellworn.importing import import_run
from wellworn.interchange import inspect_rows, write_every_eval_ever
from wellworn.judging import Scoring, score_run
from wellworn.readers import Layout, read_completions
from wellworn.store import Store

TEXTS = {"p0": ["aaaa", "aaab", "aabb", "bbbb"], "p1": ["cccc", "cccc", "dddd", "eeee"]}


@pytest.fixture
def run(tmp_path):
    rows = [
        {
            "doc_id": n,
            "arguments": [[prompt, {"temperature": 0.7}]],
            "resps": [texts],
            "filter": "none",
            "target": "4",
        }
        for n, (prompt, texts) in enumerate(TEXTS.items())
    ]
    with Store(tmp_path / "run", create=True) as store:
        import_run(store, [jsonl(tmp_path, *rows)], Layout(model_name="org/m"))
        score_run(store, Scoring())
        yield store


def test_inspect_gets_scores_by_its_own_ids(run, tmp_path):
    out = tmp_path / "scores.jsonl"
    assert export(inspect_rows(run), out) == 2
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["id"], row["value"]) for row in rows] == [("0", 0.75), ("1", 1.0)]
    assert rows[0]["explanation"] == "min-knn = 0.25; higher is more converged"
    assert rows[0]["metadata"]["prompt_id"] == run.prompt_ids()[0]


def test_inspect_takes_them(run, tmp_path):
    precomputed = pytest.importorskip("inspect_ai.scorer._precomputed")
    out = tmp_path / "scores.jsonl"
    export(inspect_rows(run), out)
    held = precomputed._read_scores_file(str(out))
    assert {key: score.value for key, score in held.items()} == {("0", None): 0.75, ("1", None): 1}


def test_two_prompts_of_one_id_are_refused(run, tmp_path):
    row = {
        "doc_id": 0,
        "arguments": [["another", {"temperature": 0.7}]],
        "resps": [["a", "b"]],
        "filter": "none",
    }
    path = jsonl(tmp_path, row, name="b.jsonl")
    import_run(run, [path], Layout(model_name="org/m"))
    score_run(run, Scoring())
    with pytest.raises(BadInput, match="two of its prompts are called '0' in the logs"):
        list(inspect_rows(run))


def test_every_eval_ever_gets_a_document_and_its_records(run, tmp_path):
    assert write_every_eval_ever(run, tmp_path / "eee") == 2
    (path,) = (tmp_path / "eee/data/wellworn/org/m").glob("*.json")
    document = json.loads(path.read_text())
    assert document["model_info"]["id"] == "org/m"
    (result,) = document["evaluation_results"]
    assert result["score_details"]["score"] == pytest.approx(0.875)
    assert result["metric_config"]["metric_id"] == "wellworn.min-knn"
    about = document["detailed_evaluation_results"]
    assert about["file_path"] == f"data/wellworn/org/m/{path.stem}_samples.jsonl"
    records = tmp_path / "eee" / about["file_path"]
    assert about["checksum"] == hashlib.sha256(records.read_bytes()).hexdigest()
    rows = [json.loads(line) for line in records.read_text().splitlines()]
    assert {row["evaluation_id"] for row in rows} == {document["evaluation_id"]}
    assert rows[0]["output"] == {"raw": TEXTS["p0"], "reasoning_trace": None}
    assert rows[0]["evaluation"] == {"score": 0.75, "is_correct": False}


def test_what_is_written_is_read_again(run, tmp_path):
    write_every_eval_ever(run, tmp_path / "eee")
    (path,) = (tmp_path / "eee").rglob("*.jsonl")
    reading = read_completions([path])
    assert {p.shown: [c.text for c in held] for p, held in reading} == TEXTS
    assert (reading.generation.model, reading.generation.temperature) == ("org/m", 0.7)


def test_a_run_without_scores_is_refused(tmp_path):
    rows = {"prompt": "p", "completions": ["a", "b"]}
    with Store(tmp_path / "run", create=True) as store:
        import_run(store, [jsonl(tmp_path, rows)])
        with pytest.raises(BadInput, match="not scored yet"):
            list(inspect_rows(store))
        with pytest.raises(BadInput, match="not scored yet"):
            write_every_eval_ever(store, tmp_path / "eee")
