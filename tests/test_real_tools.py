"""Logs that lm-evaluation-harness and Inspect write of a real model, scored.

Both run as a user would run them, against llama.cpp's server; docs/formats.md has the commands.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from wellworn.cli import main

M = 6
ROWS = [
    {"question": "Name a colour, and say why.", "answer": "blue"},
    {"question": "Name a river, and say why.", "answer": "Rhine"},
]

TASK = """
task: names
dataset_path: json
dataset_kwargs: {data_files: {test: names.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
repeats: 6
generation_kwargs: {do_sample: true, temperature: 0.9, top_p: 0.95, max_gen_toks: 16, until: []}
metric_list: [{metric: exact_match}]
"""

INSPECT = """
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import includes

@task
def names():
    fields = FieldSpec(input="question", target="answer")
    return Task(dataset=json_dataset("names.jsonl", fields), scorer=includes())
"""


@pytest.fixture
def work(tmp_path, monkeypatch):
    (tmp_path / "names.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "names.yaml").write_text(TASK)
    (tmp_path / "names.py").write_text(INSPECT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(tool, *arguments, **environment):
    """Run a tool that lies beside the interpreter."""
    command = Path(sys.executable).with_name(tool)
    if not command.exists():
        pytest.skip(f"{tool} is not installed; `pip install --group tools` installs it")
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    done = subprocess.run(
        [str(command), *arguments],
        env={**os.environ, **offline, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def scores_of(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main(["score", "--from", "auto", *arguments, "-o", "run", "--json"])
    assert left.value.code == 0
    said = capsys.readouterr()
    return json.loads(said.out), said.err


def lm_eval(llama, seed):
    settings = f"model=smollm2,base_url={llama}/chat/completions,num_concurrent=2,seed={seed}"
    run(
        *("lm-eval", "run", "--model", "local-chat-completions", "--model_args", settings),
        *("--tasks", "names", "--include_path", "tasks", "--apply_chat_template"),
        *("--output_path", "out", "--log_samples"),
    )


@pytest.mark.skipif(not find_spec("lm_eval"), reason="lm_eval is not installed")
def test_repeats_of_lm_eval_are_scored(work, llama, capsys):
    lm_eval(llama, -1)
    scores, said = scores_of(capsys, "out")
    assert [score["counts"]["completions"] for score in scores] == [M, M]
    assert all(score["value"] > 0 for score in scores)
    assert "• task: names\n" in said
    assert "• temperature: 0.9 from the file\n" in said
    assert "• model: smollm2 from the file\n" in said


@pytest.mark.skipif(not find_spec("lm_eval"), reason="lm_eval is not installed")
def test_the_one_seed_that_lm_eval_sends_is_found_out(work, llama, capsys):
    lm_eval(llama, 1234)
    with pytest.raises(SystemExit) as left:
        main(["score", "--from", "auto", "out", "-o", "run"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert "One seed for all requests, or a cache, does that too." in said
    assert "so the import took them as greedy" in said


@pytest.mark.skipif(not find_spec("inspect_ai"), reason="inspect_ai is not installed")
def test_epochs_of_inspect_are_scored(work, llama, capsys):
    run(
        *("inspect", "eval", "names.py", "--model", "openai-api/llama/smollm2"),
        *("--epochs", str(M), "--temperature", "0.9", "--max-tokens", "16", "--log-dir", "logs"),
        *("--display", "none"),
        LLAMA_API_KEY="none",
        LLAMA_BASE_URL=llama,
    )
    scores, said = scores_of(capsys, "logs")
    assert [score["counts"]["completions"] for score in scores] == [M, M]
    assert all(score["value"] > 0 for score in scores)
    assert "• model: openai-api/llama/smollm2 from the file\n" in said
    assert "• temperature: 0.9 from the file\n" in said
