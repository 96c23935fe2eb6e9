"""Which fields are taken for what, and which rows and prompts they give."""

import json

import pytest

from sample_logs import CHAT, MESSAGES, document, error_of, jsonl, read, texts
from wellworn.readers import Layout, read_completions


@pytest.mark.parametrize(
    ("row", "prompt", "completion"),
    [
        ({"prompt": "p", "samples": ["a", "b"]}, "prompt", "samples"),
        ({"question": "p", "completions": ["a", "b"], "answer": "4"}, "question", "completions"),
        ({"input": "p", "output": ["a", "b"], "gts": "4", "score": 1.0}, "input", "output"),
        (
            {"problem": "p", "generation": ["a", "b"], "expected_answer": "4"},
            "problem",
            "generation",
        ),
        ({"prompt": "p", "generated_text": ["a", "b"]}, "prompt", "generated_text"),
        ({"text": "p", "response": ["a", "b"]}, "text", "response"),
        ({"prompt": "p", "text": ["a", "b"]}, "prompt", "text"),
        ({"Question": "p", "Responses": ["a", "b"]}, "Question", "Responses"),
        (
            {"prompt": "p", "choices": ["quiz", "options"], "outputs": ["a", "b"]},
            "prompt",
            "outputs",
        ),
        ({"prompt": "p", "completions": 2, "responses": ["a", "b"]}, "prompt", "responses"),
        ({"prompt": "p", "outputs": [1, 2], "responses": ["a", "b"]}, "prompt", "responses"),
        ({"question": "p", "code": ["a", "b"], "pred": ["4", "4"]}, "question", "code"),
    ],
)
def test_fields_are_found_by_name_and_shape(tmp_path, row, prompt, completion):
    reading = read(jsonl(tmp_path, row))
    assert reading.took == [
        f"prompt: '{prompt}' (a text, as the model saw it)",
        f"completions: '{completion}' (a list of 2 in every row)",
    ]
    assert texts(reading) == [("p", ["a", "b"])]


def test_rows_lie_in_the_outermost_list_with_prompts_and_completions(tmp_path):
    results = [{"question": f"q{n}", "completions": [{"text": "a"}]} for n in range(3)]
    value = {
        "prompts": [{"prompt": "no completions here"}],
        "categories": [{"name": "x", "datasets": [{"name": "y", "results": results}]}],
    }
    reading = read(document(tmp_path, value))
    assert reading.took[0] == "rows: categories.datasets.results (3)"
    assert texts(reading) == [("q0", ["a"]), ("q1", ["a"]), ("q2", ["a"])]
    assert next(iter(reading))[0].source.endswith("a.json: categories[0].datasets[0].results[0]")


def test_the_list_at_the_top_has_rows_too(tmp_path):
    path = document(tmp_path, [{"prompt": "p", "completion": "a", "more": [{"prompt": "x"}]}])
    assert read(path).took[0] == "rows: the list at the top (1)"
    assert texts(read(path, rows=".")) == [("p", ["a"])]


def test_rows_can_be_chosen(tmp_path):
    value = {"old": [{"prompt": "p", "output": "a"}], "new": [{"prompt": "p", "output": "b"}]}
    path = document(tmp_path, value)
    assert texts(read(path)) == [("p", ["a"])]
    assert texts(read(path, rows="new")) == [("p", ["b"])]


def test_fields_can_be_chosen_also_inside_others(tmp_path):
    row = {"doc": {"query": "p"}, "model_response": {"text": ["a"]}, "prompt": "no"}
    path = jsonl(tmp_path, row)
    reading = read(path, prompt_field="doc.query", completion_field="model_response.text")
    assert texts(reading) == [("p", ["a"])]


@pytest.mark.parametrize("value", [CHAT, json.dumps(CHAT)])
def test_messages_are_a_chat_also_as_json_text(tmp_path, value):
    reading = read(jsonl(tmp_path, {"prompt": value, "completion": "a"}))
    assert reading.took[0] == "prompt: 'prompt' (a chat)"
    assert next(iter(reading))[0].messages == MESSAGES


def test_a_text_is_what_the_model_saw_unless_the_user_says_otherwise(tmp_path):
    path = jsonl(tmp_path, {"prompt": "u", "completion": "a"})
    assert next(iter(read(path)))[0].text == "u"
    reading = read(path, chat=True, system="s")
    assert reading.took[0] == "prompt: 'prompt' (a text, as a user's message)"
    assert next(iter(reading))[0].messages == MESSAGES


def test_a_talk_with_its_answer_is_no_prompt(tmp_path):
    talk = [*CHAT, {"role": "assistant", "content": "a"}]
    row = {"messages": talk, "question": "q", "completion": "a"}
    assert texts(read(jsonl(tmp_path, row))) == [("q", ["a"])]


def test_a_row_of_one_prompt_keeps_its_scalars(tmp_path):
    row = {"prompt": "p", "outputs": ["a"], "level": 3, "right": True, "scores": [1], "doc": {}}
    prompt = next(iter(read(jsonl(tmp_path, row))))[0]
    assert prompt.metadata == {"level": 3, "right": True}
    single = {"prompt": "p", "output": "a", "score": 1.0}
    assert next(iter(read(jsonl(tmp_path, single))))[0].metadata == {}


def test_a_row_that_does_not_fit_is_named_and_can_be_left_out(tmp_path):
    rows = [{"prompt": "p", "completion": 7 if n == 5 else f"a{n}"} for n in range(12)]
    path = jsonl(tmp_path, *rows)
    said = error_of(path)
    assert f"plain: 'completion' would hold completions, but at {path}:6 it is a number." in said
    reading = read_completions([path], Layout(skip_bad_rows=True))
    assert sum(len(completions) for _, completions in reading) == 11
    assert reading.notes == [
        f"1 bad row was left out: {path}:6: 'completion': a number is no completion."
    ]
