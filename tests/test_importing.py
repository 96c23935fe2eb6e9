"""A file of completions is taken whole or not at all, and once."""

import json

import pytest

from wellworn.errors import BadInput
from wellworn.importing import import_run
from wellworn.records import Prompt
from wellworn.store import Store


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def texts(store):
    return {
        record.prompt.shown: [c.text for c in record.completions("sample")]
        for record in store.records(store.generations()[-1])
    }


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "run", create=True) as opened:
        yield opened


def test_completions_are_numbered_across_rows_and_files(store, tmp_path):
    rows = [("a", "a0"), ("b", "b0"), ("a", "a1")]
    one = write(tmp_path / "1.jsonl", *[{"prompt": p, "completion": c} for p, c in rows])
    two = write(tmp_path / "2.jsonl", {"prompt": "a", "completion": "a2"})
    three = write(tmp_path / "3.jsonl", {"prompt": "b", "completion": "b1"})
    done = import_run(store, [one, two])
    assert (done.prompts, done.completions) == (2, 4)
    import_run(store, [three])
    assert texts(store) == {"a": ["a0", "a1", "a2"], "b": ["b0", "b1"]}
    assert store.set_ids("suspects") == [Prompt(text="a").id, Prompt(text="b").id]


def test_a_file_is_taken_once_whatever_its_name(store, tmp_path):
    row = {"prompt": "a", "completion": "a0"}
    import_run(store, [write(tmp_path / "1.jsonl", row)])
    copy = write(tmp_path / "2.jsonl", row)
    done = import_run(store, [copy])
    assert done.completions == 0
    assert done.notes == (
        f"{copy}: imported before (as {tmp_path / '1.jsonl'}); it was passed over.",
    )
    assert texts(store) == {"a": ["a0"]}


def test_a_file_that_is_bad_further_on_leaves_nothing(store, tmp_path):
    path = write(tmp_path / "1.jsonl", *[{"prompt": f"{i}", "completion": "x"} for i in range(40)])
    path.write_text(path.read_text() + "\n{broken")
    with pytest.raises(BadInput, match=r"1\.jsonl:41"):
        import_run(store, [path])
    assert store.generations() == []
    assert store.prompt_ids() == []
    path.write_text(path.read_text().replace("{broken", ""))
    assert import_run(store, [path]).completions == 40


def test_references_are_a_set_of_their_own(store, tmp_path):
    import_run(store, [write(tmp_path / "1.jsonl", {"prompt": "a", "completion": "x"})])
    import_run(
        store,
        [write(tmp_path / "2.jsonl", {"prompt": "b", "completion": "x"})],
        set_name="references",
    )
    assert store.set_ids("references") == [Prompt(text="b").id]


@pytest.mark.parametrize("step", ["base", "step50", "step200", "step400", "step1000"])
def test_the_real_ladder(store, shared, step):
    folder = shared / "data/completions/rlvr-qwen25math15b-deepscaler"
    for name, count in (("AMC", 83), ("AIME-2024", 30), ("AIME-2025", 30)):
        done = import_run(store, [folder / f"{step}_{name}.json.gz"])
        assert (done.prompts, done.completions) == (count, 8 * count)
    assert set(map(len, texts(store).values())) == {8}
