"""Two runs on the same prompts."""

import pytest

from small_runs import run
from wellworn.comparing import compare_runs
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.judging import Scoring
from wellworn.store import Store


def paired(first, second):
    with Store(first) as a, Store(second) as b:
        return compare_runs(a, b, Scoring(), Options(k=2))


FREE, NEAR, WORN = ["abcd", "efgh"], ["abcd", "abch"], ["abcd", "abcd"]


def test_changes_by_hand(tmp_path):
    first = run(tmp_path / "base", [FREE, FREE, NEAR], [FREE, NEAR])
    second = run(tmp_path / "tuned", [WORN, NEAR, NEAR], [FREE, NEAR])
    found = paired(first, second)
    assert [item.change for item in found.items] == [1.0, 0.75, 0.0, 0.0, 0.0]
    assert (found.suspects.first, found.suspects.second) == pytest.approx((0.25, 2.5 / 3))
    assert (found.suspects.rose, found.suspects.fell) == (2, 0)
    assert found.references.mean == 0
    assert found.difference.auc == pytest.approx((2 + 2 + 1) / 6)
    assert (found.first_model, found.second_model) == ("base", "tuned")
    assert found.notes == ()


def test_prompts_of_one_run_alone_are_counted(tmp_path):
    first = run(tmp_path / "base", [FREE, FREE])
    second = run(tmp_path / "tuned", [WORN, WORN, WORN])
    found = paired(first, second)
    assert found.suspects.prompts == 2
    assert found.references is None
    assert found.notes == (f"1 prompts of {second} are not in {first}.",)


def test_a_prompt_without_a_score_has_a_reason(tmp_path):
    first = run(tmp_path / "base", [FREE, FREE, ["", ""]])
    second = run(tmp_path / "tuned", [WORN, WORN, WORN])
    item = paired(first, second).items[2]
    assert (item.change, item.second) == (None, 1.0)
    assert item.reason == "all 2 completions are empty in the full view"


def test_runs_that_were_sampled_in_different_ways_are_refused(tmp_path):
    first = run(tmp_path / "base", [FREE, FREE], temperature=0.6)
    second = run(tmp_path / "tuned", [FREE, FREE])
    with pytest.raises(BadInput, match=r"do not compare: 'temperature' is 0\.6 in one and 0\.7"):
        paired(first, second)


def test_runs_on_other_prompts_are_refused(tmp_path):
    first = run(tmp_path / "base", [FREE])
    second = run(tmp_path / "tuned", [FREE, FREE])
    with pytest.raises(BadInput, match="share 1 scored prompts; a comparison needs 2"):
        paired(first, second)
