"""Completions in every shape that logs give them."""

import pytest

from sample_logs import CHAT, error_of, jsonl, read, texts
from wellworn.records import Completion


@pytest.mark.parametrize(
    "value",
    [
        "a",
        {"text": "a"},
        {"content": "a"},
        {"message": {"role": "assistant", "content": "a"}},
        {"role": "assistant", "content": "a"},
        {"model_answer": "4", "full_model_response": "a", "score": 1},
        {"generation": "a", "text": None},
    ],
)
def test_a_completion_has_many_shapes(tmp_path, value):
    one = read(jsonl(tmp_path, {"prompt": "p", "completion": value}))
    assert one.took[1] == "completions: 'completion' (one a row)"
    assert texts(one) == [("p", ["a"])]
    assert texts(read(jsonl(tmp_path, {"prompt": "p", "completion": [value, value]}))) == [
        ("p", ["a", "a"])
    ]


REPLY = [
    {
        "index": 0,
        "message": {"role": "assistant", "content": "a", "reasoning_content": "hm"},
        "finish_reason": "stop",
    },
    {
        "index": 1,
        "message": {"role": "assistant", "content": None, "reasoning": "hm hm"},
        "finish_reason": "length",
    },
    {"index": 2, "text": "c", "finish_reason": "stop"},
]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"messages": CHAT, "choices": REPLY}, "choices"),
        ({"messages": CHAT, "response": {"id": "x", "choices": REPLY}}, "response"),
    ],
)
def test_replies_of_a_server(tmp_path, row, name):
    reading = read(jsonl(tmp_path, row))
    assert reading.took[1] == f"completions: '{name}' (a list of 3 in every row)"
    assert next(iter(reading))[1] == (
        Completion(text="a", reasoning="hm", finish_reason="stop"),
        Completion(text="", reasoning="hm hm", finish_reason="length"),
        Completion(text="c", finish_reason="stop"),
    )


def test_think_tags_are_set_apart(tmp_path):
    row = {"prompt": "p", "outputs": ["<think>hm</think>\n\na", "hm</think>b", "c", "<think>cut"]}
    completions = next(iter(read(jsonl(tmp_path, row))))[1]
    assert [(c.reasoning, c.text) for c in completions] == [
        ("hm", "a"),
        ("hm", "b"),
        (None, "c"),
        ("cut", ""),
    ]


def test_reasoning_and_finish_reason_beside_one_completion(tmp_path):
    row = {"prompt": "p", "generation": "a", "reasoning_content": "hm", "finish_reason": "stop"}
    path = jsonl(tmp_path, row, {**row, "reasoning_content": None, "finish_reason": None})
    reading = read(path)
    assert reading.took[2:] == ["reasoning: 'reasoning_content'", "finish reason: 'finish_reason'"]
    assert [completions for _, completions in reading] == [
        (Completion(text="a", reasoning="hm", finish_reason="stop"),),
        (Completion(text="a"),),
    ]
    reading = read(path, reasoning_field="none", finish_field="none")
    assert len(reading.took) == 2
    assert next(iter(reading))[1] == (Completion(text="a"),)


def test_reasonings_beside_a_list(tmp_path):
    row = {"prompt": "p", "outputs": ["a", "b"], "reasonings": ["hm", None], "stop_reason": "x"}
    reading = read(jsonl(tmp_path, row))
    assert reading.took[2:] == ["reasoning: 'reasonings'"]
    assert [c.reasoning for c in next(iter(reading))[1]] == ["hm", None]


def test_fields_beside_can_be_chosen(tmp_path):
    row = {"prompt": "p", "output": "a", "cot": "hm", "why": "stop"}
    reading = read(jsonl(tmp_path, row), reasoning_field="cot", finish_field="why")
    assert next(iter(reading))[1] == (Completion(text="a", reasoning="hm", finish_reason="stop"),)


def test_an_absent_completion_is_no_empty_one(tmp_path):
    path = jsonl(
        tmp_path,
        {"prompt": "p", "outputs": ["", None, {"text": None}, "a"]},
        {"prompt": "q", "outputs": None},
        {"prompt": "r"},
    )
    reading = read(path)
    assert texts(reading) == [("p", ["", "a"]), ("q", []), ("r", [])]
    assert reading.notes == [
        "Completions without a text in the log (null, or failed): 4; they are left out."
    ]


ENCRYPTED = [{"type": "reasoning.encrypted", "data": "x"}]
SUMMARY = [{"type": "reasoning.summary", "summary": "In short: hm"}]
COUNTED = {"completion_tokens_details": {"reasoning_tokens": 900}}


def said(content, **more):
    return {"message": {"role": "assistant", "content": content, **more}, "finish_reason": "stop"}


@pytest.mark.parametrize(
    ("more", "hidden"),
    [
        ({"choices": [said("a")], "usage": COUNTED}, True),
        ({"response": {"choices": [said("a")], "usage": COUNTED}}, True),
        ({"response": {"choices": [said("a")], "usage": {"reasoning_tokens": 1}}}, True),
        ({"completion": "a", "usage": COUNTED}, True),
        ({"completion": "a", "reasoning_tokens": 900}, True),
        ({"completion": {"text": "a", "usageMetadata": {"thoughtsTokenCount": 9}}}, True),
        ({"choices": [said("a", reasoning="s", reasoning_details=SUMMARY)]}, True),
        ({"choices": [said("a", reasoning_details=ENCRYPTED)]}, True),
        ({"completions": [{"text": "a", "reasoning_hidden": True}]}, True),
        ({"choices": [said("a", reasoning="hm")], "usage": COUNTED}, False),
        ({"completion": "<think>hm</think>a", "usage": COUNTED}, False),
        ({"completion": "a", "reasoning": "hm", "usage": COUNTED}, False),
        ({"choices": [said("a")], "usage": {"completion_tokens_details": None}}, False),
        ({"completion": "a", "reasoning_tokens": 0}, False),
    ],
)
def test_reasoning_that_a_log_hides_is_not_taken_as_whole(tmp_path, more, hidden):
    ((_, (completion,)),) = read(jsonl(tmp_path, {"prompt": "p", **more}))
    assert completion.text == "a"
    assert completion.reasoning_hidden is hidden


@pytest.mark.parametrize("word", ["max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"])
def test_other_words_for_a_cut_are_read(tmp_path, word):
    rows = [{"prompt": "p", "output": "a", "stop_reason": word}]
    rows += [{"prompt": "p", "output": {"text": "a", "finishReason": word}, "stop_reason": None}]
    got = [completions[0].finish_reason for _, completions in read(jsonl(tmp_path, *rows))]
    assert got == ["length", "length"]


def test_a_content_in_parts_is_a_text_if_all_parts_are(tmp_path):
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert texts(read(jsonl(tmp_path, {"prompt": "p", "choices": [said(parts)]}))) == [
        ("p", ["ab"])
    ]
    path = jsonl(tmp_path, {"prompt": "p", "response": {"choices": [said([{"thinking": "hm"}])]}})
    assert "a part of the content is no text: {'thinking': 'hm'}" in error_of(
        path, completion_field="response"
    )


def test_a_failed_choice_is_absent(tmp_path):
    choices = [
        {"message": None, "error": {"code": 502}},
        {**said("half"), "finish_reason": "error"},
    ]
    reading = read(jsonl(tmp_path, {"prompt": "p", "choices": [*choices, said("a")]}))
    assert texts(reading) == [("p", ["a"])]
    assert "(null, or failed): 2" in reading.notes[0]
