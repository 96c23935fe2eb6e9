"""`wellworn demo`: two audits through llama.cpp, and the truth."""

import json
import subprocess
import sys
from importlib.resources import files
from importlib.util import find_spec

import pytest

DEMO = files("wellworn.demo")
TELL_TORCH = (
    "import atexit, sys; atexit.register(lambda: print('torch' in sys.modules, file=sys.stderr))"
)
CODE = f"{TELL_TORCH}; from wellworn.cli import main; main()"


def test_the_files_are_small_and_the_sets_are_alike_and_disjoint():
    assert sum(path.stat().st_size for path in DEMO.iterdir() if path.is_file()) < 5_000_000
    suspects, references = (
        [
            json.loads(line)["prompt"][0]["content"]
            for line in (DEMO / name).read_text().splitlines()
        ]
        for name in ("suspects.jsonl", "references.jsonl")
    )
    assert (len(suspects), len(references)) == (32, 48)
    assert set(suspects).isdisjoint(references)


@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="`make test` installs xllamacpp")
def test_it_finds_the_model_that_was_trained_on_the_suspects_and_not_the_other(tmp_path):
    command = [sys.executable, "-c", CODE, "demo", "-o", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    tuned, other = done.stdout.split("other.gguf: was it trained on the suspects?")
    assert "CONSISTENT WITH RL EXPOSURE" in tuned
    assert "NO EVIDENCE" in other
    assert "tuned.gguf was trained on the suspects" in other
    assert str(tmp_path / "tuned" / "report.html") in done.stderr
    assert done.stderr.endswith("False\n"), "torch was imported"
    levels = [
        json.loads((tmp_path / name / "report.json").read_text())["verdict"]["level"]
        for name in ("tuned", "other")
    ]
    assert levels == ["consistent with RL exposure", "no evidence"]
