"""Logs that the tests of the readers write, and short ways to read them."""

import json

import pytest

from wellworn.errors import BadInput
from wellworn.readers import Layout, read_completions
from wellworn.records import Message

SKIP = "Mend the row, or leave it out with `--skip-bad-rows` (the report will list it)."

CHAT = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
MESSAGES = (Message("system", "s"), Message("user", "u"))


def jsonl(tmp_path, *rows, name="a.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def document(tmp_path, value, name="a.json"):
    path = tmp_path / name
    path.write_text(json.dumps(value))
    return path


def read(*paths, reader="auto", **options):
    return read_completions(paths, Layout(**options), reader=reader)


def texts(reading):
    return [(prompt.shown, [c.text for c in completions]) for prompt, completions in reading]


def error_of(*paths, **options):
    with pytest.raises(BadInput) as caught:
        list(read(*paths, **options))
    return str(caught.value)
