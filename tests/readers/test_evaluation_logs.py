"""What is special to logs of evaluations: lm-eval, lighteval, Every Eval Ever and the like."""

import json

import pytest

from foreign_logs import LOGS, Log, document, lighteval, lines, parquet, user, written
from sample_logs import error_of, jsonl
from wellworn.errors import BadInput
from wellworn.importing import preview
from wellworn.readers import Layout, read_completions
from wellworn.records import Completion


def rows_of(log):
    return [json.loads(line) for line in log.data.splitlines()]


def changed(log, **fields):
    """Return a log whose rows have other values."""
    return log._replace(data=lines(*(row | fields for row in rows_of(log))))


def items(path, **options):
    return list(read_completions([path], Layout(**options)))


LM_EVAL = LOGS["lm-eval"]


def test_lm_eval_counts_a_document_once_though_it_has_two_filters(tmp_path):
    path = written(tmp_path, LM_EVAL)
    assert len(path.read_bytes().splitlines()) == 4
    reading = read_completions([path])
    assert [len(completions) for _, completions in reading] == [2, 2]
    assert reading.took[0] == "task: sums"
    prompt, _ = next(iter(reading))
    assert (prompt.answer, prompt.metadata["id"], prompt.metadata["task"]) == ("4", "0", "sums")
    assert reading.generation.model == "org/m"


@pytest.mark.parametrize(
    ("settings", "temperature"),
    [
        ({"do_sample": False, "temperature": 0.8}, 0.0),
        ({"until": []}, 0.0),
        ({"do_sample": True}, None),
        ({"do_sample": True, "temperature": 1}, 1.0),
    ],
)
def test_lm_eval_decodes_greedily_unless_it_is_told(tmp_path, settings, temperature):
    arguments = {"gen_args_0": {"arg_0": "p", "arg_1": settings}}
    path = written(tmp_path, changed(LM_EVAL, arguments=arguments))
    assert read_completions([path]).generation.temperature == temperature


def test_lm_eval_of_older_versions_has_arguments_in_lists(tmp_path):
    path = written(tmp_path, changed(LM_EVAL, arguments=[["an old prompt", {"temperature": 0.5}]]))
    assert items(path)[0][0].text == "an old prompt"


def test_lm_eval_says_that_reasoning_was_cut_off(tmp_path):
    [name] = LM_EVAL.beside
    results = json.loads(LM_EVAL.beside[name])
    results["config"]["model_args"] = "pretrained=org/m,think_end_token=</think>"
    path = written(tmp_path, LM_EVAL._replace(beside={name: document(results)}))
    assert all(c.reasoning_hidden for _, completions in items(path) for c in completions)


def test_lm_eval_of_choices_is_refused(tmp_path):
    resps = [[["-1.5", "False"]], [["-0.5", "True"]]]
    path = written(tmp_path, changed(LM_EVAL, resps=resps))
    message = error_of(path)
    assert (
        "\n  lm-eval: its task compares log-likelihoods of choices, so no text was sampled.\n"
        in message
    )
    assert "Sample a task that generates text" in message
    rows = rows_of(LM_EVAL)
    path.write_bytes(lines(*rows[:1], rows[1] | {"resps": resps}))
    assert f"{path}:2: the document has 1 requests, and texts come of one." in error_of(path)


def test_lm_eval_without_results_is_of_an_unnamed_model(tmp_path):
    path = written(tmp_path, LM_EVAL._replace(name="x/samples.jsonl", beside={}))
    reading = read_completions([path])
    assert (reading.generation.model, reading.took[0]) == ("unknown", "task: not named")
    path = written(tmp_path, LM_EVAL._replace(beside={}))
    assert read_completions([path]).generation.model == "org/m"


def test_lighteval_sets_reasonings_apart_and_prefers_what_the_model_saw(tmp_path):
    row = {
        "doc": {"query": "the bare question", "choices": ["3", "4"], "gold_index": 1, "id": "7"},
        "model_response": {
            "input": user("the question in its template"),
            "text": ["four", None],
            "reasonings": ["hm", None],
        },
    }
    path = tmp_path / "details_x.parquet"
    path.write_bytes(parquet(row))
    ((prompt, completions),) = items(path)
    assert prompt.shown == "the question in its template"
    assert (prompt.answer, prompt.metadata) == ("4", {"id": "7"})
    assert completions == (Completion(text="four", reasoning="hm"),)


def test_lighteval_may_hold_its_columns_as_json(tmp_path):
    row = {
        "__doc__": json.dumps({"query": "q"}),
        "__model_response__": json.dumps({"text": ["a", "b"]}),
    }
    path = tmp_path / "details_x.parquet"
    path.write_bytes(parquet(row))
    assert [c.text for c in items(path)[0][1]] == ["a", "b"]
    path.write_bytes(parquet({**row, "__doc__": "{"}))
    assert "row 1: the row is not as this tool writes it: Expected `object`" in error_of(path)


def test_every_eval_ever_takes_the_first_metric_alone_and_the_parameters_beside(tmp_path):
    path = written(tmp_path, LOGS["every-eval-ever"])
    reading = read_completions([path])
    assert sum(len(completions) for _, completions in reading) == 4
    assert (reading.generation.model, reading.generation.temperature) == ("org/m", 0.7)


def test_every_eval_ever_joins_what_an_agent_says(tmp_path):
    turns = [
        *user("q"),
        {"role": "assistant", "content": "let me look"},
        {"role": "tool", "content": "4"},
        {"role": "assistant", "content": "four"},
    ]
    row = rows_of(LOGS["every-eval-ever"])[0] | {"messages": turns, "output": None}
    failed = row | {"sample_id": "2", "error": "timeout"}
    reading = read_completions([jsonl(tmp_path, row, failed)])
    found = [(prompt.shown, [c.text for c in completions]) for prompt, completions in reading]
    assert found == [("q", ["let me look\nfour"]), ("q", [])]


def test_every_eval_ever_sets_the_reasoning_of_turns_apart(tmp_path):
    said = {"role": "assistant", "content": "four", "reasoning_trace": "hm"}
    row = rows_of(LOGS["every-eval-ever"])[0] | {"messages": [*user("q"), said], "output": None}
    ((_, (completion,)),) = items(jsonl(tmp_path, row))
    assert (completion.text, completion.reasoning) == ("four", "hm")


@pytest.mark.parametrize(("written", "hidden"), [(12, False), (13, True)])
def test_every_eval_ever_shows_less_than_the_model_wrote(tmp_path, written, hidden):
    usage = {"input_tokens": 9, "output_tokens": written, "total_tokens": written + 9}
    more = {"token_usage": usage, "metadata": {"stop_reason": "max_tokens", "epoch": "1"}}
    row = rows_of(LOGS["every-eval-ever"])[0] | {"output": {"raw": ["four"]}} | more
    ((_, (completion,)),) = items(jsonl(tmp_path, row))
    assert (completion.reasoning_hidden, completion.finish_reason) == (hidden, "length")


def test_every_eval_ever_of_lm_eval_takes_whole_answers_alone(tmp_path):
    row = rows_of(LOGS["every-eval-ever"])[0]
    kinds = [{"filter": name, "lm_eval_metrics": "{}"} for name in ("strict-match", "none")]
    left = row | {"metadata": kinds[0], "evaluation_name": "strict", "output": {"raw": ["4"]}}
    whole = row | {"metadata": kinds[1]}
    ((_, (completion,)),) = items(jsonl(tmp_path, left, whole))
    assert completion.text == row["output"]["raw"][0]
    message = error_of(jsonl(tmp_path, left, name="b.jsonl"))
    assert "it holds what filters of lm-evaluation-harness left of the completions" in message
    assert "Import the samples_*.jsonl that lm-evaluation-harness itself wrote." in message


def test_opencompass_asks_with_its_own_roles(tmp_path):
    turns = [("SYSTEM", "s"), ("HUMAN", "q"), ("BOT", "")]
    asked = [{"role": role, "prompt": text} for role, text in turns]
    path = tmp_path / "x.json"
    path.write_bytes(document({"0": {"origin_prompt": asked, "prediction": "a"}}))
    ((prompt, completions),) = items(path)
    assert [(turn.role, turn.content) for turn in prompt.messages] == [
        ("system", "s"),
        ("user", "q"),
    ]
    assert [c.text for c in completions] == ["a"]
    path = jsonl(tmp_path, {"idx": 0, "origin_prompt": "raw", "prediction": "a"})
    assert items(path)[0][0].text == "raw"
    path = jsonl(tmp_path, {"origin_prompt": [], "prediction": "a"})
    assert "'origin_prompt' has no turns" in error_of(path)


def predictions(tmp_path, **entry):
    path = tmp_path / "predictions/m/x.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(document({"0": {"gold": "4", **entry}}))
    return path


def test_opencompass_takes_chats_of_openai_and_predictions_in_objects(tmp_path):
    said = [{"prediction": "hm</think>four", "rollout": []}, {"prediction": None, "rollout": []}]
    path = predictions(tmp_path, origin_prompt=user("q"), prediction=said)
    ((prompt, completions),) = items(path)
    assert [(turn.role, turn.content) for turn in prompt.messages] == [("user", "q")]
    assert [(c.reasoning, c.text) for c in completions] == [("hm", "four")]


@pytest.mark.parametrize(
    "asked",
    [
        ["q", "and why?"],
        None,
        [{"role": "HUMAN", "prompt": "q"}, {"role": "BOT"}, {"role": "HUMAN", "prompt": "why?"}],
    ],
)
def test_opencompass_of_several_rounds_has_turns_and_no_samples(tmp_path, asked):
    path = predictions(tmp_path, origin_prompt=asked, prediction=["4", "I counted."])
    assert f"{path}: entry 0: its predictions are the turns of one chat" in error_of(path)


def test_opencompass_that_compares_choices_is_refused(tmp_path):
    compared = {"label: A": {"testing input": "q", "prompt": "q A", "PPL": 1.5}}
    path = predictions(tmp_path, origin_prompt="q", prediction="A", **compared)
    message = error_of(path, reader="opencompass")
    assert "opencompass: its task compares likelihoods of choices, so no text" in message
    assert "(its inferencer is the GenInferencer)" in message


def test_an_entry_of_opencompass_that_is_no_object_is_a_bad_row(tmp_path):
    good = {"origin_prompt": "q", "prediction": "a"}
    path = tmp_path / "sums.json"
    path.write_bytes(document({"0": good, "1": 7, "2": good}))
    assert f"{path}: entry 1: a row is an object; this one is a number." in error_of(path)
    assert len(items(path, skip_bad_rows=True)) == 2


def test_matharena_sets_thoughts_apart(tmp_path):
    chat = [
        *user("q"),
        {"role": "assistant", "type": "cot", "content": "hm"},
        {"role": "assistant", "content": "four"},
    ]
    row = rows_of(LOGS["matharena"])[0] | {"all_messages": json.dumps(chat)}
    assert items(jsonl(tmp_path, row))[0][1] == (Completion(text="four", reasoning="hm"),)
    bare = row | {"all_messages": None, "answer": "4"}
    prompt, completions = items(jsonl(tmp_path, bare))[0]
    assert (prompt.shown, completions[0].text) == (row["user_message"], "4")


def test_a_damaged_zstd_file_is_refused(tmp_path):
    path = written(tmp_path, LOGS["matharena local"])
    path.write_bytes(path.read_bytes()[:-4])
    assert error_of(path).startswith(f"{path}: the zstd file is cut off or damaged")


def test_justrl_keeps_its_seeds_and_the_parameters_of_its_name(tmp_path):
    path = written(tmp_path, LOGS["math-evals justrl"])
    reading = read_completions([path])
    generation = reading.generation
    assert (generation.temperature, generation.top_p, generation.max_tokens) == (0.7, 0.9, 31744)
    assert [c.seed for _, completions in reading for c in completions] == [0, 1, 2, 3]


def test_reasoning_gym_that_logs_final_answers_alone_is_said_to_be_short(tmp_path):
    rows = [
        {
            "question": "A long question about knights and knaves on an island. " * 3,
            "completions": [{"model_answer": "A is a knave"}, {"model_answer": None}],
        }
    ]
    path = tmp_path / "a.json"
    path.write_bytes(document({"results": rows, "system_prompt": "Think."}))
    found = preview([path])
    assert found.completions == 1
    assert found.notes == (
        "Completions without a text in the log (null, or failed): 1; they are left out.",
        "The completions are short against their prompts (median 12 characters) and show no "
        "reasoning. If the model reasoned, the log left it out, and final answers alone look like "
        "collapse.",
    )
    prompt, _ = found.examples[0]
    assert [turn.role for turn in prompt.messages] == ["system", "user"]


def test_reasoning_gym_states_its_sampling_in_the_summary_of_the_run(tmp_path):
    failed = {"question": "q", "completions": [], "error": "all attempts failed"}
    said = {"model_answer": "4", "full_model_response": "It is 4.", "score": 1.0}
    row = {"question": "2 + 2?", "completions": [said, said | {"error": "x"}]}
    path = tmp_path / "m_20260101/arithmetic/sums.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(document({"name": "sums", "results": [failed, row]}))
    assert read_completions([path]).generation.model == "unknown"
    summary = {"dataset_best_scores": {"sums": 1.0}, "model": "org/m", "temperature": 0.6}
    (tmp_path / "m_20260101/summary.json").write_bytes(document(summary))
    reading = read_completions([path])
    assert [len(completions) for _, completions in reading] == [0, 2]
    assert (reading.generation.model, reading.generation.temperature) == ("org/m", 0.6)


def test_a_reader_that_is_named_says_what_is_missing(tmp_path):
    path = jsonl(tmp_path, {"prompt": "p", "completion": "a"})
    assert error_of(path, reader="verl") == (
        f"{path}: no reader finds prompts and completions in it.\n"
        f"  verl: line 1 has no 'input', 'output', 'score', 'step'."
    )
    with pytest.raises(BadInput, match=r"unknown reader 'lmeval'\. Did you mean 'lm-eval'"):
        read_completions([path], reader="lmeval")


def test_files_of_two_models_do_not_mix(tmp_path):
    one, two = (
        written(tmp_path, Log(f"details/{name}/t/details_x.parquet", lighteval().data))
        for name in ("a", "b")
    )
    assert f"{two}: the model is 'b' here, but 'a' before it." in error_of(one, two)


def lighteval_run(tmp_path, **decoding):
    """Write details with the results that lighteval puts beside them; return both paths."""
    details = written(tmp_path, LOGS["lighteval"])
    results = tmp_path / "results/org/m/results_2026-01-01.json"
    results.parent.mkdir(parents=True)
    config = {"model_name": "org/m", "generation_parameters": decoding}
    said = {"config_general": {"model_config": config}, "results": {}, "config_tasks": {}}
    results.write_bytes(document(said))
    return details, results


def test_lighteval_states_its_parameters_in_the_results_of_the_same_time(tmp_path, monkeypatch):
    details, results = lighteval_run(tmp_path, temperature=0.6, top_p=0.95, max_new_tokens=99)
    generation = read_completions([details]).generation
    assert (generation.model, generation.temperature, generation.top_p) == ("org/m", 0.6, 0.95)
    assert generation.max_tokens == 99
    monkeypatch.chdir(details.parent)
    assert read_completions([details.name]).generation == generation
    results.write_text("{", encoding="utf-8")
    assert error_of(details).startswith(f"{results}:")
    results.unlink()
    alone = read_completions([details]).generation
    assert (alone.model, alone.temperature) == ("org/m", None)


def test_results_of_lighteval_are_no_completions(tmp_path):
    details, results = lighteval_run(tmp_path, temperature=0.6)
    reading = read_completions([results, details])
    assert f"{results}: it holds the results of lighteval; passed over." in reading.took
    assert sum(len(completions) for _, completions in reading) == 4


def test_folders_named_details_twice_are_no_trouble(tmp_path):
    path = written(tmp_path, Log("details/x/details/details_y.parquet", lighteval().data))
    assert read_completions([path]).generation.model == "x"


def of_models(tmp_path, *, name="rows.jsonl"):
    """Write rows of MathArena of two models, the second of which comes last."""
    rows = [
        row | {"model_name": model} for model in ("a", "b") for row in rows_of(LOGS["matharena"])
    ]
    path = tmp_path / name
    path.write_bytes(lines(*rows))
    return path


def test_files_of_several_models_are_read_one_model_at_a_time(tmp_path):
    path = of_models(tmp_path)
    assert "or take the rows of one with --only-model." in error_of(path)
    reading = read_completions([path], Layout(only_model="b"))
    places = [item.place for item in reading.items()]
    assert places == [f"{path}:{number}" for number in (5, 6, 7, 8)]
    assert reading.generation.model == "b"
    assert reading.notes[-1] == ("Rows of other models than --only-model were passed over: a (4).")
    with pytest.raises(BadInput, match=r"no row of it is of the model 'c'; they are of a \(4\), b"):
        read_completions([path], Layout(only_model="c"))


def test_a_preview_counts_what_follows_its_examples(tmp_path):
    found = preview([of_models(tmp_path)], Layout(only_model="a"), shown=2)
    assert (len(found.examples), found.completions) == (2, 4)
    assert "Rows of other models than --only-model were passed over: b (4)." in found.notes


def test_plain_tables_too_though_the_first_rows_are_of_another_model(tmp_path):
    rows = [
        {"prompt": f"p{n % 30}", "completion": f"{model}{n}", "model": model, "temperature": heat}
        for model, heat in (("a", 0.5), ("b", 0.6))
        for n in range(120)
    ]
    path = jsonl(tmp_path, *rows)
    reading = read_completions([path], Layout(only_model="b"))
    assert {c.text[0] for _, completions in reading for c in completions} == {"b"}
    assert (reading.generation.model, reading.generation.temperature) == ("b", 0.6)
    with pytest.raises(BadInput, match=r"they are of a \(120\), b \(120\)"):
        read_completions([path], Layout(only_model="c"))


def test_a_file_of_another_model_is_passed_over(tmp_path):
    one, two = (
        written(tmp_path, Log(f"details/{name}/t/details_x.parquet", lighteval().data))
        for name in ("a", "b")
    )
    reading = read_completions([one, two], Layout(only_model="b"))
    assert [file.path for file in reading.files] == [two]
    assert f"{one}: no row of it is of the model 'b'; they are of a (2); passed over." in (
        reading.took
    )
