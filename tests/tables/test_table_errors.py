"""What is refused in files of rows, word by word."""

import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wellworn.errors import BadInput
from wellworn.tables import glimpse, read_rows
from wellworn.tables.formats import BadRows


def write(path, content):
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def error_of(path, **options):
    with pytest.raises(BadInput) as caught:
        list(read_rows(path, **options))
    return str(caught.value)


def test_an_unknown_ending_names_the_known_ones(tmp_path):
    endings = ".jsonl, .ndjson, .json, .csv, .tsv, .parquet, .txt"
    known = f"Known endings: {endings}, each also with .gz or .zst."
    path = write(tmp_path / "a.xlsx", "x")
    assert error_of(path) == f"{path}: files that end in '.xlsx' are not read here.\n{known}"
    path = write(tmp_path / "prompts", "x")
    assert error_of(path) == f"{path}: files without an ending are not read here.\n{known}"
    assert "there is no such file" in error_of(tmp_path / "b.xlsx")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", ""),
        ("a.jsonl", " \n\n"),
        ("a.jsonl.gz", ""),
        ("a.json", ""),
        ("a.csv", ""),
        ("a.csv", "prompt,n\n"),
        ("a.txt", "\n \n"),
        ("a.parquet", parquet([{"a": 1}][:0])),
    ],
)
def test_an_empty_file(tmp_path, name, content):
    path = write(tmp_path / name, content)
    assert error_of(path) == f"{path}: the file holds no rows.\nGive a file with at least one."


SKIP = "Mend the row, or leave it out with `--skip-bad-rows` (the report will list it)."


def test_a_line_that_is_no_json(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"a": 1}\n{"a": 1,, "b": 2}\n')
    assert error_of(path) == (
        f"{path}:2: this is no JSON at column 9: Expecting property name enclosed in double "
        f"quotes; there stands ', \"b\": 2}}'.\n{SKIP}"
    )


def test_a_document_that_is_no_json(tmp_path):
    path = write(tmp_path / "a.json", '[\n {"a": 1},\n {"a" 2}\n]')
    assert error_of(path) == (
        f"{path}:3: this is no JSON at column 7: Expecting ':' delimiter; there stands '2}}'.\n"
        f"Mend it, or write the file again."
    )


def test_json_that_python_cannot_hold(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"a": ' + "[" * 100_000)
    assert error_of(path).startswith(f"{path}:1: this JSON cannot be read: maximum recursion")
    path = write(tmp_path / "b.json", '[{"a": ' + "9" * 5000 + "}]")
    assert error_of(path).startswith(f"{path}:1: this JSON cannot be read: Exceeds the limit")


def test_a_row_that_is_no_object(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"a": 1}\n["b"]\n')
    assert error_of(path) == f"{path}:2: a row is an object; this one is a list of 1.\n{SKIP}"
    path = write(tmp_path / "a.json", '{"rows": [{"a": 1}, null]}')
    assert error_of(path) == f"{path}: rows[1]: a row is an object; this one is null.\n{SKIP}"


def test_a_document_without_rows(tmp_path):
    path = write(tmp_path / "a.json", '{"a": [1, 2]}')
    assert error_of(path) == (
        f"{path}: this JSON holds no list of objects, so it has no rows.\n"
        f"Rows are the objects of a list, at the top or anywhere inside."
    )


def test_a_list_that_is_not_there(tmp_path):
    path = write(tmp_path / "a.json", '{"metadata": [{"a": 1}]}')
    assert error_of(path, at="metdata") == (
        f"{path}: unknown list of rows 'metdata'. Did you mean 'metadata'?\n"
        f"Known: metadata.\nChoose one with `--rows NAME`, or leave it out."
    )
    path = write(tmp_path / "a.jsonl", '{"a": 1}')
    assert error_of(path, at="rows") == (
        f"{path}: rows at 'rows' are asked for, but only the lists of a JSON document have "
        f"names.\nLeave out `--rows`."
    )


LATIN = "Save the file as UTF-8, as `iconv -f WINDOWS-1252 -t UTF-8` does."


def test_another_encoding_is_told_by_line_and_byte(tmp_path):
    for name, content, line in (
        ("a.jsonl", '{"a": 1}\n{"a": "é"}\n', 2),
        ("a.csv", "prompt\né\n", 2),
        ("a.txt", "one\n\ntwo é\n", 3),
        ("a.json", '[\n{"a": 1},\n{"a": "é"}]', 3),
    ):
        path = write(tmp_path / name, content.encode("latin-1"))
        text = content.split("\n")[line - 1]
        assert error_of(path) == (
            f"{path}:{line}: byte {text.index('é') + 1} of the line (0xe9) is not UTF-8.\n{LATIN}"
        )


def test_utf_16_is_called_by_its_name(tmp_path):
    path = write(tmp_path / "a.csv", "prompt\nx\n".encode("utf-16"))
    assert error_of(path) == (
        f"{path}: the file is UTF-16, not UTF-8.\n"
        f"Save the file as UTF-8, as `iconv -f UTF-16 -t UTF-8` does."
    )


def test_damaged_parquet(tmp_path):
    whole = parquet([{"a": "x" * 100} for _ in range(50)])
    path = write(tmp_path / "a.parquet", whole[:-20])
    assert error_of(path) == (
        f"{path}: this is no Parquet file that can be read, after row 0: Parquet magic bytes not "
        f"found in footer. Either the file is corrupted or this is not a parquet file.\n"
        f"Write it again, or copy it again."
    )
    path = write(tmp_path / "b.parquet.gz", b"x")
    assert error_of(path).startswith(f"{path}: this is no Parquet file that can be read, after")


def test_bad_csv(tmp_path):
    path = write(tmp_path / "a.csv", "prompt,n\na,1\nb\nc,3,4\n")
    assert error_of(path) == (f"{path}:3: the header names 2 columns, but this row has 1.\n{SKIP}")
    path = write(tmp_path / "b.csv", 'prompt,n\na,1\n"b,2\nc,3\n')
    assert error_of(path) == (
        f"{path}:3: the row that begins here is no CSV: unexpected end of data.\n{SKIP}"
    )
    path = write(tmp_path / "c.csv", "a,b,a\n1,2,3\n")
    assert error_of(path) == f"{path}: two columns are called 'a'.\nRename one of them."


def test_a_header_that_is_no_csv_is_never_left_out(tmp_path):
    path = write(tmp_path / "a.csv", '"a"b,c\n1,2\n')
    assert error_of(path, bad=BadRows(skip=True)) == (
        f"{path}: the header is no CSV: ',' expected after '\"'.\nMend the first line."
    )


def test_reading_goes_on_after_bad_csv(tmp_path):
    path = write(tmp_path / "a.csv", '\nprompt,n\na,1\n"b"c,2\nd,3\n')
    bad = BadRows(skip=True)
    assert [row.fields["prompt"] for row in read_rows(path, bad=bad)] == ["a", "d"]
    fact = "the row that begins here is no CSV: ',' expected after '\"'"
    assert bad.reasons == [f"{path}:4: {fact}"]


def test_bad_rows_can_be_left_out_and_are_listed(tmp_path):
    path = write(tmp_path / "a.jsonl", b'{"a": 1}\nx\n[]\n{"a": "\xe9"}\n{"a": 2}\n')
    bad = BadRows(skip=True)
    assert [row.fields for row in read_rows(path, bad=bad)] == [{"a": 1}, {"a": 2}]
    assert bad.notes() == [
        f"3 bad rows were left out: {path}:2: this is no JSON at column 1: Expecting value; there "
        f"stands 'x'; {path}:3: a row is an object; this one is a list of 0; "
        f"{path}:4: byte 8 of the line (0xe9) is not UTF-8."
    ]
    assert BadRows(skip=True).notes() == []


def test_many_bad_rows_are_counted(tmp_path):
    path = write(tmp_path / "a.csv", "a\n1\n" + "1,2\n" * 7)
    bad = BadRows(skip=True)
    assert len(list(read_rows(path, bad=bad))) == 1
    assert bad.notes(shown=1) == [
        f"7 bad rows were left out: {path}:3: the header names 1 columns, but this row "
        f"has 2; and 6 more."
    ]


def test_a_file_of_bad_rows_only_shows_nothing(tmp_path):
    path = write(tmp_path / "a.jsonl", "[]\n")
    with pytest.raises(BadInput) as caught:
        glimpse(path, lambda rows: True, skip=True)
    assert str(caught.value) == (
        f"{path}: none of the rows can be read.\n"
        f"1 bad row was left out: {path}:1: a row is an object; this one is a list of 0."
    )


def test_a_bad_line_of_plain_text_is_left_out(tmp_path):
    path = write(tmp_path / "a.txt", b"one\n\xe9\ntwo\n")
    bad = BadRows(skip=True)
    assert [row.fields["prompt"] for row in read_rows(path, bad=bad)] == ["one", "two"]
    assert bad.reasons == [f"{path}:2: byte 1 of the line (0xe9) is not UTF-8"]
