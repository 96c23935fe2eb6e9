"""Several fields could hold the completions: samples differ where gold solutions do not."""

import json

from sample_logs import error_of, jsonl, read, texts


def repeated(**fields):
    """Return 16 rows of 4 prompts; a field is what the function makes of a row's number."""
    return [
        {"question": f"q{n // 4}", **{name: make(n) for name, make in fields.items()}}
        for n in range(16)
    ]


def gold(n):
    return f"the solution of {n // 4}"


def sample(n):
    return f"sample {n}"


def test_the_field_whose_texts_differ_within_a_prompt_is_taken_and_noted(tmp_path):
    path = jsonl(tmp_path, *repeated(output=gold, generation=sample))
    reading = read(path)
    assert reading.took[1] == (
        "completions: 'generation' (one a row); also fits: output; choose with --completion-field"
    )
    assert [completions for _, completions in texts(reading)] == [[sample(n)] for n in range(16)]
    assert reading.notes == [
        f"{path}: the completions were taken from 'generation'; by its name, 'output' might hold "
        f"them too (--completion-field)."
    ]


def test_lists_differ_within_themselves(tmp_path):
    row = {"question": "q", "response": "gold", "model_output": ["a", "b"]}
    assert texts(read(jsonl(tmp_path, row))) == [("q", ["a", "b"])]
    path = tmp_path / "a.csv"
    cell = json.dumps(["a", "b"]).replace('"', '""')
    path.write_text(f'question,completion,outputs\nq,gold,"{cell}"\n')
    assert texts(read(path)) == [("q", ["a", "b"])]


def test_rows_further_on_tell_too(tmp_path):
    rows = [{"question": f"q{n % 30}", "output": "gold", "generation": f"{n}"} for n in range(60)]
    assert texts(read(jsonl(tmp_path, *rows)))[31] == ("q1", ["31"])


def test_equal_values_are_no_choice(tmp_path):
    row = {"question": "p", "query": "p", "response": ["a", "b"], "code": ["a", "b"], "text": "t"}
    reading = read(jsonl(tmp_path, row))
    assert reading.took[1] == (
        "completions: 'response' (a list of 2 in every row); also fits: text, code; choose with "
        "--completion-field"
    )
    assert len(reading.notes) == 2


def test_what_the_rows_do_not_tell_is_refused(tmp_path):
    row = {"question": "q", "output": "a", "generation": "b", "query": "q"}
    path = jsonl(tmp_path, row)
    assert error_of(path) == (
        f"{path}:1: the completions may be 'output' or 'generation', and none of them differs "
        f"between the rows of a prompt.\n"
        f"Choose one with `--completion-field`; the others may hold gold solutions."
    )
    assert texts(read(path, completion_field="generation")) == [("q", ["b"])]
    both = jsonl(tmp_path, *repeated(output=sample, response=lambda n: f"graded {n}"))
    assert "'output' or 'response', and all of them differ" in error_of(both)
    assert texts(read(both, completion_field="response"))[0] == ("q0", ["graded 0"])


def test_an_instruction_and_its_input_need_a_choice(tmp_path):
    path = jsonl(tmp_path, {"instruction": "Translate.", "input": "Rome", "output": "a"})
    assert error_of(path) == (
        f"{path}:1: both 'instruction' and 'input' hold texts, so the prompt may be both together."
        f"\nChoose one of them with `--prompt-field`, if it tells the prompts apart."
    )
    assert texts(read(path, prompt_field="input")) == [("Rome", ["a"])]


def test_a_chat_with_its_answer_further_on(tmp_path):
    ask = [{"role": "user", "content": "q"}]
    told = [*ask, {"role": "assistant", "content": "a"}]
    rows = [{"messages": ask, "output": "a"}] * 20
    path = jsonl(tmp_path, *rows, {"messages": told, "output": "a"})
    assert f"{path}:21: the chat in 'messages' ends with an answer." in error_of(path)
    assert len(list(read(path, prompt_field="messages"))) == 21


def test_a_lone_gold_solution_beside_samples_of_an_unusual_name_is_refused(tmp_path):
    path = jsonl(tmp_path, *repeated(output=gold, model_said=lambda n: f"I think it is {n}"))
    assert error_of(path) == (
        f"{path}:1: 'output' holds one text in all rows of a prompt, as a gold solution does, "
        f"while 'model_said' differs.\nSay with `--completion-field` which holds the completions."
    )
    assert texts(read(path, completion_field="model_said"))[5] == ("q1", ["I think it is 5"])
    assert texts(read(path, completion_field="output"))[5] == ("q1", ["the solution of 1"])


def test_fields_that_are_no_prose_raise_no_doubt(tmp_path):
    more = {"at": lambda n: f"12:0{n}", "id": lambda n: f"{n}", "score": lambda n: n}
    assert len(texts(read(jsonl(tmp_path, *repeated(output=gold, **more))))) == 16
    single = [{"question": f"q{n}", "output": "gold", "note": f"a note of {n}"} for n in range(16)]
    assert len(texts(read(jsonl(tmp_path, *single)))) == 16
    both = repeated(output=sample, remark=lambda n: f"a remark on {n}")
    assert texts(read(jsonl(tmp_path, *both)))[0] == ("q0", ["sample 0"])
