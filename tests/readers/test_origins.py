"""Completions of different models, steps or parameters are never merged unsaid."""

import json

import pytest

from sample_logs import document, error_of, jsonl, read
from wellworn.records import Generation

APART = "Completions of different parameters do not mix: import each part into a run of its own"
NAME_IT = ", or say with --model-name which model it is."
MIX = "take them together with --mix-steps, if it says nothing of the weights"
ROW = {"prompt": "p", "output": "a"}


@pytest.mark.parametrize("stated_first", [True, False])
@pytest.mark.parametrize("at", [1, 24])
def test_a_row_that_states_less_or_more_than_others_is_refused(tmp_path, stated_first, at):
    rows = [{**ROW, "model": "m"} if (n < at) == stated_first else ROW for n in range(25)]
    path = jsonl(tmp_path, *rows)
    here, before = ("not stated", "'m'") if stated_first else ("'m'", "not stated")
    fact = f"{path}:{at + 1}: the model is {here} here, but {before} before it."
    assert error_of(path) == f"{fact}\n{APART}{NAME_IT}"
    assert read(path, model_name="m").generation == Generation(model="m")
    assert len(list(read(path, model_name="m"))) == 25


def test_a_file_does_not_inherit_what_another_states(tmp_path):
    one = jsonl(tmp_path, {**ROW, "model": "tuned", "temperature": 0.7})
    two = jsonl(tmp_path, ROW, name="b.jsonl")
    fact = f"{two}: the model is not stated here, but 'tuned' before it."
    assert error_of(one, two) == f"{fact}\n{APART}{NAME_IT}"
    assert error_of(one, two, model_name="tuned") == (
        f"{two}: the temperature is not stated here, but 0.7 before it.\n{APART}."
    )


def test_the_user_names_the_model_where_the_file_does_not(tmp_path):
    path = jsonl(tmp_path, {**ROW, "temperature": 1})
    reading = read(path, model_name="mine")
    assert reading.generation == Generation(model="mine", temperature=1.0)
    assert reading.took[-1] == "model: mine (--model-name)"
    named = jsonl(tmp_path, {**ROW, "model": "other"}, name="b.jsonl")
    assert error_of(named, model_name="mine") == (
        f"{named}:1: the file says that the model is 'other'; --model-name says 'mine'.\n"
        f"Leave out --model-name, or give the file that it is about."
    )


@pytest.mark.parametrize(
    "more",
    [
        {"sampling_params": {"temperature": 0.0, "top_p": 1}},
        {"generation_config": {"temperature": 0, "top_p": 1.0}},
        {"params": {"temperature": "0", "top_p": "1"}},
        {"config": {"sampling": {"temperature": 0, "top_p": 1}}},
        {"metadata": json.dumps({"temperature": 0, "top_p": 1})},
        {"gen_kwargs": {"do_sample": False, "temperature": 0.6, "top_p": 1}},
        {"temperature": 0, "request": {"temperature": 0.6, "top_p": 1}},
    ],
)
def test_parameters_inside_a_row_are_seen(tmp_path, more):
    generation = read(jsonl(tmp_path, {**ROW, **more})).generation
    assert generation == Generation(model="unknown", temperature=0.0, top_p=1.0)


def test_completions_and_replies_state_their_model_themselves(tmp_path):
    reply = {"model": "m", "choices": [{"text": "a", "finish_reason": "stop"}]}
    assert read(jsonl(tmp_path, {"prompt": "p", "response": reply})).generation.model == "m"
    several = [{"model": "m", "response": "a"}, {"model": "n", "response": "b"}]
    path = jsonl(tmp_path, {"prompt": "p", "completions": several})
    assert error_of(path) == f"{path}:1: the model is 'n' here, but 'm' before it.\n{APART}."
    stated = {"model": "org/m", "rows": [{"prompt": "p", "response": reply}]}
    assert read(document(tmp_path, stated)).generation.model == "org/m"


@pytest.mark.parametrize("name", ["step", "checkpoint", "policy_version", "global_step"])
def test_steps_of_a_training_do_not_mix(tmp_path, name):
    rows = [{**ROW, "model": "m", name: 200 if n < 22 else 400} for n in range(24)]
    path = jsonl(tmp_path, *rows)
    way_out = f"{APART}, or {MIX}."
    assert error_of(path) == f"{path}:23: the {name} is 400 here, but 200 before it.\n{way_out}"
    one = jsonl(tmp_path, {**ROW, name: "200"})
    two = jsonl(tmp_path, {**ROW, "metadata": {name: 400}}, name="b.jsonl")
    assert error_of(one, two) == f"{two}: the {name} is 400 here, but 200 before it.\n{way_out}"
    assert read(one).generation == Generation(model="unknown", extra={name: 200})
    assert read(two).generation.id != read(one).generation.id


def test_ids_name_items_within_one_file_only(tmp_path):
    one = jsonl(tmp_path, {**ROW, "id": 0, "prompt": "of AIME"})
    two = jsonl(tmp_path, {**ROW, "id": 0, "prompt": "of AMC"}, name="b.jsonl")
    assert error_of(one, two, id_field="id") == (
        f"{two}:1: the item '0' is another prompt here than in {one}.\n"
        f"Ids name items within one file only: import the files one after the other."
    )


def test_steps_mix_if_the_user_says_so(tmp_path):
    path = jsonl(tmp_path, *({**ROW, "step": step} for step in (1, 2)))
    reading = read(path, mix_steps=True)
    assert len(list(reading)) == 2
    assert reading.generation == Generation(model="unknown")


def test_the_user_states_the_temperature_where_the_file_does_not(tmp_path):
    assert read(jsonl(tmp_path, ROW), temperature=0.7).generation.temperature == 0.7
    path = jsonl(tmp_path, {**ROW, "temperature": 1})
    assert error_of(path, temperature=0.7) == (
        f"{path}:1: the file says that the temperature is 1.0; --temperature says 0.7.\n"
        f"Leave out --temperature, or give the file that it is about."
    )


def test_how_tokens_were_cut_off_and_penalised_tells_settings_apart(tmp_path):
    more = {"top_k": 20, "min_p": "0.05", "repetition_penalty": 1.1, "reasoning_effort": "high"}
    generation = read(jsonl(tmp_path, {**ROW, "sampling_params": more})).generation
    assert generation.extra == {**more, "min_p": 0.05}
    idle = {"top_k": -1, "min_p": 0, "repetition_penalty": 1.0, "presence_penalty": 0}
    assert read(jsonl(tmp_path, {**ROW, **idle})).generation == Generation(model="unknown")
    path = jsonl(tmp_path, {**ROW, "top_k": 20}, {**ROW, "top_k": 50})
    assert "the top_k is 50.0 here, but 20.0 before it" in error_of(path)


def test_the_most_tokens_may_vary_and_are_then_unknown(tmp_path):
    rows = [{**ROW, "max_tokens": most} for most in (512, 512, 300)]
    one, two = jsonl(tmp_path, *rows), jsonl(tmp_path, rows[0], name="b.jsonl")
    reading = read(one, two)
    assert reading.generation.max_tokens == 512
    assert len(list(reading)) == 4
    assert reading.generation.max_tokens is None
    assert reading.notes == ["The max_tokens varies between completions; it is taken as unknown."]
    reading = read(two, jsonl(tmp_path, rows[2], name="c.jsonl"))
    assert reading.generation.max_tokens is None
