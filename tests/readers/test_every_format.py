"""What every reader of a foreign format promises. A log in LOGS is tested here for free."""

import json
from contextlib import suppress

import pytest

from foreign_logs import LOGS, TEXTS, P, Q, lines, parquet, reader_of, written
from sample_logs import error_of
from wellworn.errors import BadInput
from wellworn.importing import import_run, preview
from wellworn.readers import READERS, Layout, load_reader, read_completions
from wellworn.readers.looking import LogFile
from wellworn.records import Prompt, chat
from wellworn.store import Store

every_log = pytest.mark.parametrize("name", LOGS)
JSONL = [name for name, log in LOGS.items() if log.name.endswith(".jsonl")]
every_jsonl = pytest.mark.parametrize("name", JSONL)


def grouped(reading):
    found = {}
    for prompt, completions in reading:
        found.setdefault(prompt.shown, []).extend(c.text for c in completions)
    return {prompt: tuple(texts) for prompt, texts in found.items()}


def test_every_reader_has_a_log():
    assert {reader_of(name) for name in LOGS} == READERS.keys() - {"inspect"}


@every_log
def test_a_log_comes_back_whole_into_a_run(tmp_path, name):
    written(tmp_path / "logs", LOGS[name])
    with Store(tmp_path / "run", create=True) as store:
        done = import_run(store, [tmp_path / "logs"])
        assert (done.prompts, done.completions, done.samples) == (2, 4, (2, 2))
        records = list(store.records(store.generations()[-1]))
        assert import_run(store, [tmp_path / "logs"]).completions == 0
    asked = [chat(prompt) if LOGS[name].chat else Prompt(text=prompt) for prompt in TEXTS]
    assert {record.prompt.id for record in records} == {prompt.id for prompt in asked}
    for record in records:
        samples = record.completions("sample")
        assert tuple(sample.text for sample in samples) == TEXTS[record.prompt.shown]
        assert [sample.index for sample in samples] == [0, 1]


@every_log
def test_its_own_reader_reads_it_and_no_earlier_one_claims_it(tmp_path, name):
    path = written(tmp_path, LOGS[name])
    for other in READERS:
        lack = load_reader(other).lacks(LogFile(path))
        if other == reader_of(name):
            assert lack is None
            break
        assert lack
    said = read_completions([path], reader=reader_of(name)).took
    assert read_completions([path]).took == said
    assert all(not sentence.endswith(".") for sentence in said)


@every_log
def test_a_look_shows_two_examples_and_keeps_nothing(tmp_path, name):
    written(tmp_path / "logs", LOGS[name])
    found = preview([tmp_path / "logs"])
    assert (found.prompts, found.completions, len(found.examples)) == (2, 4, 2)
    assert {prompt.shown for prompt, _ in found.examples} <= TEXTS.keys()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs"]


@every_log
@pytest.mark.parametrize("share", [0.03, 0.3, 0.7, 0.97])
def test_a_log_that_was_cut_off_is_refused_with_its_place(tmp_path, name, share):
    path = written(tmp_path, LOGS[name])
    path.write_bytes(path.read_bytes()[: int(len(path.read_bytes()) * share)])
    if share == 0.97 and path.read_bytes().endswith(b"}\n"):
        pytest.skip("nothing is cut off of a row")
    message = error_of(path)
    assert message.startswith(str(path))
    assert message.count("\n") >= 1


@every_jsonl
def test_a_row_that_was_cut_off_can_be_left_out(tmp_path, name):
    path = written(tmp_path, LOGS[name])
    whole = grouped(read_completions([path]))
    path.write_bytes(path.read_bytes() + b'{"cut": ')
    with pytest.raises(BadInput, match=r":\d+: this is no JSON"):
        grouped(read_completions([path]))
    reading = read_completions([path], Layout(skip_bad_rows=True))
    assert grouped(reading) == whole
    assert "1 bad row was left out" in reading.notes[-1]


@every_jsonl
def test_another_encoding_is_named(tmp_path, name):
    path = written(tmp_path, LOGS[name])
    text = path.read_bytes().decode()
    path.write_bytes(text.encode("utf-16"))
    assert "is UTF-16, not UTF-8" in error_of(path)
    path.write_bytes(text.encode("windows-1252"))
    assert "is not UTF-8" in error_of(path)
    assert "iconv -f WINDOWS-1252" in error_of(path)


@every_jsonl
def test_rows_in_another_order_are_the_same_items(tmp_path, name):
    path = written(tmp_path, LOGS[name])
    whole = grouped(read_completions([path]))
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rows[::-1]))
    found = grouped(read_completions([path]))
    assert whole.keys() == found.keys() == TEXTS.keys()
    assert all(sorted(whole[prompt]) == sorted(found[prompt]) for prompt in whole)


@every_jsonl
@pytest.mark.parametrize("foreign", [[], 3, None, {}, {"something": "else"}])
def test_a_row_of_another_kind_further_on_is_refused(tmp_path, name, foreign):
    path = written(tmp_path, LOGS[name])
    path.write_bytes(path.read_bytes() + json.dumps(foreign).encode())
    count = len(path.read_bytes().splitlines())
    assert error_of(path).startswith(f"{path}:{count}")


@every_jsonl
def test_every_field_of_another_type_is_a_clean_error_or_does_not_matter(tmp_path, name):
    path = written(tmp_path, LOGS[name])
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    for field in rows[-1]:
        for value in (None, 3, True, [], {}, [[]], [None], {"a": 1}, "x"):
            path.write_bytes(lines(*rows[:-1], rows[-1] | {field: value}))
            with suppress(BadInput):
                grouped(read_completions([path]))


def test_an_unknown_file_says_what_every_reader_missed(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines({"a": 1}))
    message = error_of(path)
    assert [line.split(":")[0].strip() for line in message.splitlines()[1:-2]] == list(READERS)
    assert "\n  lm-eval: line 1 has no 'doc_id', 'arguments', 'resps', 'filter'.\n" in message
    assert "\n  inspect: it is no JSON document.\n" in message
    assert "\n  verl: line 1 has no 'input', 'output', 'score', 'step'.\n" in message
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet({"a": 1}))
    assert "\n  trl: row 1 has no 'step', 'prompt', 'completion', 'advantage'.\n" in error_of(path)


def test_a_folder_passes_over_what_nobody_knows(tmp_path):
    written(tmp_path, LOGS["verl"])
    (tmp_path / "config.yaml").write_text("a: 1")
    (tmp_path / ".hidden.jsonl").write_text("{broken")
    found = preview([tmp_path])
    assert found.completions == 4
    passed = f"{tmp_path / 'config.yaml'}: no reader finds prompts and completions in it"
    assert f"{passed}; passed over." in found.took
    assert preview([tmp_path / "*.jsonl"]).completions == 4
    with pytest.raises(BadInput, match="no file matches"):
        preview([tmp_path / "*.csv"])
    with pytest.raises(BadInput, match=r"config\.yaml: no reader finds"):
        preview([tmp_path / "config.yaml"])


def test_a_folder_without_completions_is_refused(tmp_path):
    (tmp_path / "logs").mkdir()
    with pytest.raises(BadInput, match="the folder holds no files"):
        preview([tmp_path / "logs"])
    (tmp_path / "logs" / "notes.md").write_text("# none")
    with pytest.raises(BadInput, match="1 file, and no completions in any"):
        preview([tmp_path / "logs"])


def test_our_own_runs_in_a_folder_are_no_logs(tmp_path):
    written(tmp_path, LOGS["verl"])
    with Store(tmp_path / "run", create=True) as store:
        import_run(store, [tmp_path / "20.jsonl"])
    assert preview([tmp_path]).completions == 4


def test_logs_behind_an_address(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name, data in {"a.jsonl": LOGS["verl"].data, "deep/b.txt": b"x"}.items():
        memory.pipe(f"/logs/{name}", data)
    for address in ("memory://logs/a.jsonl", "memory://logs", "memory://logs/*.jsonl"):
        assert preview([address]).completions == 4
    with pytest.raises(BadInput, match="memory://nowhere: nothing is there"):
        preview(["memory://nowhere"])
    with pytest.raises(BadInput, match="nosuch://a: it cannot be read"):
        preview(["nosuch://a"])


def test_a_storage_that_fails_in_its_own_way_is_no_traceback(monkeypatch):
    fsspec = pytest.importorskip("fsspec")

    def refuse(*_, **__):
        raise RuntimeError("no credentials were found.")

    monkeypatch.setattr(fsspec.filesystem("memory"), "info", refuse)
    with pytest.raises(BadInput, match=r"it cannot be read \(no credentials were found\)\.\nCheck"):
        preview(["memory://logs/a.jsonl"])


def test_a_folder_says_what_the_reader_that_was_named_missed(tmp_path):
    written(tmp_path, LOGS["verl"])
    with pytest.raises(BadInput, match=r"20\.jsonl: trl: line 1 has no 'prompt', 'completion'"):
        preview([tmp_path], reader="trl")


def test_examples_stand_where_they_were_found(tmp_path):
    path = written(tmp_path, LOGS["verl"])
    places = [prompt.source for prompt, _ in preview([path], shown=3).examples]
    assert places == [f"{path}:{number}" for number in (1, 2, 3)]


def test_no_temperature_is_below_zero():
    for heat in (-1.0, float("nan"), float("inf")):
        with pytest.raises(BadInput, match="--temperature is"):
            Layout(temperature=heat)


def test_standard_input(monkeypatch):
    import io
    import sys
    from types import SimpleNamespace

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LOGS["verl"].data)))
    found = preview(["stdin:"])
    assert (found.completions, found.examples[1][0].source) == (4, "standard input:2")


def test_what_was_copied_goes_by_the_users_name_for_it(monkeypatch, tmp_path):
    import io
    import sys
    from types import SimpleNamespace

    def given(data):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    with Store(tmp_path / "run", create=True) as store:
        given(LOGS["verl"].data)
        import_run(store, ["stdin:"])
        prompts = [store.prompt(prompt_id) for prompt_id in store.prompt_ids()]
        assert {prompt.source for prompt in prompts} == {"standard input:1", "standard input:3"}
        given(LOGS["verl"].data)
        (note,) = import_run(store, ["stdin:"]).notes
        assert note.startswith("standard input: imported before (as standard input);")
        given(b"{broken\n")
        with pytest.raises(BadInput, match=r"^standard input:1: this is no JSON"):
            import_run(store, ["stdin:"])


def test_prompts_can_be_taken_as_a_users_message(tmp_path):
    path = written(tmp_path, LOGS["verl"])
    reading = read_completions([path], Layout(chat=True, system="s"))
    assert {prompt.id for prompt, _ in reading} == {chat(text, system="s").id for text in (P, Q)}
