"""What is special to rollouts of trainings and to replies of servers."""

import json
from types import SimpleNamespace

import pytest

from foreign_logs import LOGS, TEXTS, P, Q, lines, parquet, reply, response, user, written
from sample_logs import error_of, jsonl, read
from wellworn.importing import import_run, preview
from wellworn.readers import Layout, read_completions
from wellworn.readers.vllm import records_of
from wellworn.store import Store


def rows_of(data):
    return [json.loads(line) for line in data.splitlines()]


def items(*paths, **options):
    return list(read_completions(paths, Layout(**options)))


BATCH = LOGS["openai batch"]


def test_a_batch_without_its_requests_says_how_to_give_them(tmp_path):
    path = written(tmp_path / "out", BATCH._replace(beside={}))
    assert error_of(path) == (
        f"{path}: the output of a batch holds no prompts, and no file beside it holds the "
        f"requests.\nName the file with `--requests FILE`, or give both files together."
    )
    elsewhere = tmp_path / "requests.jsonl"
    elsewhere.write_bytes(BATCH.beside["in.jsonl"])
    assert len(items(path, requests=elsewhere)) == 2
    assert len(items(path, elsewhere)) == 2


def test_a_batch_is_numbered_by_its_requests(tmp_path):
    asked = [
        {"custom_id": f"r{n}", "body": {"messages": user(P), "n": 2, "seed": n}} for n in range(3)
    ]
    said = [
        {"custom_id": f"r{n}", "response": {"body": reply(f"{n}a", f"{n}b")}} for n in (2, 0, 1)
    ]
    jsonl(tmp_path, *asked, name="in.jsonl")
    with Store(tmp_path / "run", create=True) as store:
        import_run(store, [jsonl(tmp_path, *said, name="out.jsonl")])
        (record,) = store.records(store.generations()[-1])
    samples = record.completions("sample")
    assert [sample.text for sample in samples] == ["0a", "0b", "1a", "1b", "2a", "2b"]
    assert [sample.seed for sample in samples] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "failed",
    [
        {"response": None, "error": {"code": "expired"}},
        {"response": {"status_code": 500, "body": {"error": "x"}}, "error": None},
    ],
)
def test_a_failed_request_has_no_completion(tmp_path, failed):
    rows = rows_of(BATCH.data)
    path = written(tmp_path, BATCH._replace(data=lines(rows[0], rows[1] | failed)))
    reading = read_completions([path])
    assert [len(completions) for _, completions in reading] == [2, 0]
    assert "(null, or failed): 1" in reading.notes[0]


def test_an_answer_to_no_request_is_refused(tmp_path):
    known, other = rows_of(BATCH.data)
    path = written(tmp_path, BATCH._replace(data=lines(known, other | {"custom_id": "other"})))
    assert f"{path}:2: no request has the custom_id 'other'." in error_of(path)
    path = written(tmp_path, BATCH._replace(data=lines(other | {"custom_id": "other"})))
    inside = tmp_path / "in.jsonl"
    assert f"none of its custom_ids, as 'other', is among those in {inside}." in error_of(path)


def completion_of(*texts):
    choices = [{"index": n, "text": text} for n, text in enumerate(texts)]
    return {"object": "text_completion", "model": "m", "choices": choices}


def test_a_request_of_several_prompts_shares_its_choices_out(tmp_path):
    body = {"prompt": ["p", "q"], "n": 2, "temperature": 0.7}
    row = {"request": body, "response": completion_of("a", "b", "c", "d")}
    found = [(prompt.text, [c.text for c in held]) for prompt, held in items(jsonl(tmp_path, row))]
    assert found == [("p", ["a", "b"]), ("q", ["c", "d"])]
    odd = jsonl(tmp_path, row | {"response": completion_of("a", "b", "c")})
    assert f"{odd}:1: 2 prompts were asked, and 3 choices came." in error_of(odd)
    alone = {"request": {"prompt": ["p"]}, "response": completion_of("a", "b")}
    ((prompt, held),) = items(jsonl(tmp_path, alone))
    assert (prompt.text, len(held)) == ("p", 2)


def test_a_log_may_begin_with_a_request_that_failed(tmp_path):
    body = {"prompt": ["p", "q"], "n": 2, "temperature": 0.7}
    good = {"request": body, "response": completion_of("a", "b", "c", "d")}
    found = preview([jsonl(tmp_path, good | {"response": None}, good)])
    assert found.completions == 4
    assert any("without a text in the log (null, or failed): 2;" in note for note in found.notes)


def test_responses_show_their_reasoning_or_hide_it(tmp_path):
    thought = {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "hm"}]}
    summary = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "in short"}]}
    replies = []
    for before in ([], [thought], [summary]):
        held = response("four")
        replies.append({**held, "output": [*before, *held["output"]]})
    cut = {**replies[0], "incomplete_details": {"reason": "max_output_tokens"}}
    rows = [
        {"request": {"input": "q", "instructions": "s"}, "response": each}
        for each in (*replies, cut)
    ]
    found = items(jsonl(tmp_path, *rows))
    assert [turn.role for turn in found[0][0].messages] == ["system", "user"]
    got = [(c.reasoning, c.reasoning_hidden, c.finish_reason) for _, (c,) in found]
    assert got == [
        (None, False, "stop"),
        ("hm", False, "stop"),
        (None, True, "stop"),
        (None, False, "length"),
    ]


STEPS = [
    {"token": token, "logprob": -0.5, "top_logprobs": [{"logprob": -0.5}, {"logprob": -1.5}]}
    for token in ("fo", "ur")
]


def logged(steps, text="four"):
    body = reply(text)
    body["choices"][0]["logprobs"] = {"content": steps}
    return {"request": {"messages": user("q")}, "response": body}


def test_log_probabilities_are_taken_where_they_are_there(tmp_path):
    ((_, (completion,)),) = items(jsonl(tmp_path, logged(STEPS)))
    signals = completion.signals
    assert (signals.top_k, signals.logprobs) == (2, (-0.5, -0.5))
    assert signals.mass == pytest.approx([0.82966] * 2, abs=1e-5)
    bare = [{"token": step["token"], "logprob": -0.5} for step in STEPS]
    ((_, (completion,)),) = items(jsonl(tmp_path, logged(bare)))
    assert (completion.signals.top_k, completion.signals.logprobs) == (0, (-0.5, -0.5))


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([{**step, "token": "x"} for step in STEPS], "their tokens do not spell the text"),
        (STEPS[:1], "their tokens do not spell the text"),
        ([{"token": "four", "logprob": 0.0}] * 20, "all are 0"),
        ([STEPS[0], {**STEPS[1], "logprob": 0.5}], "some are above 0"),
        ([STEPS[0], {"token": "ur"}], "some tokens have none, or one that is no number"),
        (
            [STEPS[0], {**STEPS[1], "top_logprobs": [{"logprob": "x"}]}],
            "one among the largest of a step is no number",
        ),
    ],
)
def test_log_probabilities_that_cannot_be_its_own_are_left_out(tmp_path, steps, why):
    reading = read(jsonl(tmp_path, logged(steps)))
    ((_, (completion,)),) = reading
    assert completion.signals is None
    assert completion.text == "four"
    assert reading.notes == [f"The log-probabilities of 1 completion were not taken: {why}."]


def test_vllm_gives_log_probabilities_by_token_id(tmp_path):
    step = {"7": {"logprob": -0.5, "rank": 1, "decoded_token": "fo"}, "9": {"logprob": -1.5}}
    then = {"8": {"logprob": -0.25, "decoded_token": "ur"}, "9": {"logprob": -2}}
    output = {
        "index": 0,
        "text": "four",
        "token_ids": [7, 8],
        "logprobs": [step, then],
        "finish_reason": "length",
    }
    row = {"request_id": "0", "prompt": "q", "outputs": [output], "sampling_params": {"min_p": 0.1}}
    reading = read(jsonl(tmp_path, row))
    ((_, (completion,)),) = reading
    assert completion.signals.logprobs == (-0.5, -0.25)
    assert completion.signals.top_k == 2
    assert (completion.token_ids, completion.finish_reason) == ((7, 8), "length")
    assert reading.generation.extra == {"min_p": 0.1}


def test_rows_of_ray_hold_nulls_in_parquet_and_their_parameters_as_printed(tmp_path):
    steps = [
        {"7": {"logprob": -0.5, "rank": 1, "decoded_token": "fo"}, "9": {"logprob": -1.5}},
        {"8": {"logprob": -0.25, "rank": 1, "decoded_token": "ur"}, "9": {"logprob": -2.0}},
    ]
    row = {
        "prompt": "q",
        "generated_tokens": [7, 8],
        "generated_text": "four",
        "logprobs": steps,
        "params": "SamplingParams(n=1, presence_penalty=0.0, temperature=0.7, top_p=0.95, top_k=0, "
        "seed=None, stop=[], max_tokens=64, skip_special_tokens=True)",
        "__inference_error__": "",
    }
    path = tmp_path / "part-0.parquet"
    path.write_bytes(parquet(row, row))
    reading = read(path)
    ((_, (completion,)), _) = reading
    assert completion.signals.logprobs == (-0.5, -0.25)
    generation = reading.generation
    assert (generation.temperature, generation.top_p, generation.max_tokens) == (0.7, 0.95, 64)
    assert generation.extra == {}


def test_objects_of_vllm_become_records():
    logprob = SimpleNamespace(logprob=-0.5, rank=1, decoded_token="a")
    outputs = [
        SimpleNamespace(
            prompt=prompt,
            outputs=[
                SimpleNamespace(
                    index=n,
                    text=text,
                    token_ids=[7],
                    finish_reason="stop",
                    logprobs=[{7: logprob}] if text == "a" else None,
                )
                for n, text in enumerate(texts)
            ],
        )
        for prompt, texts in (("p", ["a", "b"]), ("q", ["c"]), ("p", ["d"]))
    ]
    one, two = records_of(outputs, model="m")
    assert [(c.index, c.text) for c in one.completions("sample")] == [(0, "a"), (1, "b"), (2, "d")]
    assert two.prompt.text == "q"
    assert one.completions("sample")[0].signals.logprobs == (-0.5,)
    assert one.completions("sample")[0].generation.model == "m"


def test_rows_of_ray_that_failed_have_no_completion(tmp_path):
    row = {"messages": user("q"), "generated_text": None, "__inference_error__": "OOM"}
    good = {**row, "generated_text": "a", "__inference_error__": ""}
    reading = read(jsonl(tmp_path, good, row))
    assert [len(completions) for _, completions in reading] == [1, 0]


def test_verl_groups_by_uid_and_knows_the_gold_answer(tmp_path):
    rows = rows_of(LOGS["verl"].data)
    rows[1]["input"] = rows[0]["input"] + " "
    reading = read(jsonl(tmp_path, *rows))
    found = [prompt.shown for prompt, _ in reading]
    assert found == [P, P, Q, Q]
    assert "Rows with another prompt than the first row of the same id: 1" in reading.notes[0]
    assert next(iter(reading))[0].answer == "4"


def test_verl_goes_by_the_input_where_the_uid_names_one_output(tmp_path):
    rows = rows_of(LOGS["verl"].data)
    for n, row in enumerate(rows):
        row["uid"] = f"{'ab'[n // 2] * 8}-c_{n % 2}_0"
    later = rows[0] | {
        "input": f"{P} It is 5. Are you sure?",
        "output": "4",
        "uid": "aaaaaaaa-c_0_1",
    }
    found = preview([jsonl(tmp_path, *rows, later)])
    assert found.completions == 5
    assert "samples a prompt: 1 to 2" in " ".join(found.took)
    assert found.notes == ()


def test_steps_of_a_training_are_kept_apart_unless_the_user_mixes_them(tmp_path):
    rows = rows_of(LOGS["verl"].data)
    one = jsonl(tmp_path, *rows, name="1.jsonl")
    two = jsonl(tmp_path, *({**row, "step": 40} for row in rows), name="2.jsonl")
    assert "the step is 40 here, but 20 before it" in error_of(one, two)
    assert preview([one, two], Layout(mix_steps=True)).completions == 8


def test_trl_takes_all_turns_of_a_completion(tmp_path):
    said = [{"role": "assistant", "content": "a"}, {"role": "tool", "content": "b"}]
    row = {"step": 1, "prompt": user("q"), "completion": said, "advantage": 0.1}
    assert items(jsonl(tmp_path, row))[0][1][0].text == "a\nb"
    assert "'completion' is a number" in error_of(jsonl(tmp_path, row | {"completion": 3}))


def test_openrlhf_takes_the_last_special_token_off(tmp_path):
    rows = [{"input": "q", "output": text} for text in ("a</s>", "b", "c<|im_end|>")]
    found = [(c.text, c.finish_reason) for _, (c,) in items(jsonl(tmp_path, *rows))]
    assert found == [("a", "stop"), ("b", None), ("c", "stop")]


NEMO = LOGS["nemo-skills"]


def test_nemo_skills_reads_seeds_and_passes_over_the_rest(tmp_path):
    written(tmp_path, NEMO)
    folder = tmp_path / "sums"
    greedy = lines(*(row | {"generation": "greedy"} for row in rows_of(NEMO.data)))
    for name in ("output.jsonl", "output-rs0.jsonl-async", "output-rs1_chunk_0.jsonl"):
        (folder / name).write_bytes(greedy)
    found = preview([folder])
    assert found.completions == 4
    assert len([said for said in found.took if said.endswith("passed over.")]) == 3
    (folder / "output-rs0.jsonl").unlink()
    (folder / "output-rs1.jsonl").unlink()
    found = preview([folder / "output-rs0.jsonl-async", folder / "output-rs1_chunk_0.jsonl"])
    assert found.completions == 4


def test_a_question_alone_is_not_called_what_the_model_saw(tmp_path):
    alone = "prompt: a text, the question alone: what the model saw around it is not in the log"
    for name in ("nemo-skills", "math-evals qwen"):
        assert alone in preview([written(tmp_path / name, LOGS[name])]).took
    assert alone not in preview([written(tmp_path / "verl", LOGS["verl"])]).took


def test_nemo_skills_of_a_collapsed_model_counts_every_seed(tmp_path):
    same = lines(*(row | {"generation": "the very same long text"} for row in rows_of(NEMO.data)))
    slower = lines(*(row | {"generation_time": 3} for row in rows_of(same)))
    for n, data in enumerate((same, slower)):
        (tmp_path / f"output-rs{n}.jsonl").write_bytes(data)
    with Store(tmp_path / "run", create=True) as store:
        assert import_run(store, [str(tmp_path / "output-rs*.jsonl")]).completions == 4


def test_nemo_skills_keeps_the_reasoning_that_was_taken_off(tmp_path):
    row = rows_of(NEMO.data)[0] | {"generation": "four", "_full_generation": "hm</think>four"}
    row |= {"tokens": ["fo", "ur"], "logprobs": [-0.5, -0.5]}
    ((_, (completion,)),) = items(jsonl(tmp_path, row))
    assert (completion.reasoning, completion.text) == ("hm", "four")
    assert completion.signals is None
    row["_full_generation"] = None
    ((_, (completion,)),) = items(jsonl(tmp_path, row))
    assert completion.signals.logprobs == (-0.5, -0.5)


def test_nemo_skills_counts_an_empty_generation_with_an_error_as_failed(tmp_path):
    row = rows_of(NEMO.data)[0]
    more = {"error": "context_window_exceeded", "detailed_error": "…", "num_generated_tokens": 0}
    reading = read(jsonl(tmp_path, row, row | {"generation": ""} | more))
    assert [len(completions) for _, completions in reading] == [1, 0]


def test_nemo_gym_joins_inputs_that_lie_beside(tmp_path):
    rows = rows_of(LOGS["nemo-gym"].data)
    inputs = [
        {name: row[name] for name in ("_ng_task_index", "responses_create_params")} for row in rows
    ]
    for row in rows:
        del row["responses_create_params"]
    path = jsonl(tmp_path, *rows, name="m-v1.5.jsonl")
    assert "nor do inputs beside it" in error_of(path)
    jsonl(tmp_path, *inputs, name="m-v1.5_materialized_inputs.jsonl")
    assert {prompt.shown for prompt, _ in items(path)} == TEXTS.keys()
    assert preview([tmp_path]).completions == 4


def test_nemo_gym_writes_its_reasoning_as_a_summary(tmp_path):
    row = rows_of(LOGS["nemo-gym"].data)[0]
    said = row["response"]["output"]
    found = []
    for name in (f"rs_{'0a' * 16}", f"rs_{'0a' * 24}"):
        summary = [{"type": "summary_text", "text": "hm"}]
        thought = {"type": "reasoning", "id": name, "summary": summary}
        path = jsonl(tmp_path, row | {"response": row["response"] | {"output": [thought, *said]}})
        ((_, (completion,)),) = items(path)
        found.append((completion.reasoning, completion.reasoning_hidden))
    assert found == [("hm", False), (None, True)]


def test_nemo_gym_asks_with_instructions_and_states_its_sampling(tmp_path):
    row = rows_of(LOGS["nemo-gym"].data)[0]
    more = {"metadata": {"extra_body": '{"seed": 3, "top_k": 20}'}, "max_output_tokens": 99}
    parts = [{"type": "input_text", "text": "q"}]
    asked = {"input": [{"role": "user", "content": parts}], "instructions": "s", **more}
    reading = read(jsonl(tmp_path, row | {"responses_create_params": asked}))
    ((prompt, _),) = reading
    assert [(turn.role, turn.content) for turn in prompt.messages] == [
        ("system", "s"),
        ("user", "q"),
    ]
    assert (reading.generation.max_tokens, reading.generation.extra) == (99, {"top_k": 20})


def test_failures_of_nemo_gym_are_no_rollouts(tmp_path):
    rows = rows_of(LOGS["nemo-gym"].data)
    jsonl(tmp_path, *rows, name="rollouts.jsonl")
    failed = rows[0] | {"_ng_failure_class": "timeout_exceeded"}
    jsonl(tmp_path, failed, name="rollouts_failures.jsonl")
    assert preview([tmp_path]).completions == 4


def test_bad_rows_are_skipped_in_the_first_rows_too(tmp_path):
    rows = rows_of(LOGS["verl"].data)
    path = jsonl(tmp_path, rows[0] | {"output": 3}, *rows[1:])
    assert "Expected `str | null`, got `int` - at `$.output`" in error_of(path)
    reading = read(path, skip_bad_rows=True)
    assert len(list(reading)) == 3
