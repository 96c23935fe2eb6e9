"""What is refused in tables of completions, word by word."""

import pytest

from sample_logs import SKIP, document, error_of, jsonl, read, texts
from wellworn.errors import BadInput
from wellworn.readers import Layout


def test_a_file_of_another_shape_says_what_is_missing(tmp_path):
    path = jsonl(tmp_path, {"question": "p", "answer": "4", "score": 0.5})
    assert error_of(path, reader="plain") == (
        f"{path}: no reader finds prompts and completions in it.\n"
        f"  plain: 'question' may hold the prompt, but no field holds completions.\n"
        f"Fields of the first row: question (a text), answer (a text), score (a number).\n"
        f"Name them with `--prompt-field` and `--completion-field`."
    )
    path = jsonl(tmp_path, {"output": "a", "prompt": None})
    assert "  plain: 'output' may hold completions, but no field holds the prompt.\n" in error_of(
        path
    )
    path = jsonl(tmp_path, {"a": 1})
    assert "  plain: no field holds a prompt or completions.\n" in error_of(path)


def test_a_document_of_another_shape_names_its_lists(tmp_path):
    path = document(tmp_path, {"meta": [{"a": 1}], "rows": [{"b": [{"c": 1}]}]})
    assert error_of(path, reader="plain") == (
        f"{path}: no reader finds prompts and completions in it.\n"
        f"  plain: no field holds a prompt or completions.\n"
        f"Fields of the first row: a (a number).\n"
        f"Name them with `--prompt-field` and `--completion-field`, or the list of rows with "
        f"`--rows`: meta, rows, rows.b."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"prompt_field": "promt"},
            "--prompt-field: unknown field 'promt'. Did you mean 'prompt'?\n"
            "Known: id, output, prompt.",
        ),
        (
            {"completion_field": "outputs"},
            "--completion-field: unknown field 'outputs'. Did you mean 'output'?\n"
            "Known: id, output, prompt.",
        ),
        ({"id_field": "uid"}, "--id-field: unknown field 'uid'. Did you mean 'id'?\n"),
        ({"reasoning_field": "x"}, "--reasoning-field: unknown field 'x'.\n"),
        ({"finish_field": "x"}, "--finish-field: unknown field 'x'.\n"),
    ],
)
def test_a_wrong_name_of_a_field(tmp_path, options, message):
    path = jsonl(tmp_path, {"prompt": "p", "output": "a", "id": 1})
    assert error_of(path, **options).startswith(f"{path}:1: {message}")


@pytest.mark.parametrize(
    ("row", "options", "fact"),
    [
        ({"output": "a"}, {}, ": 'prompt' is missing"),
        ({"prompt": "", "output": "a"}, {}, ": 'prompt' is empty"),
        ({"prompt": "p", "output": 3}, {}, ": 'output': a number is no completion"),
        ({"prompt": "p", "output": [["a"]]}, {}, ": 'output': a list of 1 is no completion"),
        (
            {"prompt": "p", "output": [{"role": "user", "content": "a"}]},
            {},
            ": 'output': a message of the user is no completion",
        ),
        (
            {"prompt": "p", "output": {"a": 1, "b": 2}},
            {},
            ": 'output': an object with the fields a, b has none of text, content, completion, "
            "response, output, generation, generated_text, full_model_response, model_output",
        ),
        (
            {"prompt": "p", "output": "a", "reasoning": ["x", "y"]},
            {},
            ": 'reasoning' has 2 entries, but 'output' has 1",
        ),
        (
            {"prompt": "p", "output": "a", "reasoning": 3},
            {},
            ": 'reasoning' holds a number where a text should be",
        ),
        (
            {"prompt": "p", "output": "a"},
            {"id_field": "id"},
            ": 'id' is missing, and items go by it",
        ),
    ],
)
def test_a_bad_row_is_told_by_place_and_fact_or_left_out(tmp_path, row, options, fact):
    first = {"prompt": "p", "output": "a", "reasoning": "r", "id": 1}
    path = jsonl(tmp_path, *[first] * 20, row)
    assert error_of(path, **options) == f"{path}:21{fact}.\n{SKIP}"
    reading = read(path, skip_bad_rows=True, **options)
    assert len(list(reading)) == 20
    assert reading.notes == [f"1 bad row was left out: {path}:21{fact}."]


def test_a_chosen_field_that_holds_no_completions(tmp_path):
    path = jsonl(tmp_path, {"prompt": "p", "score": 0.5})
    assert error_of(path, completion_field="score") == (
        f"{path}:1: 'score': a number is no completion.\n{SKIP}"
    )


def test_a_system_message_needs_a_chat():
    with pytest.raises(BadInput) as caught:
        Layout(system="x")
    assert str(caught.value) == (
        "--system is given, but texts are taken as what the model saw, system message included.\n"
        "Add --chat to take them as a user's message, or leave out --system."
    )


def test_a_wrong_name_of_a_field_in_a_document(tmp_path):
    path = document(tmp_path, {"rows": [{"prompt": "p", "output": "a"}]})
    assert error_of(path, prompt_field="promt").startswith(
        f"{path}: rows[0]: --prompt-field: unknown field 'promt'. Did you mean 'prompt'?\n"
    )


def test_a_cell_that_begins_like_a_list(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('prompt,outputs\np,"[""a""]"\np,[b\n')
    assert texts(read(path)) == [("p", ['["a"]']), ("p", ["[b"])]
