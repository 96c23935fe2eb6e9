"""Logs of other people's models, from ../shared/data where it is at hand."""

import json

import pytest

from sample_logs import error_of, read, texts


@pytest.mark.parametrize(
    ("name", "took", "items", "each"),
    [
        (
            "codet-humaneval-codegen16b-100/HumanEval_codegen16B_num100.jsonl.gz",
            ["prompt: 'prompt'", "completions: 'samples' (a list of 100"],
            164,
            100,
        ),
        (
            "qwen25math-rm-maj8/math_cot_100.jsonl.gz",
            ["prompt: 'question'", "completions: 'response' (a list of 8"],
            100,
            8,
        ),
        (
            "rg-qwen25-3b-rl-vs-base-3samples/rl_games500_graphs.json.gz",
            [
                "rows: categories.datasets.results (500)",
                "prompt: 'question'",
                "completions: 'completions' (a list of 3",
                "model: ../models/inter_games_qwen_3b_500 from the file",
                "temperature: 0.6",
                "top_p: 0.9",
                "max_tokens: 2048",
            ],
            500,
            3,
        ),
        (
            "rg-qwen25-3b-rl-vs-base-3samples/kk_llama33_70b.json",
            ["rows: results (50)", "prompt: 'question'", "completions: 'completions' (a list of 3"],
            50,
            3,
        ),
        (
            "../formats/nemo_skills/output-rs0.jsonl",
            ["prompt: 'problem'", "completions: 'generation' (one a row)"],
            50,
            1,
        ),
        (
            "../formats/simplerl_eval/rg_rlft_aime24.jsonl",
            ["prompt: 'question'", "completions: 'code' (a list of 1 "],
            30,
            1,
        ),
    ],
)
def test_real_logs_read_without_options(shared, name, took, items, each):
    reading = read(shared / "data/completions" / name)
    assert len(reading.took) == len(took)
    assert all(said.startswith(start) for said, start in zip(reading.took, took, strict=True))
    counts = [len(completions) for _, completions in reading]
    assert counts == [each] * items
    assert reading.notes == []


def test_the_real_ladder_reads_without_options(shared):
    files = sorted((shared / "data/completions/rlvr-qwen25math15b-deepscaler").glob("*.json.gz"))
    assert len(files) == 15
    for path in files:
        size = 83 if "AMC" in path.name else 30
        reading = read(path)
        assert reading.took[:3] == [
            f"rows: metadata ({size})",
            "prompt: 'prompt' (a text, as the model saw it)",
            "completions: 'outputs' (a list of 8 in every row)",
        ]
        assert reading.generation.temperature == 0.6
        items = list(reading)
        assert [len(completions) for _, completions in items] == [8] * size
        assert items[0][0].text.startswith("<|im_start|>system\nPlease reason step by step")


def test_nothing_of_a_real_completion_is_lost(shared):
    path = shared / "data/completions/rg-qwen25-3b-rl-vs-base-3samples/kk_llama33_70b.json"
    rows = json.loads(path.read_text())["results"]
    got = texts(read(path))
    assert got == [
        (row["question"], [c["full_model_response"] for c in row["completions"]]) for row in rows
    ]


def test_a_real_log_of_another_shape_is_refused_with_its_fields(shared):
    path = next((shared / "data/formats/lm_eval").glob("samples_*.jsonl"))
    message = error_of(path, reader="plain")
    assert "  plain: no field holds a prompt or completions.\n" in message
    assert "Fields of the first row: doc_id (a number), doc (an object)" in message
