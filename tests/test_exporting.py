"""A run that is exported and imported is the same run."""

import pytest

from wellworn.errors import BadInput
from wellworn.exporting import completion_rows, export, score_rows
from wellworn.importing import import_run
from wellworn.judging import Scoring, score_run
from wellworn.records import Completion, Generation, Prompt, chat
from wellworn.store import Store
from wellworn.tables import read_rows

GENERATION = Generation(
    model="openai/m",
    temperature=0.7,
    top_p=0.95,
    max_tokens=64,
    top_logprobs=5,
    seed=3,
    extra={"top_k": 20, "stop": ["x"]},
)
COMPLETIONS = [
    Completion(text='["a","b"]', finish_reason="stop", seed=2**62),
    Completion(text="It is `</think>` or <think>, you see", reasoning=None, seed=1),
    Completion(text="", reasoning="cut off", finish_reason="length"),
    Completion(text="a\r\nb\rc\n", reasoning="<think>", reasoning_hidden=True),
    Completion(text=" spaced "),
]
PROMPTS = [chat("2 + 2?", system="s"), Prompt(text='[{"role": "user", "content": "raw"}]')]


@pytest.fixture
def run(tmp_path):
    with Store(tmp_path / "run", create=True) as store:
        store.put_set("suspects", PROMPTS)
        store.use(GENERATION)
        for prompt in PROMPTS:
            store.add(
                (prompt.id, "sample", _of(completion, index))
                for index, completion in enumerate(COMPLETIONS)
            )
        store.add([(PROMPTS[0].id, "critique", _of(COMPLETIONS[0], 0))])
        yield store


def _of(completion, index):
    from msgspec.structs import replace

    return replace(completion, index=index, generation=GENERATION)


def held(store):
    return [
        (record.prompt.id, record.completions("sample")) for record in store.records(GENERATION)
    ]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("subset", [True, False])
def test_all_of_it_comes_back(run, tmp_path, ending, subset):
    run.set_meta("subset", subset)
    out = tmp_path / f"out.{ending}"
    assert export(completion_rows(run, GENERATION), out) == 10
    with Store(tmp_path / "again", create=True) as again:
        assert import_run(again, [out]).completions == 10
        assert again.generations() == [GENERATION]
        assert held(again) == held(run)
        assert bool(again.meta("subset")) is subset


def test_an_export_of_another_probe_is_refused(run, tmp_path):
    rows = [{**row, "probe": "critique"} for row in completion_rows(run, GENERATION)]
    export(iter(rows), tmp_path / "out.jsonl")
    with (
        Store(tmp_path / "again", create=True) as again,
        pytest.raises(BadInput, match="of the probe 'critique', and no sample"),
    ):
        import_run(again, [tmp_path / "out.jsonl"])


def test_an_export_that_was_changed_is_refused(run, tmp_path):
    rows = [{**row, "extra": "?"} for row in completion_rows(run, GENERATION)]
    export(iter(rows), tmp_path / "out.jsonl")
    with (
        Store(tmp_path / "again", create=True) as again,
        pytest.raises(BadInput, match="'extra' is not what an export writes"),
    ):
        import_run(again, [tmp_path / "out.jsonl"])


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_scores_have_all_columns_in_every_row_though_some_are_missing(tmp_path, ending):
    with Store(tmp_path / "run", create=True) as store:
        store.put_set("suspects", PROMPTS)
        store.use(GENERATION)
        for prompt, texts in zip(PROMPTS, (["one"], ["ab", "ac", "ad"]), strict=True):
            store.add(
                (prompt.id, "sample", _of(Completion(text=text), index))
                for index, text in enumerate(texts)
            )
        score_run(store, Scoring(also=("distinct-share",), m=3))
        out = tmp_path / f"out.{ending}"
        assert export(score_rows(store), out) == 4
    rows = [row.fields for row in read_rows(out)]
    assert len({tuple(row) for row in rows}) == 1
    counts = [int(row["counts.completions"]) for row in rows]
    assert counts == [1, 3, 1, 3]
    assert [row["detector"] for row in rows] == ["min-knn"] * 2 + ["distinct-share"] * 2
    assert [row["score"] in (None, "") for row in rows] == [True, False, True, False]
