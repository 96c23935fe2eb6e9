"""Logs of other tools on the command line: import, a look beforehand, scores in one go."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from foreign_logs import LOGS, written
from sample_logs import jsonl
from wellworn.readers import READERS
from wellworn.store import Store


@pytest.fixture
def logs(tmp_path):
    """Write a log of verl with two prompts of eight samples each into the working folder."""
    rows = [
        {"input": f"p{n}", "output": f"{n * k} and then some", "score": 1.0, "step": 20}
        for k in range(8)
        for n in (1, 2)
    ]
    (tmp_path / "dumps").mkdir()
    jsonl(tmp_path / "dumps", *rows, name="20.jsonl")
    return tmp_path


def test_a_dry_run_says_what_would_be_read(wellworn, logs):
    for command in (("import",), ("score", "--from", "auto")):
        code, out, err = wellworn(*command, "dumps", "--dry-run")
        assert (code, out) == (0, "")
        assert err == (
            "• rollouts of verl\n"
            "• prompt: a text, as the model saw it\n"
            "• completions: one a row\n"
            "• step: 20 from the file\n"
            "• model: not stated; --model-name says it\n"
            "• temperature: not stated; --temperature says it\n"
            "• samples a prompt: 8\n"
            "• why it ended: not stated for 16 completions\n"
            "dumps/20.jsonl:1\n  prompt: 'p1'\n  completion: '0 and then some'\n"
            "dumps/20.jsonl:2\n  prompt: 'p2'\n  completion: '0 and then some'\n"
            "16 completions of 2 prompts would be read; nothing was kept.\n"
        )
    assert [path.name for path in logs.iterdir() if path.suffix == ".sqlite"] == []


def test_an_import_needs_a_run_and_takes_a_reader(wellworn, logs):
    code, _, err = wellworn("import", "dumps", "--from", "verl")
    assert (code, err) == (
        2,
        "wellworn: error: no run is named.\nGive its folder with -o, or look first with "
        "--dry-run.\n",
    )
    code, _, err = wellworn("import", "dumps", "--from", "verl", "-o", "a")
    assert code == 0
    assert err.endswith("16 completions of 2 prompts were added to a.\n")
    code, _, err = wellworn("import", "dumps", "--from", "trl", "-o", "b")
    assert code == 2
    assert "1 file, and no completions in any" in err


def test_logs_are_scored_in_one_go(wellworn, logs):
    code, out, err = wellworn("score", "--from", "auto", "dumps", "--json")
    assert code == 0
    scores = json.loads(out)
    assert [score["counts"]["completions"] for score in scores] == [8, 8]
    assert "The completions are in runs/dumps.\n" in err
    assert err.endswith("2 of 2 prompts have a score.\n")
    with Store("runs/dumps") as store:
        assert len(store.prompt_ids()) == 2
    again = json.loads(
        wellworn("score", "--from", "verl", "dumps/20.jsonl", "-o", "x", "--json")[1]
    )
    assert [score["value"] for score in again] == [score["value"] for score in scores]


def test_too_few_samples_are_refused_with_the_way_out(wellworn, tmp_path):
    jsonl(tmp_path, *({"prompt": f"p{n}", "completion": "a"} for n in range(3)))
    code, _, err = wellworn("score", "--from", "auto", "a.jsonl")
    assert code == 2
    assert "runs/a: most prompts have one completion, and samples are compared" in err


def test_greedy_logs_are_refused(wellworn, tmp_path):
    rows = [
        {"prompt": f"p{n % 3}", "completion": f"always the same answer {n % 3}"} for n in range(12)
    ]
    jsonl(tmp_path, *rows)
    code, _, err = wellworn("score", "--from", "auto", "a.jsonl")
    assert code == 2
    assert "so they are taken as greedy (temperature 0)" in err
    assert "so the import took them as greedy, and min-knn reads samples" in err
    assert "import the log into another run, and say at which --temperature" in err
    code, _, err = wellworn("analyze", "runs/a")
    assert code == 2
    assert "so the import took them as greedy, and an analysis reads samples" in err
    code, *_ = wellworn("score", "--from", "auto", "a.jsonl", "-o", "b", "--temperature", "0.7")
    assert code == 0


def test_several_runs_are_refused_by_score(wellworn):
    code, _, err = wellworn("score", "a", "b")
    assert code == 2
    assert err == (
        "wellworn: error: 2 runs are given; one is scored at a time.\n"
        "Logs of other tools are scored with `wellworn score --from auto PATH…`.\n"
    )


def test_the_readers_are_listed(wellworn):
    listed = json.loads(wellworn("list", "readers", "--json")[1])
    assert [row["name"] for row in listed] == list(READERS)


def test_logs_without_a_temperature_bear_no_claim_together(wellworn, logs):
    written(logs, LOGS["plain"])
    for name, prompts in (("one", "ab"), ("two", "cd")):
        rows = [
            {"prompt": prompt, "completions": [f"{prompt} {n}" for n in range(4)], "model": "m"}
            for prompt in prompts
        ]
        jsonl(logs, *rows, name=f"{name}.jsonl")
        assert wellworn("import", f"{name}.jsonl", "-o", name)[0] == 0
    out = wellworn("audit", "--run", "one", "--reference-run", "two", "--json")[1]
    doubt = "Nothing says at which temperature the suspects or the references were sampled"
    assert any(reason.startswith(doubt) for reason in json.loads(out)["verdict"]["reasons"])


def test_two_logs_of_one_name_do_not_share_a_run(wellworn, tmp_path):
    for folder in ("base", "tuned"):
        (tmp_path / folder).mkdir()
        rows = ({"prompt": "p", "completion": f"{folder} says {n}"} for n in range(8))
        jsonl(tmp_path / folder, *rows, name="20.jsonl")
    assert wellworn("score", "--from", "auto", "base/20.jsonl")[0] == 0
    assert wellworn("score", "--from", "auto", "base/20.jsonl")[0] == 0
    code, _, err = wellworn("score", "--from", "auto", "tuned/20.jsonl")
    assert code == 2
    assert "runs/20: this run holds completions already from" in err
    assert "Name a run for them with -o." in err


def test_files_without_rows_in_a_folder_are_passed_over(wellworn, logs):
    (logs / "dumps/config.json").write_text('{"lr": 1}')
    (logs / "dumps/empty.jsonl").write_text("")
    code, _, err = wellworn("score", "--from", "auto", "dumps")
    assert code == 0
    assert "dumps/config.json: it holds no rows; passed over." in err
    assert "dumps/empty.jsonl: it holds no rows; passed over." in err


def test_shards_that_overlap_are_described_by_what_counts(wellworn, tmp_path):
    rows = [{"prompt": "p", "completion": f"a long enough answer {n}"} for n in range(12)]
    jsonl(tmp_path, *rows[:8], name="a.jsonl")
    jsonl(tmp_path, *rows[2:], name="b.jsonl")
    _, _, err = wellworn("import", "a.jsonl", "b.jsonl", "-o", "r")
    assert "b.jsonl: 6 completions of 1 prompt that the run held already" in err
    assert "samples a prompt: 12\n" in err
    assert "not stated for 12 completions" in err


def test_a_hyphen_is_standard_input_and_a_misspelt_option_none(wellworn, monkeypatch):
    rows = b'{"prompt": "p", "completion": "a"}\n{"prompt": "p", "completion": "b"}\n'
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(rows)))
    assert "2 completions of 1 prompt were added" in wellworn("import", "-", "-o", "r")[2]
    code, _, err = wellworn("import", "a.jsonl", "--dry-rn")
    assert code == 2
    assert "--dry-rn" in err
    assert "--dry-run" in err
