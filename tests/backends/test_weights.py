"""A fingerprint changes with anything that changes what a model computes."""

import pytest

from wellworn.backends import weights
from wellworn.backends.weights import fingerprint


@pytest.fixture
def folder(tmp_path):
    for name in ("config.json", "chat_template.jinja", "model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_bytes(name.encode() * 1000)
    (tmp_path / "README.md").write_text("one")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["config.json", "chat_template.jinja", "model.safetensors", "tokenizer.json"]
)
def test_every_file_that_matters_enters_it(folder, name):
    before = fingerprint(folder)
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    assert fingerprint(folder) != before


def test_others_do_not(folder):
    before = fingerprint(folder)
    (folder / "README.md").write_text("two")
    assert fingerprint(folder) == before


def test_a_new_file_is_a_change(folder):
    before = fingerprint(folder)
    (folder / "adapter_config.json").write_text("{}")
    assert fingerprint(folder) != before


def test_large_files_are_read_all_over(folder, monkeypatch):
    monkeypatch.setattr(weights, "_WHOLE", 100)
    monkeypatch.setattr(weights, "_PIECE", 10)
    path = folder / "model.safetensors"
    seen = set()
    for place in (0, 8_500, 16_999):
        data = bytearray(b"model.safetensors" * 1000)
        for near in range(max(0, place - 40), min(len(data), place + 40)):
            data[near] ^= 1
        path.write_bytes(data)
        seen.add(fingerprint(path))
    assert len(seen) == 3
    assert len(fingerprint(path)) == 12
