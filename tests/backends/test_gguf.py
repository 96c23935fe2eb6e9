"""What can be wrong with a GGUF file; that one is served is tested in test_real_server."""

import sys

import pytest

from wellworn.backends import Target, open_backend
from wellworn.errors import BackendError, BadInput


def opened(path):
    return open_backend(Target(model=f"gguf/{path}"))


def test_no_such_file(tmp_path):
    with pytest.raises(BadInput, match="there is no such file"):
        opened(tmp_path / "none.gguf")


def test_a_file_of_another_kind(tmp_path):
    (tmp_path / "m.gguf").write_bytes(b"PK\x03\x04")
    with pytest.raises(BadInput, match=r"this is no GGUF file; it begins with b'PK"):
        opened(tmp_path / "m.gguf")


def test_a_damaged_file(tmp_path):
    pytest.importorskip("xllamacpp", reason="`make test` installs xllamacpp")
    (tmp_path / "m.gguf").write_bytes(b"GGUF and no more")
    with pytest.raises(BackendError, match=r"m\.gguf: llama\.cpp cannot load the file \("):
        opened(tmp_path / "m.gguf")


def test_without_the_package(tmp_path, monkeypatch):
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(BackendError, match=r"pip install '\.\[gguf\]'"):
        opened(tmp_path / "m.gguf")
