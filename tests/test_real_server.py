"""An audit of SmolLM2 through llama.cpp's server, as a user would run it, killed on the way."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from proxy import noting
from wellworn.records import Generation
from wellworn.store import Store

M, TOKENS = 8, 12
SUSPECTS = [f"Name a {word}." for word in ("colour", "river", "tree", "fruit", "tool", "star")]
REFERENCES = [f"Name a {word}." for word in ("bird", "city", "fish", "metal", "song", "game")]


@pytest.fixture
def command(tmp_path):
    """Return a command for an audit of that server, without its address."""
    for name, questions in (("suspects", SUSPECTS), ("references", REFERENCES)):
        lines = [json.dumps({"prompt": question}) for question in questions]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    return [
        *(sys.executable, "-m", "wellworn", "audit", "--model", "openai/smollm2"),
        *("--prompts", tmp_path / "suspects.jsonl", "--reference", tmp_path / "references.jsonl"),
        *("--samples", str(M), "--max-tokens", str(TOKENS), "--choices", "4"),
        *("--concurrency", "1", "--json"),
    ]


def stored(run):
    generation = Generation(
        model="openai/smollm2", temperature=0.7, top_p=0.95, max_tokens=TOKENS, seed=0
    )
    with Store(run) as store:
        return {
            (record.prompt.shown, completion.index): (completion.text, completion.seed)
            for record in store.records(generation)
            for completion in record.completions("sample")
        }


def places(asked):
    """Return (question, seed, n) of each request that asks for samples."""
    found = [(body["messages"][-1]["content"], body["seed"], body.get("n", 1)) for body in asked]
    return [place for place in found if place[0] in {*SUSPECTS, *REFERENCES}]


def test_an_audit_that_is_killed_goes_on_from_there(llama, command, tmp_path):
    run = tmp_path / "run"
    with noting(llama) as proxy:
        whole = [*command, "--base-url", proxy.url, "-o", run]
        process = subprocess.Popen(whole, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(places(proxy.asked)) < 8:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
        before = stored(run)
        first = len(proxy.asked)
        assert 0 < len(before) < len(SUSPECTS + REFERENCES) * M

        done = subprocess.run(whole, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        after = stored(run)
        resumed = places(proxy.asked[first:])

        again = subprocess.run(whole, capture_output=True, text=True, check=False)
        assert places(proxy.asked[first:]) == resumed, "a finished run asked for more"

    assert len(after) == len(SUSPECTS + REFERENCES) * M
    assert before.items() <= after.items(), "a stored completion was lost or changed"
    assert sum(n for _, _, n in resumed) == len(after) - len(before), "something was asked twice"
    report, same = json.loads(done.stdout), json.loads(again.stdout)
    assert [i["value"] for i in report["items"]] == [i["value"] for i in same["items"]]
    assert [i["score"] is not None for i in report["items"]] == [True] * 12
    assert report["verdict"]["level"] in ("no evidence", "converged, not attributable")
    assert report["comparison"]["smallest_p"] == pytest.approx(1 / 924)
    assert json.loads((run / "report.json").read_text()) == same


def test_ctrl_c_stops_within_seconds_and_says_how_to_go_on(llama, command, tmp_path):
    run = tmp_path / "run"
    with noting(llama) as proxy:
        whole = [*command, "--base-url", proxy.url, "-o", run]
        process = subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(places(proxy.asked)) < 4:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == (
        "Stopped. What was stored by then is kept; to go on, give the same command."
    )
    assert "Traceback" not in err
    assert 0 < len(stored(run)) < len(SUSPECTS + REFERENCES) * M


def test_doctor_tells_what_the_server_can_do(llama):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "wellworn", "doctor", "--json"),
            *("--model", "openai/smollm2", "--base-url", llama),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    found = json.loads(done.stdout)
    able = {capability["name"]: capability["able"] for capability in found["capabilities"]}
    assert able["answers"]
    assert able["n"]
    assert able["distinct samples"]
    assert able["log-probabilities"]
    assert able["prompt log-probabilities"] is False
    lacks = {name: each["lacks"] for name, each in found["detectors"].items()}
    assert lacks["min-knn"] == lacks["self-critique"] == lacks["min-k"] == []
    assert lacks["min-k++"] == ["whole distributions"]
    assert lacks["recall"] == ["prompt log-probabilities"]


def test_a_gguf_file_is_served_in_this_process(smollm2, tmp_path):
    import wellworn

    summary = wellworn.audit(
        SUSPECTS[:2],
        REFERENCES[:2],
        model=wellworn.Target(model=f"gguf/{smollm2}", concurrency=4, context=256),
        run=tmp_path,
        sampling=wellworn.Sampling(samples=4, max_tokens=8, seed=3),
    )
    assert summary.parameters["model"].startswith(f"gguf/{smollm2.name}@")
    assert summary.suspects.completions == 8
    assert summary.verdict.level == "insufficient data"
    frame = wellworn.to_pandas(summary)
    assert list(frame["set"]) == ["suspects"] * 2 + ["references"] * 2
    assert frame["value"].between(0, 1).all()
