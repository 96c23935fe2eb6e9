"""Damaged logs of every format give clean errors; `benchmarks/fuzz_readers.py` tries far more."""

import gzip
import json
import re
import subprocess
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreign_logs import LOGS, lines, written
from wellworn.errors import BadInput
from wellworn.readers import Layout, read_completions

JSONL = [name for name, log in LOGS.items() if log.name.endswith(".jsonl")]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text('a</think>[{"\\\ud800 '),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=6,
)


def check(log, skip):
    """Read a log: whatever comes of it, it is no other error than a clean one."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, log)
        try:
            for prompt, completions in read_completions([path], Layout(skip_bad_rows=skip)):
                assert prompt.id
                assert all(isinstance(completion.text, str) for completion in completions)
        except BadInput as error:
            if folder not in str(error):
                pytest.fail(f"an error without its place: {error}")


@settings(max_examples=150, deadline=None)
@given(data=st.data(), name=st.sampled_from(JSONL), value=values, skip=st.booleans())
def test_another_value_somewhere_in_a_row(data, name, value, skip):
    rows = [json.loads(line) for line in LOGS[name].data.splitlines()]
    place = data.draw(st.integers(0, len(rows) - 1))
    field = data.draw(st.sampled_from(sorted(rows[place])))
    rows[place] = {**rows[place], field: value}
    text = "".join(json.dumps(row) + "\n" for row in rows)
    check(LOGS[name]._replace(data=text.encode()), skip)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(LOGS)), more=st.binary(max_size=5))
def test_other_bytes_somewhere_in_a_file(data, name, more):
    held = LOGS[name].data
    place = data.draw(st.integers(0, len(held)))
    end = data.draw(st.integers(place, len(held)))
    check(LOGS[name]._replace(data=held[:place] + more + held[end:]), False)


def test_what_is_whole_of_a_damaged_file_is_read_as_the_error_says(tmp_path):
    rows = [{"prompt": f"p{n % 40}", "completion": f"{n * 7919}"} for n in range(4000)]
    path = tmp_path / "logs/a.jsonl.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(lines(*rows))[:-2000])
    with pytest.raises(BadInput) as caught:
        list(read_completions([path]))
    command = re.search("comes out with `(.*)`;", str(caught.value))[1]
    subprocess.run(command, shell=True, check=False, capture_output=True)
    path.unlink()
    reading = read_completions(sorted(path.parent.iterdir()), Layout(skip_bad_rows=True))
    found = [completion.text for _, (completion,) in reading]
    assert 1000 < len(found) < 4000
    assert found == [row["completion"] for row in rows[: len(found)]]


def test_the_check_sees_an_error_that_is_not_clean(monkeypatch):
    def broken(*_):
        raise BadInput("something is wrong")

    monkeypatch.setattr("wellworn.readers._find", broken)
    with pytest.raises(pytest.fail.Exception, match="an error without its place"):
        check(LOGS["plain"]._replace(data=lines({"prompt": "p", "completion": "a"})), False)
