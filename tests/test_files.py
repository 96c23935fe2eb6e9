"""Files that cannot be opened or unpacked."""

import gzip

import pytest

from wellworn.errors import BadInput
from wellworn.tables.files import read_bytes


def error_of(path):
    with pytest.raises(BadInput) as caught:
        read_bytes(path)
    return str(caught.value)


def test_a_missing_file_is_answered_with_the_nearest_name(tmp_path):
    (tmp_path / "prompts.jsonl").touch()
    path = tmp_path / "promts.jsonl"
    assert error_of(path) == (
        f"{path}: there is no such file. Did you mean '{tmp_path / 'prompts.jsonl'}'?"
    )
    assert error_of(tmp_path / "zzz.jsonl") == f"{tmp_path / 'zzz.jsonl'}: there is no such file."
    path = tmp_path / "no" / "a.jsonl"
    assert error_of(path) == (
        f"{path}: there is no such file; there is no folder {tmp_path / 'no'} either."
    )


def test_a_folder_is_no_file(tmp_path):
    folder = tmp_path / "logs.jsonl"
    folder.mkdir()
    assert error_of(folder) == f"{folder}: this is a folder, not a file.\nIt holds no files."
    (folder / "b.jsonl").touch()
    (folder / "a.jsonl").touch()
    assert error_of(folder) == (
        f"{folder}: this is a folder, not a file.\nGive a file in it: a.jsonl, b.jsonl."
    )


def test_a_path_that_is_no_path(tmp_path):
    path = tmp_path / ("What is 2 + 2? " * 40)
    assert error_of(path) == f"{path}: the file cannot be read (File name too long)."


def test_gzip_that_is_cut_off_or_damaged(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    whole = gzip.compress(b'{"a": "' + bytes(range(48, 90)) * 50 + b'"}\n')
    path.write_bytes(whole[:-12])
    assert error_of(path) == (
        f"{path}: the gzip file is cut off or damaged (Compressed file ended before the "
        f"end-of-stream marker was reached).\n"
        f"Copy it again (`gzip -t < {path}` says whether it is whole), or give the other files "
        f"without it.\nWhat is whole of it comes out with `gzip -dc < {path} > "
        f"{tmp_path / 'a.part.jsonl'}`; its last row may be cut."
    )
    path.write_bytes(whole[:20] + b"\xff\xff" + whole[22:])
    assert error_of(path).startswith(f"{path}: the gzip file is cut off or damaged (")


def test_a_file_that_cannot_be_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.symlink_to("/proc/self/mem")
    assert error_of(path) == f"{path}: the file cannot be read (Input/output error)."
