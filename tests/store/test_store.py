"""A run file keeps what it is given, whatever happens to the process."""

import sqlite3
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.records import Completion, Generation, Prompt, Score, Signals, chat
from wellworn.store import Store
from wellworn.store.rows import completion_of, row_of

GENERATION = Generation(model="m", temperature=0.7, top_p=0.95, max_tokens=16)
PROMPTS = (chat("a"), chat("b"))
any_text = st.text(st.characters(exclude_categories=()))
float32s = st.floats(width=32, allow_nan=False)


def completion(index, text="text", generation=GENERATION):
    return Completion(text=text, index=index, generation=generation)


def filled(folder, *answers, prompts=PROMPTS):
    store = Store(folder, create=True)
    store.put_set("suspects", prompts)
    store.use(GENERATION)
    store.add(answers)
    return store


@given(
    text=any_text,
    reasoning=st.none() | any_text,
    hidden=st.booleans(),
    finish=st.none() | st.text(),
    token_ids=st.none() | st.lists(st.integers(-(2**63), 2**63 - 1)).map(tuple),
    steps=st.none() | st.lists(st.tuples(*[float32s] * 4)),
    top_k=st.none() | st.integers(1, 50),
    seed=st.none() | st.integers(0, 2**31 - 1),
)
def test_a_completion_comes_back_as_it_was(  # noqa: PLR0913
    text, reasoning, hidden, finish, token_ids, steps, top_k, seed
):
    columns = tuple(zip(*steps, strict=True)) if steps else ((), (), (), ())
    signals = None
    if steps is not None:
        names = ("logprobs", "entropy", "mass", "second_moment")
        signals = Signals(top_k=top_k, **dict(zip(names, columns, strict=True)))
    given_ = Completion(
        text=text,
        reasoning=reasoning,
        reasoning_hidden=hidden,
        finish_reason=finish,
        token_ids=token_ids,
        signals=signals,
        seed=seed,
        index=3,
        generation=GENERATION,
    )
    assert completion_of(row_of(given_), 3, GENERATION) == given_


@settings(max_examples=25)
@given(
    content=any_text,
    metadata=st.dictionaries(
        any_text, st.none() | st.integers() | any_text | st.lists(st.booleans()), max_size=3
    ),
)
def test_a_prompt_comes_back_as_it_was(tmp_path_factory, content, metadata):
    prompt = Prompt(text=content, source="file.jsonl:1", metadata=metadata)
    with filled(tmp_path_factory.mktemp("run"), prompts=[prompt]) as store:
        assert store.prompt(prompt.id) == prompt


def test_records_hold_prompts_in_order_with_their_completions(tmp_path):
    a, b = chat("a"), chat("b")
    answers = [(b.id, "sample", completion(1)), (b.id, "sample", completion(0, "first"))]
    with filled(tmp_path, *answers) as store:
        first, second = store.records(GENERATION)
    assert first.prompt == a
    assert first.probes == {}
    assert [c.text for c in second.completions("sample")] == ["first", "text"]
    assert [c.generation for c in second.completions("sample")] == [GENERATION] * 2


def test_what_is_stored_stays(tmp_path):
    place = (chat("a").id, "sample")
    with filled(tmp_path, (*place, completion(0, "old"))) as store:
        store.add([(*place, completion(0, "new"))])
        [record, _] = store.records(GENERATION)
    assert [c.text for c in record.completions("sample")] == ["old"]


@pytest.mark.parametrize(
    "change",
    [
        {"model": "other"},
        {"temperature": 1.0},
        {"top_p": 1.0},
        {"max_tokens": 17},
        {"top_logprobs": 5},
        {"extra": {"top_k": 5}},
        {"seed": 1},
    ],
)
def test_other_parameters_never_mix(tmp_path, change):
    settings_ = {"model": "m", "temperature": 0.7, "top_p": 0.95, "max_tokens": 16}
    other = Generation(**{**settings_, **change})
    place = (chat("a").id, "sample")
    with filled(tmp_path, (*place, completion(0))) as store:
        assert store.indices(*place, GENERATION) == {0}
        assert store.indices(*place, other) == set()
        store.use(other)
        store.add([(*place, completion(0, "other", other))])
        assert [g.id for g in store.generations()] == [GENERATION.id, other.id]
        texts = [
            [c.text for c in next(store.records(g)).completions("sample")]
            for g in (GENERATION, other)
        ]
    assert texts == [["text"], ["other"]]


def test_the_latest_used_parameters_come_last(tmp_path):
    other = Generation(model="m", temperature=1.0)
    with filled(tmp_path) as store:
        store.use(other)
        store.use(GENERATION)
        assert store.generations() == [other, GENERATION]


def test_a_failure_is_kept_until_its_completion_comes(tmp_path):
    prompt = chat("a").id
    with filled(tmp_path) as store:
        store.add_failure((prompt, "sample", 0), GENERATION, "the server answered 400: no")
        assert store.failures(GENERATION, "sample") == {prompt: ["the server answered 400: no"]}
        store.add([(prompt, "sample", completion(0))])
        assert store.failures(GENERATION, "sample") == {}


def test_sets_are_replaced_or_extended(tmp_path):
    a, b, c = chat("a"), chat("b"), chat("c")
    with filled(tmp_path) as store:
        store.put_set("suspects", [b, c], extend=True)
        assert store.set_ids("suspects") == [a.id, b.id, c.id]
        store.put_set("suspects", [c])
        store.put_set("references", [a])
        assert store.prompt_ids() == [c.id, a.id]


def test_scores_come_back_in_order_and_the_last_one_counts(tmp_path):
    a, b = chat("a"), chat("b")
    with filled(tmp_path) as store:
        store.put_scores([Score(prompt_id=b.id, detector="d", value=0.1, score=0.9)])
        store.put_scores([Score(prompt_id=a.id, detector="d", reason="none")])
        last = Score(prompt_id=b.id, detector="d", value=0.2, score=0.8, parameters={"k": 3})
        store.put_scores([last])
        assert store.scores("d") == [Score(prompt_id=a.id, detector="d", reason="none"), last]
        assert store.scores("other") == []


def test_notes_belong_to_a_stage(tmp_path):
    with filled(tmp_path) as store:
        store.put_notes("prompts", ["one"])
        store.put_notes("sampling", ["two"], extend=True)
        store.put_notes("sampling", ["two", "three"], extend=True)
        store.put_notes("prompts", ["four"])
        assert store.notes("prompts", "sampling") == ["four", "two", "three"]
        assert store.notes("sampling") == ["two", "three"]


def test_a_transaction_is_all_or_nothing(tmp_path):
    with filled(tmp_path) as store:
        with pytest.raises(KeyError), store.transaction():
            _write_and_fail(store)
        assert store.meta("seen") is None
        assert store.set_ids("references") == []


def _write_and_fail(store):
    store.set_meta("seen", 1)
    store.put_set("references", [chat("c")])
    raise KeyError


_WRITES_UNTIL_KILLED = """
import os, signal, sys
from wellworn.records import Completion, Generation, chat
from wellworn.store import Store

generation = Generation(model="m")
with Store(sys.argv[1], create=True) as store:
    store.put_set("suspects", [chat("a")])
    store.use(generation)
    for index in range(5):
        done = Completion(text=str(index), index=index, generation=generation)
        store.add([(chat("a").id, "sample", done)])
    with store.transaction():
        half = Completion(text="half", index=5, generation=generation)
        store.add([(chat("a").id, "sample", half)])
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_leaves_what_it_committed(tmp_path):
    done = subprocess.run([sys.executable, "-c", _WRITES_UNTIL_KILLED, tmp_path], check=False)
    assert done.returncode == -9
    with Store(tmp_path) as store:
        indices = store.indices(chat("a").id, "sample", Generation(model="m"))
    assert indices == {0, 1, 2, 3, 4}


def test_only_one_process_changes_a_run(tmp_path):
    with Store(tmp_path, create=True):
        with pytest.raises(BadInput, match="another process is sampling or importing into this"):
            Store(tmp_path, create=True)
        with Store(tmp_path) as reader:
            assert reader.prompt_ids() == []
    with Store(tmp_path, create=True) as writer:
        assert writer.prompt_ids() == []


def test_no_run_there(tmp_path):
    with pytest.raises(BadInput) as caught:
        Store(tmp_path / "nothing")
    assert str(caught.value) == (
        f"{tmp_path / 'nothing'}: no run is there (run.sqlite is missing).\n"
        f"Make one with `wellworn sample … -o {tmp_path / 'nothing'}` or "
        f"`wellworn import … -o {tmp_path / 'nothing'}`."
    )


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "run.sqlite").write_text("this is text, and long enough to be looked at" * 30)
    with pytest.raises(BadInput, match=r"run\.sqlite: this is no run of wellworn \(file is not a"):
        Store(tmp_path)


def test_a_database_of_something_else(tmp_path):
    with sqlite3.connect(tmp_path / "run.sqlite") as db:
        db.execute("CREATE TABLE birds (name TEXT)")
    db.close()
    with pytest.raises(BadInput, match=r"run\.sqlite: this is no run of wellworn \(no such table"):
        Store(tmp_path)


def test_a_run_of_another_version(tmp_path):
    with Store(tmp_path, create=True) as store:
        store.set_meta("schema_version", 99)
    with pytest.raises(BadInput, match="the run has schema version 99; this wellworn reads"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="the run's folder cannot be made"):
        Store(tmp_path / "file" / "run", create=True)
    with pytest.raises(BadInput, match="the run's folder cannot be made"):
        Store(tmp_path / "file", create=True)


def test_a_corrected_gold_answer_holds_and_readings_of_the_old_one_go(tmp_path):
    def known(answer, **metadata):
        return msgspec.structs.replace(chat("a"), answer=answer, metadata=metadata)

    reading = Completion(text="a\n5", generation=GENERATION.greedy)
    with Store(tmp_path, create=True) as store:
        store.put_set("suspects", [known("5", contest="x", year=1)])
        store.add([(chat("a").id, "read-gold", reading), (chat("a").id, "greedy", reading)])
        store.put_set("suspects", [known("4", year=2)])
        [record] = store.records(GENERATION)
        assert record.prompt.answer == "4"
        assert record.prompt.metadata == {"contest": "x", "year": 2}
        assert set(record.probes) == {"greedy"}
        store.put_set("references", [known(None)])
        assert store.prompt(chat("a").id).answer == "4"


def test_scores_go_when_what_they_are_of_changes(tmp_path):
    with Store(tmp_path, create=True) as store:
        store.put_set("suspects", [chat("a")])
        store.put_scores([Score(prompt_id=chat("a").id, detector="cdd", score=1.0)])
        store.set_meta("scored", {"detector": "cdd"})
        store.clear_scores()
        assert store.scores("cdd") == []
        assert store.meta("scored") is None
