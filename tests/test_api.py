"""The Python interface returns what the command line prints."""

import json

import polars
import pytest

import wellworn
from wellworn.distance import min_knn_distance


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    script = {"answers": {"a?": ["one", "one", "two", "2"]}, "default": ["x", "xy", "zzz", "q"]}
    path.write_text(json.dumps(script))
    return f"fake/{path}"


def test_min_knn_takes_the_share_of_the_paper():
    texts = ["aaaa", "aaab", "abbb", "cccc", "dddd", "eeee", "ffff", "gggg"]
    assert wellworn.min_knn(texts) == min_knn_distance(texts, 3) == pytest.approx(1 / 3)
    assert wellworn.min_knn(texts, k=2) == 0.25
    assert wellworn.min_knn(["same"] * 4) == 0.0
    assert wellworn.min_knn(["ab", "cd"], k=9) == 1.0


@pytest.mark.parametrize(("texts", "k"), [([], None), (["one"], None), (["a", "b"], 0)])
def test_min_knn_of_too_little(texts, k):
    with pytest.raises(wellworn.BadInput):
        wellworn.min_knn(texts, k=k)


def test_an_audit_of_lists(model, tmp_path):
    summary = wellworn.audit(
        ["a?", wellworn.chat("b?"), "a?"],
        ["c?", "d?"],
        model=model,
        run=tmp_path / "run",
        sampling=wellworn.Sampling(samples=4),
        options=wellworn.Options(k=2),
    )
    assert [item.prompt for item in summary.items] == ["a?", "b?", "c?", "d?"]
    assert summary.items[0].value == 0.0
    assert summary.verdict.level == "insufficient data"
    records = wellworn.load_records(tmp_path / "run")
    scores = wellworn.score(records, "min-knn", options=wellworn.Options(k=2))
    assert [score.value for score in scores] == [item.value for item in summary.items]
    assert [score.prompt_id for score in scores] == [record.prompt.id for record in records]


def test_tables_in_one_call(model, tmp_path):
    summary = wellworn.audit(["a?"], model=model, run=tmp_path, sampling=_FOUR)
    scores = wellworn.score(wellworn.load_records(tmp_path))
    for results in (summary, scores):
        pandas_frame, polars_frame = wellworn.to_pandas(results), wellworn.to_polars(results)
        assert list(pandas_frame["value"]) == [0.0]
        assert polars_frame["value"].to_list() == [0.0]
        assert polars_frame["counts.distinct"].dtype == polars.Int64
        assert list(pandas_frame.columns) == polars_frame.columns


_FOUR = wellworn.Sampling(samples=4)


def test_an_audit_of_files(model, tmp_path):
    (tmp_path / "s.txt").write_text("a?\n")
    summary = wellworn.audit(tmp_path / "s.txt", model=model, run=tmp_path / "run", sampling=_FOUR)
    assert summary.references is None
    assert summary.verdict.reasons == (
        "No reference set was given: the numbers describe, and no claim follows.",
    )


def test_a_record_made_by_hand():
    texts = ["x = 1", "x = 1", "x = 2", "no"]
    completions = tuple(wellworn.Completion(text=t, index=i) for i, t in enumerate(texts))
    record = wellworn.Record(prompt=wellworn.chat("x?"), probes={"sample": completions})
    [score] = wellworn.score([record], samples=4, options=wellworn.Options(k=3))
    assert score.value == pytest.approx((0 + 0 + 0.2) / 3)
    assert score.score == 1 - score.value
    assert score.parameters["k"] == 3
