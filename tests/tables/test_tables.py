"""Rows out of files: every format and every place."""

import csv
import gzip
import io
import json
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.tables import fitting, glimpse, read_rows

ROWS = [{"prompt": "2 + 2?", "n": 1}, {"prompt": "Ünïcode \u2028 ok", "n": 2}]


def write(path, content):
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


CONTENTS = {
    "a.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "a.ndjson": "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS),
    "a.json": json.dumps(ROWS, indent=1),
    "a.parquet": parquet(ROWS),
}


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("name", CONTENTS)
def test_typed_formats_give_the_same_rows(tmp_path, name, ending):
    path = write(tmp_path / (name + ending), CONTENTS[name])
    assert [row.fields for row in read_rows(path)] == ROWS


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(("name", "mark"), [("a.csv", ","), ("a.tsv", "\t")])
def test_cells_are_texts(tmp_path, name, mark, ending):
    lines = [mark.join(map(str, line)) for line in (["prompt", "n"], *(r.values() for r in ROWS))]
    path = write(tmp_path / (name + ending), "\r\n".join(lines))
    assert [row.fields for row in read_rows(path)] == [{**row, "n": str(row["n"])} for row in ROWS]


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_plain_text_has_a_prompt_a_line(tmp_path, ending):
    path = write(tmp_path / f"a.txt{ending}", "one\n\n  \n two \r\nthree")
    rows = list(read_rows(path))
    assert [row.fields for row in rows] == [{"prompt": p} for p in ("one", " two ", "three")]
    assert [row.place for row in rows] == [f"{path}:1", f"{path}:4", f"{path}:5"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.txt"])
def test_a_byte_order_mark_is_left_out(tmp_path, name):
    content = {"a.jsonl": '{"prompt": "x"}', "a.json": '[{"prompt": "x"}]', "a.csv": "prompt\nx"}
    path = write(tmp_path / name, b"\xef\xbb\xbf" + content.get(name, "x").encode())
    assert [row.fields for row in read_rows(path)] == [{"prompt": "x"}]


def test_a_mark_further_on_is_text(tmp_path):
    path = write(tmp_path / "a.csv", "prompt\n\ufeffx")
    assert next(read_rows(path)).fields == {"prompt": "\ufeffx"}


def test_lone_surrogates_are_taken_in_every_text_format(tmp_path):
    for name, content in (("a.csv", "prompt\n\ud800"), ("a.jsonl", '{"prompt": "\ud800"}')):
        path = write(tmp_path / name, content.encode("utf-8", "surrogatepass"))
        assert next(read_rows(path)).fields == {"prompt": "\ud800"}


def test_the_ending_may_be_in_capitals(tmp_path):
    assert next(iter(read_rows(write(tmp_path / "A.JSONL", '{"a": 1}')))).fields == {"a": 1}


def test_content_decides_what_is_gzipped(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(gzip.compress(b'{"a": 1}'))
    assert next(read_rows(path)).fields == {"a": 1}
    path = tmp_path / "b.jsonl.gz"
    path.write_bytes(b'{"a": 1}')
    assert next(read_rows(path)).fields == {"a": 1}


def test_places_are_lines_rows_and_indices(tmp_path):
    lines = write(tmp_path / "a.jsonl", '{"a": 1}\n\n{"a": 2}\n')
    assert [row.place for row in read_rows(lines)] == [f"{lines}:1", f"{lines}:3"]
    table = write(tmp_path / "a.parquet", parquet([{"a": n} for n in range(70)]))
    assert [row.place for row in read_rows(table)][::69] == [f"{table}: row 1", f"{table}: row 70"]
    nested = {"runs": [{"rows": [{"a": 1}]}, {"rows": [{"a": 2}, {"a": 3}]}]}
    document = write(tmp_path / "a.json", json.dumps(nested))
    rows = list(read_rows(document, at="runs.rows"))
    assert [row.place for row in rows] == [
        f"{document}: runs[0].rows[0]",
        f"{document}: runs[1].rows[0]",
        f"{document}: runs[1].rows[1]",
    ]
    assert [row.fields["a"] for row in rows] == [1, 2, 3]


def test_the_place_of_a_csv_row_is_its_first_line(tmp_path):
    path = write(tmp_path / "a.csv", 'prompt,n\n"a\nb\n",1\n\nc,2\n')
    rows = list(read_rows(path))
    assert [row.place for row in rows] == [f"{path}:2", f"{path}:6"]
    assert rows[0].fields == {"prompt": "a\nb\n", "n": "1"}


def test_csv_cells_may_be_huge(tmp_path):
    path = write(tmp_path / "a.csv", "prompt\n" + "x" * 300_000)
    assert len(next(read_rows(path)).fields["prompt"]) == 300_000


def test_json_takes_lone_surrogates_and_turns_no_numbers_into_none(tmp_path):
    path = write(tmp_path / "a.jsonl", r'{"a": "\ud800", "b": NaN, "c": -Infinity, "d": 1e999}')
    assert next(read_rows(path)).fields == {"a": "\ud800", "b": None, "c": None, "d": None}


def test_a_json_file_may_hold_a_row_a_line(tmp_path):
    path = write(tmp_path / "a.json", '{"a": 1}\n{"a": 2}\n')
    assert [(row.place, row.fields) for row in read_rows(path)] == [
        (f"{path}:1", {"a": 1}),
        (f"{path}:2", {"a": 2}),
    ]


def test_a_document_may_begin_with_a_line_that_is_json(tmp_path):
    path = write(tmp_path / "a.json", '[\n{"a": 1}\n]')
    assert [row.fields for row in read_rows(path)] == [{"a": 1}]
    assert [r.fields for r in read_rows(write(path, '[{"a": 1}]\n'))] == [{"a": 1}]


def test_the_outermost_list_of_objects_is_read(tmp_path):
    value = {"config": {"deep": [{"b": 1}]}, "numbers": [1, 2], "rows": [{"a": [{"c": 1}]}]}
    path = write(tmp_path / "a.json", json.dumps(value))
    assert [row.place for row in read_rows(path)] == [f"{path}: rows[0]"]


def test_a_document_may_be_deep(tmp_path):
    deep = '{"a": ' * 400 + "1" + "}" * 400
    path = write(tmp_path / "a.json", f'{{"deep": {deep}, "rows": [{{"n": 1}}]}}')
    seen = glimpse(path, lambda rows: True)
    assert (seen.at, len(seen.around)) == ("rows", 401)


def test_glimpse_takes_the_list_that_fits(tmp_path):
    value = {"model": "m", "runs": [{"rows": [{"a": n} for n in range(30)]}], "more": {"t": 1}}
    path = write(tmp_path / "a.json", json.dumps(value))
    seen = glimpse(path, lambda rows: "a" in rows[0].fields)
    assert (seen.at, seen.size, seen.lists) == ("runs.rows", 30, ["runs", "runs.rows"])
    assert seen.around == [{"model": "m"}, {"t": 1}]
    assert [row.fields["a"] for row in seen.sample] == list(range(20))
    assert glimpse(path, lambda rows: False).at == "runs"
    assert glimpse(path, lambda rows: False, at="runs.rows").sample[0].fields == {"a": 0}


def test_glimpse_of_other_formats_has_only_rows(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"a": 1}\n' * 30)
    seen = glimpse(path, lambda rows: False)
    assert (len(seen.sample), seen.at, seen.around) == (20, None, ())


def test_parquet_values_become_json_values(tmp_path):
    rows = [
        {
            "day": date(2025, 2, 6),
            "time": datetime(2025, 2, 6, 12, 30),
            "price": Decimal("1.50"),
            "bytes": "\ud800é".encode("utf-8", "surrogatepass"),
            "image": b"\xff\xfe\x00",
            "none": float("nan"),
            "list": [1.5, float("inf")],
            "chat": [{"role": "user", "content": "hi"}],
        }
    ]
    fields = next(read_rows(write(tmp_path / "a.parquet", parquet(rows)))).fields
    assert fields == {
        "day": "2025-02-06",
        "time": "2025-02-06T12:30:00",
        "price": 1.5,
        "bytes": "\ud800é",
        "image": "//4A",
        "none": None,
        "list": [1.5, None],
        "chat": [{"role": "user", "content": "hi"}],
    }


def test_fields_fit_by_name_in_any_case_and_by_all_their_values(tmp_path):
    lines = '{"Prompt": "x", "text": 1, "query": null}\n{"Prompt": null, "text": "y"}\n'
    sample = list(read_rows(write(tmp_path / "a.jsonl", lines)))
    names = ("query", "text", "prompt")
    assert fitting(sample, names, lambda name, value: isinstance(value, str)) == ["Prompt"]


texts = st.text("a,;\"'\\ \t\r\né\u2028\ufeff\0😀", max_size=12)
any_text = texts | st.just("\ud800")
fields = st.dictionaries(texts, st.none() | st.booleans() | st.integers() | any_text, max_size=4)


@given(rows=st.lists(fields, min_size=1, max_size=5), packed=st.booleans())
def test_json_lines_come_back_as_written(tmp_path_factory, rows, packed):
    path = tmp_path_factory.getbasetemp() / f"round.jsonl{'.gz' if packed else ''}"
    write(path, "".join(json.dumps(row) + "\n" for row in rows))
    assert [row.fields for row in read_rows(path)] == rows
    document = write(tmp_path_factory.getbasetemp() / "round.json", json.dumps({"rows": rows}))
    assert [row.fields for row in read_rows(document, at="rows")] == rows


@given(rows=st.lists(st.lists(texts, min_size=2, max_size=2), min_size=1, max_size=5))
def test_csv_comes_back_as_written(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "round.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["a", "b"], *rows])
    assert [list(row.fields.values()) for row in read_rows(path)] == rows


@given(
    data=st.binary(max_size=60), name=st.sampled_from(["jsonl", "json", "csv", "txt", "parquet"])
)
def test_any_bytes_give_rows_or_one_clean_error(tmp_path_factory, data, name):
    path = tmp_path_factory.getbasetemp() / f"any.{name}"
    path.write_bytes(data)
    with suppress(BadInput):
        assert list(read_rows(path))
