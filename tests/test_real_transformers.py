"""An audit of a transformers checkpoint, killed on the way: the same texts, the same scores."""

import json
import os
import subprocess
import sys
import time

import pytest

import wellworn
from wellworn.records import Generation
from wellworn.store import Store

SUSPECTS = [f"Question {number}?" for number in range(4)]
REFERENCES = [f"Query {number}?" for number in range(4)]


@pytest.fixture
def command(tmp_path, tiny_llama):
    for name, questions in (("suspects", SUSPECTS), ("references", REFERENCES)):
        (tmp_path / f"{name}.txt").write_text("\n".join(questions))
    return [
        *(sys.executable, "-m", "wellworn", "audit", "--model", f"hf/{tiny_llama}"),
        *("--prompts", tmp_path / "suspects.txt", "--reference", tmp_path / "references.txt"),
        *("--samples", "8", "--max-tokens", "48", "--choices", "2", "--device", "cpu", "--json"),
    ]


def stored(run):
    with Store(run) as store:
        generations: list[Generation] = store.generations()
        return {
            (record.prompt.shown, completion.index): completion.text
            for generation in generations
            for record in store.records(generation)
            for completion in record.completions("sample")
        }


def test_a_killed_audit_ends_as_if_it_had_not_been(command, tmp_path):
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    run = tmp_path / "killed"
    process = subprocess.Popen(
        [*command, "-o", run], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not ((run / "run.sqlite").is_file() and len(_try(stored, run)) >= 8):
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.wait()
    before = stored(run)
    assert 8 <= len(before) < 64

    reports = []
    for folder in (run, tmp_path / "whole"):
        done = subprocess.run(
            [*command, "-o", folder], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        reports.append(json.loads(done.stdout))
    assert before.items() <= stored(run).items()
    assert stored(run) == stored(tmp_path / "whole")
    killed, whole = ([item["value"] for item in report["items"]] for report in reports)
    assert killed == whole
    assert len(set(killed)) > 1


def _try(function, *arguments):
    """Return nothing where the run is not there yet."""
    try:
        return function(*arguments)
    except wellworn.BadInput:
        return {}


def test_token_ids_can_be_compared(tiny_llama, tmp_path):
    summary = wellworn.audit(
        SUSPECTS[:2],
        REFERENCES[:2],
        model=wellworn.Target(model=f"hf/{tiny_llama}", device="cpu"),
        run=tmp_path,
        sampling=wellworn.Sampling(samples=4, max_tokens=8),
        options=wellworn.Options(unit="token"),
    )
    assert [item.score is not None for item in summary.items] == [True] * 4
    assert summary.parameters["unit"] == "token"
