"""Logs of other people's models, from ../shared/data where it is at hand."""

import json

import pytest

from sample_logs import error_of, read, texts
from wellworn.errors import BadInput
from wellworn.importing import import_run, preview
from wellworn.store import Store


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
            ["outputs of an evaluation of mathematics", "prompt: a text", "completions: 8 a row"],
            100,
            8,
        ),
        (
            "rg-qwen25-3b-rl-vs-base-3samples/rl_games500_graphs.json.gz",
            [
                "results of reasoning-gym-eval: categories.datasets.results",
                "prompt: a text",
                "completions: 3 a row",
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
            [
                "results of reasoning-gym-eval: results",
                "prompt: a chat",
                "completions: 3 a row",
            ],
            50,
            3,
        ),
        (
            "../formats/nemo_skills/output-rs0.jsonl",
            [
                "generations of NeMo-Skills: seed 0",
                "prompt: a text",
                "completions: one a row",
            ],
            50,
            1,
        ),
        (
            "../formats/simplerl_eval/rg_rlft_aime24.jsonl",
            ["outputs of an evaluation of mathematics", "prompt: a text", "completions: one a row"],
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


COUNTS = {
    "inspect/eee_data_arc_qwen.json": (3, 3),
    "inspect/log_formats.eval": (1, 1),
    "inspect/log_formats.json": (1, 1),
    "inspect/log_read_sample.json": (1, 1),
    "inspect/log_streaming.eval": (2, 4),
    "inspect/mmlu-summary-choices.eval": (1, 1),
    "lm_eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl": (10, 10),
    "nemo_skills/output-rs0.jsonl": (50, 50),
    "nemo_skills/output-rs1.jsonl": (50, 50),
    "nemo_skills/output-rs2.jsonl": (50, 50),
    "openai_batch/groq_batch_output.jsonl": (3, 3),
    "simplerl_eval/rg_rlft_aime24.jsonl": (30, 30),
}
"""Prompts and completions of the real logs that can be read."""

REFUSED = {
    "lm_eval/results_2026-01-21T03-44-18.458309.json": "it holds the results of lm-evaluation",
    "nemo_skills/hendrycks_math_output-rs0.jsonl": "nemo-skills: line 1 has no 'generation'",
    "nemo_skills/hendrycks_math_output-rs1.jsonl": "nemo-skills: line 1 has no 'generation'",
    "nemo_skills/hendrycks_math_output-rs2.jsonl": "nemo-skills: line 1 has no 'generation'",
    "openai_batch/groq_batch_input.jsonl": "it holds the requests of a batch",
}
"""Those that cannot, and why."""


def test_every_real_file_of_a_format_reads_or_is_refused_with_the_right_reason(shared):
    pytest.importorskip("inspect_ai")
    folder = shared / "data/formats"
    files = {str(path.relative_to(folder)) for path in folder.glob("*/*")}
    assert files == COUNTS.keys() | REFUSED.keys()
    for name, (prompts, completions) in COUNTS.items():
        found = preview([folder / name])
        assert (found.prompts, found.completions) == (prompts, completions), name
    for name, reason in REFUSED.items():
        with pytest.raises(BadInput, match=reason):
            preview([folder / name])


def test_the_real_lm_eval_log_is_greedy_and_named_by_its_results(shared):
    reading = read(
        shared / "data/formats/lm_eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl"
    )
    generation = reading.generation
    assert (generation.temperature, generation.max_tokens) == (0, 512)
    assert generation.model.startswith("RylanSchaeffer/mem_Qwen3-93M")
    prompt, (completion,) = next(iter(reading))
    assert prompt.text.startswith("Problem: How many vertical asymptotes")
    assert prompt.answer == "3"
    assert completion.text.startswith(" 1. The graph of $y=1.")


def test_files_of_seeds_are_samples_of_one_log(shared, tmp_path):
    with Store(tmp_path / "run", create=True) as store:
        done = import_run(store, [str(shared / "data/formats/nemo_skills/output-rs*.jsonl")])
        assert (done.prompts, done.completions, done.samples) == (50, 150, (3, 3))
        assert not any("held already" in note for note in done.notes)
