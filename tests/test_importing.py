"""A file of completions is taken whole or not at all, and once."""

import gzip
import json

import pytest

from wellworn.errors import BadInput
from wellworn.exporting import completion_rows, export
from wellworn.importing import import_run
from wellworn.readers import Layout
from wellworn.records import Completion, Generation, Prompt
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
        f"{copy}: imported before (as {tmp_path / '1.jsonl'}); it was passed over. "
        "To read it in another way, import it into another folder.",
    )
    assert texts(store) == {"a": ["a0"]}


def test_a_file_that_was_passed_over_was_not_imported(store, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    write(folder / "1.jsonl", {"prompt": "a", "completion": "a0"})
    odd = write(folder / "odd.jsonl", {"frage": "b", "antwort": "b0"})
    passed = f"{odd}: no reader finds prompts and completions in it; passed over."
    assert passed in import_run(store, [folder]).took
    again = import_run(store, [folder])
    assert (again.completions, again.took[-1]) == (0, passed)
    named = Layout(prompt_field="frage", completion_field="antwort")
    assert import_run(store, [odd], named).completions == 1
    assert texts(store) == {"a": ["a0"], "b": ["b0"]}


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


def rows(prompts, completions):
    return [
        {"prompt": f"p{n}", "completion": f"the completion {c} of the prompt {n}"}
        for n in range(prompts)
        for c in range(completions)
    ]


def counts(store):
    return [len(record.completions("sample")) for record in store.records(store.generations()[-1])]


def test_a_log_that_has_grown_adds_what_is_new(store, tmp_path):
    import_run(store, [write(tmp_path / "1.jsonl", *rows(3, 4))])
    done = import_run(store, [write(tmp_path / "2.jsonl", *rows(4, 8))])
    note = (
        f"{tmp_path / '2.jsonl'}: 12 completions of 3 prompts that the run held already; not "
        f"added again."
    )
    assert done.completions == 4 * 8 - 12
    assert done.notes == (note,)
    assert store.notes("import") == [note]
    assert counts(store) == [8] * 4
    assert len({text for held in texts(store).values() for text in held}) == 32
    assert import_run(store, [write(tmp_path / "3.jsonl", *rows(4, 4))]).completions == 0


def test_a_packed_copy_and_another_format_count_once(store, tmp_path):
    plain = write(tmp_path / "1.jsonl", *rows(2, 4))
    packed = tmp_path / "1.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    whole = tmp_path / "1.json"
    whole.write_text(json.dumps(rows(2, 4)))
    done = import_run(store, [plain, packed, whole])
    assert done.completions == 8
    assert f"{packed}: the same as {plain}; it was passed over." in done.notes
    assert counts(store) == [4, 4]


def test_an_export_of_the_run_adds_nothing_to_it(store, tmp_path):
    import_run(store, [write(tmp_path / "1.jsonl", *rows(2, 4))])
    for ending in ("jsonl", "csv", "parquet"):
        out = tmp_path / f"out.{ending}"
        export(completion_rows(store, store.generations()[-1]), out)
        assert import_run(store, [out]).completions == 0
    assert counts(store) == [4, 4]


def test_a_log_in_another_order_adds_what_is_new(store, tmp_path):
    import_run(store, [write(tmp_path / "1.jsonl", *rows(2, 4))])
    assert import_run(store, [write(tmp_path / "2.jsonl", *rows(2, 5)[::-1])]).completions == 2
    assert counts(store) == [5, 5]


def test_repeats_that_cannot_be_told_are_refused_and_change_nothing(store, tmp_path):
    single = [{"prompt": f"p{n}", "completion": f"the only completion of {n}"} for n in range(3)]
    import_run(store, [write(tmp_path / "1.jsonl", *single)])
    again = write(tmp_path / "2.jsonl", *({**row, "run": 2} for row in single))
    with pytest.raises(BadInput, match="of its 1 completion of the prompt"):
        import_run(store, [again])
    assert counts(store) == [1, 1, 1]
    assert import_run(store, [again], repeats="count").completions == 3
    assert counts(store) == [2, 2, 2]


def test_a_file_that_was_joined_with_itself_counts_once(store, tmp_path):
    done = import_run(store, [write(tmp_path / "1.jsonl", *rows(3, 4) * 2)])
    assert done.completions == 12
    assert "joined with itself" in done.notes[-1]
    assert counts(store) == [4, 4, 4]


def test_data_that_are_all_the_same_are_taken_as_greedy(store, tmp_path):
    same = [
        {"prompt": f"p{n}", "completion": f"always this completion of {n}", "temperature": 0.7}
        for n in range(2)
    ]
    path = write(tmp_path / "1.jsonl", *same * 4)
    done = import_run(store, [path])
    assert "so they are taken as greedy (temperature 0)" in done.notes[-1]
    assert store.generations()[-1].temperature == 0
    with Store(tmp_path / "other", create=True) as other:
        import_run(other, [path], Layout(temperature=0.7))
        assert other.generations()[-1].temperature == 0.7


def test_repeats_within_a_file_stay(store, tmp_path):
    collapsed = [{"prompt": "p", "completion": "always the very same completion"}] * 8
    assert import_run(store, [write(tmp_path / "1.jsonl", *collapsed)]).completions == 8
    assert counts(store) == [8]


def test_numbers_go_on_after_a_gap(store, tmp_path):
    prompt, generation = Prompt(text="a"), Generation(model="unknown")
    with store.transaction():
        store.put_set("suspects", [prompt])
        store.use(generation)
        held = (Completion(text=f"t{i}", index=i, generation=generation) for i in (0, 1, 5))
        store.add((prompt.id, "sample", completion) for completion in held)
    new = [{"prompt": "a", "completion": f"new {n}"} for n in range(4)]
    assert import_run(store, [write(tmp_path / "1.jsonl", *new)]).completions == 4
    assert texts(store) == {"a": ["t0", "t1", "t5", "new 0", "new 1", "new 2", "new 3"]}


def test_real_files_of_one_sample_each_are_samples(store, shared):
    folder = shared / "data/formats/nemo_skills"
    for name in ("output-rs0.jsonl", "output-rs1.jsonl", "output-rs2.jsonl"):
        assert import_run(store, [folder / name]).completions == 50
    assert counts(store) == [3] * 50


@pytest.mark.parametrize(
    "failed",
    [
        {"prompt": "a", "completion": "Let me", "finish_reason": "error"},
        {"prompt": "a", "completion": "Let me", "error": {"code": 502}},
    ],
)
def test_a_completion_that_failed_is_none(store, tmp_path, failed):
    good = {"prompt": "a", "completion": "whole", "finish_reason": "stop", "error": None}
    done = import_run(store, [write(tmp_path / "1.jsonl", good, {"error": None, **failed})])
    assert done.completions == 1
    assert texts(store) == {"a": ["whole"]}
    assert any("(null, or failed): 1" in note for note in done.notes)
