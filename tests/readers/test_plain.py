"""Round trips of tables of completions, and the parameters that they state."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_logs import CHAT, MESSAGES, SKIP, document, error_of, jsonl, read, texts
from wellworn.errors import BadInput
from wellworn.records import Completion, Generation, Prompt


def test_csv_holds_a_completion_a_row_or_a_json_list(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('prompt,output,reasoning,temperature\np,"a\nb",hm,0.7\np,,,0.70\n')
    reading = read(path)
    assert reading.took[1] == "completions: 'output' (one a row)"
    assert [c[0] for _, c in reading] == [
        Completion(text="a\nb", reasoning="hm"),
        Completion(text=""),
    ]
    assert reading.generation.temperature == 0.7
    path = tmp_path / "b.csv"
    with path.open("w", newline="") as file:
        lists = [json.dumps(["a", "b"]), json.dumps(["c"])]
        csv.writer(file).writerows([["prompt", "outputs"], *(["p", text] for text in lists)])
    reading = read(path)
    assert reading.took[1] == "completions: 'outputs' (a list of 1 to 2 in every row)"
    assert texts(reading) == [("p", ["a", "b"]), ("p", ["c"])]


def test_a_completion_in_jsonl_may_be_a_json_list_of_its_own(tmp_path):
    assert texts(read(jsonl(tmp_path, {"prompt": "p", "output": '["a"]'}))) == [("p", ['["a"]'])]


def test_a_cell_that_is_no_list_after_others_that_are(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("prompt,outputs\n" + 'p,"[""a""]"\n' * 20 + "p,b\n")
    assert error_of(path) == (
        f"{path}:22: 'outputs' holds no JSON list, unlike the first rows.\n{SKIP}"
    )


EXPORT = [
    {
        "prompt_id": prompt.id,
        "prompt": CHAT if prompt.messages else prompt.text,
        "index": index,
        "text": text,
        "reasoning": reasoning,
        "reasoning_hidden": index == 1,
        "finish_reason": "stop",
        "seed": 2**62 + index,
        "model": "openai/m",
        "temperature": 0.7,
        "top_p": 0.95,
        "max_tokens": 1024,
    }
    for prompt in (Prompt(messages=MESSAGES), Prompt(text="raw {text}"))
    for index, (text, reasoning) in enumerate([("a", None), ("b", "hm"), ("", ""), ("é\n", None)])
]


def parquet(tmp_path, rows):
    path = tmp_path / "out.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def table(tmp_path, rows):
    path = tmp_path / "out.csv"
    with path.open("w", newline="", errors="surrogatepass") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize("write", [lambda path, rows: jsonl(path, *rows), parquet, table])
def test_our_own_export_comes_back(tmp_path, write):
    flat = [
        {**row, "prompt": json.dumps(row["prompt"]) if row["prompt"] == CHAT else row["prompt"]}
        for row in EXPORT
    ]
    reading = read(write(tmp_path, flat))  # CSV knows no difference between "" and None
    assert reading.took == [
        "prompt: 'prompt' (a chat)",
        "completions: 'text' (one a row, as wellworn exports them)",
        "model: openai/m from the file",
        "temperature: 0.7 from the file",
        "top_p: 0.95 from the file",
        "max_tokens: 1024 from the file",
    ]
    assert reading.generation == Generation(
        model="openai/m", temperature=0.7, top_p=0.95, max_tokens=1024
    )
    got = [(prompt.id, *completions) for prompt, completions in reading]
    assert got == [
        (
            row["prompt_id"],
            Completion(
                text=row["text"],
                reasoning=None if write is table and not row["reasoning"] else row["reasoning"],
                reasoning_hidden=row["reasoning_hidden"],
                finish_reason="stop",
                seed=row["seed"],
            ),
        )
        for row in EXPORT
    ]


characters = st.text("a \n\"'\\é\u2028😀\ud800", min_size=1, max_size=8)


@given(
    items=st.lists(
        st.tuples(characters.filter(str.strip), st.lists(characters, min_size=1, max_size=3)),
        min_size=1,
        max_size=4,
    ),
    listed=st.booleans(),
)
def test_prompts_and_texts_come_back_as_written(tmp_path_factory, items, listed):
    rows = [
        {"prompt": prompt, "completion": value}
        for prompt, completions in items
        for value in ([completions] if listed else completions)
    ]
    reading = read(jsonl(tmp_path_factory.getbasetemp(), *rows, name="round.jsonl"))
    if listed:
        assert texts(reading) == items
    else:
        assert texts(reading) == [(p, [c]) for p, completions in items for c in completions]


def test_a_seed_is_a_whole_number_that_a_run_can_hold(tmp_path):
    seeds = [7, "8", -1, 2**63, 1.5, None, "x"]
    path = jsonl(tmp_path, *({"prompt": "p", "output": "a", "seed": seed} for seed in seeds))
    got = [completions[0].seed for _, completions in read(path)]
    assert got == [7, 8, None, None, None, None, None]


def test_parameters_are_found_around_the_rows(tmp_path):
    value = {
        "dataset": "AMC",
        "info": {"model": "m", "temperature": 0.6, "deep": {"model": "other", "top_p": 1}},
        "max_new_tokens": 2048,
        "rows": [{"prompt": "p", "outputs": ["a"]}],
    }
    assert read(document(tmp_path, value)).generation == Generation(
        model="m", temperature=0.6, top_p=1.0, max_tokens=2048
    )


def test_what_is_no_parameter_is_left_unknown(tmp_path):
    row = {"prompt": "p", "output": "a", "model": 3, "temperature": True, "top_p": "high"}
    more = {"max_tokens": 10.5, "model_name": " "}
    assert read(jsonl(tmp_path, {**row, **more})).generation == Generation(model="unknown")


def test_parameters_that_differ_do_not_mix(tmp_path):
    row = {"prompt": "p", "output": "a", "model": "m"}
    path = jsonl(tmp_path, *[row] * 25, {**row, "model": "n"})
    fact = "the model is 'n' here, but 'm' before it"
    way_out = (
        "Completions of different parameters do not mix: import each part into a run of its own, "
        "or take the rows of one with --only-model."
    )
    assert error_of(path) == f"{path}:26: {fact}.\n{way_out}"
    reading = read(path, skip_bad_rows=True)
    assert len(list(reading)) == 25
    assert reading.notes == [f"1 bad row was left out: {path}:26: {fact}."]
    path = jsonl(tmp_path, row, {**row, "model": "n"})
    with pytest.raises(BadInput) as caught:
        read(path)
    assert str(caught.value) == f"{path}:2: {fact}.\n{way_out}"
