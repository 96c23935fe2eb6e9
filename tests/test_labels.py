"""Which prompts are members, out of files; and what is said of a file that does not say it."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wellworn.errors import BadInput
from wellworn.labels import LABEL_FIELDS, read_labels
from wellworn.prompts import read_prompts
from wellworn.records import Message, Prompt, chat

A, B, C = chat("one"), chat("two"), chat("three")
WAY_OUT = (
    "Name prompts by their ids: `wellworn export RUN scores.csv --what scores` writes them in a "
    "column prompt_id."
)


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def write(text, name="labels.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def refusal(*arguments):
    with pytest.raises(BadInput) as caught:
        read_labels(*arguments)
    return str(caught.value)


def test_prompts_are_named_by_id(write):
    path = write(f"prompt_id,member\n{A.id},1\n{B.id},0\n")
    assert read_labels(path, [A, B, C]) == {A.id: True, B.id: False}


def test_prompts_are_named_by_themselves(write):
    path = write("question,member\none,1\ntwo,0\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


def test_an_id_goes_before_a_prompt(write):
    path = write(f"prompt_id,prompt,member\n{A.id},two,1\n{B.id},one,0\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


def test_an_id_of_another_tool_is_none_of_ours(write):
    path = write("prompt_id,prompt,member\n17,one,1\n18,two,0\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


def test_the_prompt_file_serves_whatever_form_the_run_asks_it_in(write):
    turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "one"}]
    rows = [{"messages": turns, "seen": True}, {"messages": turns[1:], "seen": False}]
    path = write("\n".join(map(json.dumps, rows)), "p.jsonl")
    prompts = read_prompts(str(path)).prompts
    assert prompts[0].messages[0] == Message("system", "Be brief.")
    assert list(read_labels(path, prompts).values()) == [True, False]
    raw = [Prompt(text="one"), Prompt(text="two")]
    path = write("prompt,member\none,yes\ntwo,no\n")
    assert read_labels(path, raw) == {raw[0].id: True, raw[1].id: False}


def test_the_run_may_have_taken_another_of_the_columns_that_fit(write):
    path = write("prompt,question,member\nAnswer: one,one,1\nAnswer: two,two,0\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


@pytest.mark.parametrize("field", LABEL_FIELDS)
def test_the_usual_names_are_found_in_any_case(write, field):
    path = write(f"prompt,{field.upper()}\none,1\ntwo,0\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


@pytest.mark.parametrize(
    ("member", "other"),
    [("1", "0"), ("True", "FALSE"), ("yes", "No"), ("Member", "Non-Member"), ("1.0", " 0.0 ")],
)
def test_the_usual_values_in_any_case(write, member, other):
    path = write(f"prompt,member\none,{member}\ntwo,{other}\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


def test_typed_values_of_parquet_and_lists_inside_json(tmp_path, write):
    for values in ([True, False], [1, 0], [1.0, 0.0]):
        path = tmp_path / "l.parquet"
        pq.write_table(pa.table({"prompt": ["one", "two"], "member": values}), path)
        assert read_labels(path, [A, B]) == {A.id: True, B.id: False}
    rows = [{"prompt": "one", "member": 1}, {"prompt": "two", "member": 0}]
    path = write(json.dumps({"log": [{"step": 1}], "data": {"items": rows}}), "l.json")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


def test_a_column_can_be_named_also_one_inside_another(write):
    rows = [{"prompt": "one", "x": {"in": 1}}, {"prompt": "two", "x": {"in": 0}}]
    path = write("\n".join(map(json.dumps, rows)), "l.jsonl")
    assert read_labels(path, [A, B], "x.in") == {A.id: True, B.id: False}


def test_rows_without_a_label_say_nothing(write):
    path = write("prompt,member\none,1\ntwo,\nthree,0\n")
    assert read_labels(path, [A, B, C]) == {A.id: True, C.id: False}


def test_labels_of_other_prompts_are_kept_to_be_counted(write):
    path = write("prompt,member\none,1\ntwo,0\nunheard of,1\n")
    assert set(read_labels(path, [A, B])) == {A.id, B.id, chat("unheard of").id}


def test_a_column_that_holds_labels_goes_before_one_that_is_called_so(write):
    path = write("prompt,label,seen\none,hard,1\ntwo,easy,0\n")
    assert read_labels(path, [A, B]) == {A.id: True, B.id: False}


def test_several_columns_that_hold_labels(write):
    path = write("prompt,label,seen\none,0,1\ntwo,1,0\n")
    assert refusal(path, [A, B]) == (
        f"{path}: 'label' and 'seen' could each say which prompts are members.\n"
        f"Choose one with `--label-field NAME`."
    )
    assert read_labels(path, [A, B], "seen") == {A.id: True, B.id: False}


def test_a_value_that_is_no_label(write):
    path = write("prompt,member\none,1\ntwo,perhaps\n")
    assert refusal(path, [A, B]) == (
        f"{path}:3: 'member' is 'perhaps', which is no label.\n"
        f"Write 1 or 0, true or false, yes or no, member or non-member."
    )


def test_contradictory_labels(write):
    path = write("prompt,member\none,1\ntwo,0\none,1\none,0\n")
    assert refusal(path, [A, B]) == (
        f"{path}:5: the prompt is a non-member here, and a member in {path}:2.\n"
        f"Keep one of the two rows."
    )


@pytest.mark.parametrize(
    ("value", "are", "way_out"), [("1", "members", "non-members"), ("0", "non-members", "members")]
)
def test_one_class_alone(write, value, are, way_out):
    path = write(f"prompt,member\none,{value}\ntwo,{value}\nunheard of,{1 - int(value)}\n")
    assert refusal(path, [A, B]) == (
        f"{path}: the prompts of the run with a label, 2, are all {are}; an evaluation needs "
        f"both kinds.\nLabel {way_out} as well."
    )


def test_labels_of_another_run(write):
    path = write("prompt,member\none,1\ntwo,0\n")
    assert refusal(path, [C]) == (
        f"{path}: of the prompts with a label, 2, none is in the run.\n{WAY_OUT}"
    )


def test_no_label_at_all(write):
    path = write("prompt,member\none,\ntwo,\n")
    assert refusal(path, [A]) == f"{path}: no row has a label.\nGive some of both kinds."


def test_no_column_for_the_label(write):
    path = write("prompt,score\none,1\ntwo,0\n")
    assert refusal(path, [A]) == (
        f"{path}: no column says which prompts are members.\n"
        f"Fields of the first row: prompt (a text), score (a text).\n"
        f"Call it member, label, is_member, seen, trained, contaminated, or name it with "
        f"`--label-field NAME`."
    )
    assert refusal(path, [A], "scores") == (
        f"{path}: --label-field: unknown column 'scores'. Did you mean 'score'?\n"
        f"Known: prompt, score."
    )


def test_no_column_for_the_prompt(write):
    path = write("name,member\none,1\ntwo,0\n")
    assert refusal(path, [A]) == (
        f"{path}: no column says which prompt a row is about.\n"
        f"Fields of the first row: name (a text), member (a text).\n{WAY_OUT}"
    )


def test_a_row_that_names_no_prompt(write):
    path = write("prompt,member\none,1\n,0\n")
    assert refusal(path, [A]) == (
        f"{path}:3: the row has a label, but names no prompt in prompt.\n"
        f"Mend the row, or take it out."
    )


def test_no_file(tmp_path):
    assert "no.csv: there is no such file" in refusal(tmp_path / "no.csv", [A])


@pytest.mark.parametrize("name", ["aime24", "aime25", "kk", "sat", "gsm8k"])
def test_the_files_of_rl_mia_label_themselves(name, shared):
    path = shared / "data" / "rl-mia" / f"{name}.parquet"
    prompts = read_prompts(str(path)).prompts
    labels = read_labels(path, prompts)
    assert set(labels) == {prompt.id for prompt in prompts}
    assert sum(labels.values()) == len(labels) / 2
