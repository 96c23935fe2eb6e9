"""What joins the readers: the table, several files, ids, and refusals that name them all."""

import pytest

from sample_logs import error_of, jsonl, texts
from wellworn import readers
from wellworn.readers import (
    READERS,
    Found,
    Item,
    Layout,
    LogFile,
    Missed,
    Reader,
    load_reader,
    read_completions,
)
from wellworn.records import Completion, Generation, Prompt
from wellworn.tables.formats import BadRows


@pytest.mark.parametrize("name", READERS)
def test_every_reader_keeps_its_promises(tmp_path, name):
    reader = load_reader(name)
    assert isinstance(reader, Reader)
    assert not READERS[name][1].endswith(".")
    foreign = tmp_path / "a.bin"
    foreign.write_bytes(b"\0\1\2")
    assert reader.lacks(LogFile(foreign))
    nothing = LogFile(jsonl(tmp_path, {"nothing": "here"}))
    fact = reader.lacks(nothing) or reader.read(nothing, Layout()).fact
    assert not fact.endswith(".")


def test_files_are_read_one_after_the_other_and_again(tmp_path):
    one = jsonl(tmp_path, {"prompt": "p", "output": "a"}, {"prompt": "q", "output": "b"})
    two = jsonl(tmp_path, {"prompt": "p", "output": "c"}, name="b.jsonl")
    reading = read_completions([one, str(two)])
    expected = [("p", ["a"]), ("q", ["b"]), ("p", ["c"])]
    assert texts(reading) == expected
    assert texts(reading) == expected
    assert reading.notes == []


def test_what_is_taken_from_some_files_only_says_from_which(tmp_path):
    one = jsonl(tmp_path, {"prompt": "p", "output": "a", "model": "m"})
    two = jsonl(tmp_path, {"prompt": "p", "output": ["b", "c"], "model": "m"}, name="b.jsonl")
    reading = read_completions([one, two])
    assert reading.took == [
        "prompt: 'prompt' (a text, as the model saw it)",
        "completions: 'output' (one a row), in a.jsonl",
        "model: m from the file",
        "completions: 'output' (a list of 2 in every row), in b.jsonl",
    ]
    assert reading.generation == Generation(model="m")


def test_files_of_different_parameters_do_not_mix(tmp_path):
    one = jsonl(tmp_path, {"prompt": "p", "output": "a", "temperature": 0.6})
    two = jsonl(tmp_path, {"prompt": "p", "output": "a", "temperature": 1}, name="b.jsonl")
    assert error_of(one, two) == (
        f"{two}: the temperature is 1.0 here, but 0.6 before it.\n"
        f"Completions of different parameters do not mix: import each part into a run of its own."
    )


def test_rows_of_the_same_id_are_one_item(tmp_path):
    rows = [
        {"id": 1, "prompt": "p", "output": "a"},
        {"id": 2, "prompt": "q", "output": "b"},
        {"id": 1, "prompt": "p again", "output": "c"},
    ]
    one = jsonl(tmp_path, *rows)
    two = jsonl(tmp_path, {"id": 2, "prompt": "q", "output": "d"}, name="b.jsonl")
    reading = read_completions([one, two], Layout(id_field="id"))
    assert "items: rows with the same 'id'" in reading.took
    assert texts(reading) == [("p", ["a"]), ("q", ["b"]), ("p", ["c"]), ("q", ["d"])]
    assert reading.notes == [
        "Rows with another prompt than the first row of the same id: 1; their completions count "
        "for that first prompt."
    ]


def test_nothing_is_left(tmp_path):
    path = jsonl(tmp_path, *[{"prompt": "", "output": "a"}] * 2)
    assert error_of(path, skip_bad_rows=True) == (
        f"{path}: no completion is left.\n"
        f"2 bad rows were left out: {path}:1: 'prompt' is empty; {path}:2: 'prompt' is empty."
    )


def test_a_missing_file(tmp_path):
    path = tmp_path / "no.jsonl"
    assert error_of(path) == f"{path}: there is no such file."


def test_an_unknown_reader(tmp_path):
    path = jsonl(tmp_path, {"prompt": "p", "output": "a"})
    known = ", ".join(sorted(["auto", *READERS]))
    assert error_of(path, reader="plian") == (
        f"unknown reader 'plian'. Did you mean 'plain'?\nKnown: {known}."
    )
    assert texts(read_completions([path], reader="plain")) == [("p", ["a"])]


def test_a_kind_of_file_that_no_reader_knows(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"PK")
    assert error_of(path, reader="plain") == (
        f"{path}: no reader finds prompts and completions in it.\n"
        f"  plain: not its kind of file; it reads .jsonl, .ndjson, .json, .csv, .tsv, .parquet, "
        f".txt."
    )


def _items(bad: BadRows):
    yield Item(Prompt(text="p"), (Completion(text="a"),), absent=1)


PICKY = Reader(
    lacks=lambda file: None if file.head.startswith(b'{"picky"') else "it is not picky",
    read=lambda file, layout: Found(("all of it",), {}, _items),
)
BLIND = Reader(
    lacks=lambda file: None,
    read=lambda file, layout: Missed("it sees nothing", "Open its eyes."),
)


def test_readers_are_tried_in_turn(tmp_path, monkeypatch):
    table = {
        "picky": (f"{__name__}:PICKY", "picky files"),
        "blind": (f"{__name__}:BLIND", "nothing"),
        "plain": READERS["plain"],
    }
    monkeypatch.setattr(readers, "READERS", table)
    reading = read_completions([jsonl(tmp_path, {"picky": 1})])
    assert reading.took == ["all of it"]
    assert texts(reading) == [("p", ["a"])]
    assert reading.notes == [
        "Completions without a text in the log (null, or failed): 1; they are left out."
    ]
    assert texts(read_completions([jsonl(tmp_path, {"prompt": "p", "output": "b"})])) == [
        ("p", ["b"])
    ]
    path = jsonl(tmp_path, {"a": 1})
    assert error_of(path) == (
        f"{path}: no reader finds prompts and completions in it.\n"
        f"  picky: it is not picky.\n"
        f"  blind: it sees nothing.\n"
        f"  plain: no field holds a prompt or completions.\n"
        f"Open its eyes.\n"
        f"Fields of the first row: a (a number).\n"
        f"Name them with `--prompt-field` and `--completion-field`."
    )
