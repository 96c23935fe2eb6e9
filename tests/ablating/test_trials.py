"""Sub-samples of a prompt's completions, and their distances out of one matrix."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ablations import FOUR, SETTING
from wellworn.ablating.trials import Scores, Trial, score_all
from wellworn.detectors import Options, load
from wellworn.records import Completion, Record, Score, chat
from wellworn.scoring import score
from wellworn.scoring.matrices import from_one_matrix

MIN_KNN = load("min-knn")


def record(*texts, prompt="?", **fields):
    samples = tuple(
        Completion(text=text, index=i, generation=SETTING, **fields) for i, text in enumerate(texts)
    )
    return Record(prompt=chat(prompt), probes={"sample": samples})


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.text("ab \n", max_size=6), min_size=2, max_size=7),
    unit=st.sampled_from(["char", "word", "token", "ast"]),
    data=st.data(),
)
def test_one_matrix_gives_what_scoring_gives(texts, unit, data):
    samples = tuple(
        Completion(text=text, token_ids=tuple(map(ord, text)) if i != 5 else None, index=i)
        for i, text in enumerate(texts)
    )
    chosen = data.draw(st.lists(st.sampled_from(samples), min_size=1, max_size=7))
    k = data.draw(st.integers(1, 7))
    part = Record(prompt=chat("?"), probes={"sample": tuple(chosen)})
    fast = from_one_matrix(MIN_KNN, samples)
    trial = Trial(Options(k=k, unit=unit), len(chosen), len(chosen))
    [plain] = score([part], options=Options(k=k, unit=unit))
    assert trial.score(part, fast) == plain


def test_other_detectors_measure_as_they_do():
    other = load("mean-pairwise")
    assert from_one_matrix(other, ()) is other


def test_draws_are_fair():
    """Over many draws of 2 of 4, the mean distance is that over all six pairs."""
    trials = [Trial(Options(), 2, 4, draw) for draw in range(1_500)]
    records = [record(*texts, prompt=name) for name, texts in FOUR.items()]
    found = score_all(iter(records), MIN_KNN, trials, 1, lambda: None)
    for name, texts in FOUR.items():
        mean = fmean(1 - found[trial].values[chat(name).id] for trial in trials)
        pairs = [
            sum(x != y for x, y in zip(*pair, strict=True)) / 4 for pair in combinations(texts, 2)
        ]
        assert mean == pytest.approx(fmean(pairs), abs=0.04)


def test_a_larger_m_adds_to_a_draw():
    seen = []

    def measure(record, **_):
        seen.append({sample.text for sample in record.completions("sample")})
        return 0.0

    watching = MIN_KNN._replace(measure=measure)
    for m in (2, 3, 5):
        Trial(Options(), m, 6, draw=1).score(record(*"abcdef"), watching)
    assert [len(texts) for texts in seen] == [2, 3, 5]
    assert seen[0] < seen[1] < seen[2]


def test_the_first_completions_are_the_pool():
    whole = Trial(Options(), 3, 4, draw=0).score(record("aa", "ab", "cc", "cd", "zz"), MIN_KNN)
    first = Trial(Options(), 3, 4, draw=0).score(record("aa", "ab", "cc", "cd"), MIN_KNN)
    assert whole == first


def test_what_was_cut_while_thinking_is_settled_before_it_is_drawn():
    thought = Completion(text="a", reasoning="so", generation=SETTING)
    cut = [
        Completion(text=text, index=i, finish_reason="length", generation=SETTING)
        for i, text in enumerate(["so so", "and so", "thus"], 1)
    ]
    whole = Record(prompt=chat("?"), probes={"sample": (thought, *cut)})
    for draw in range(8):
        found = Trial(Options(view="reasoning"), 2, 4, draw).score(whole, MIN_KNN)
        assert found.reason is None


def test_scores_of_different_kinds_are_not_compared():
    scores = Scores()
    for kind in ("full", "rest, top 5", "raw, top 3"):
        scores.add(
            Score(prompt_id=kind, detector="d", value=1.0, score=1.0, parameters={"entropy": kind})
        )
    assert scores.mixed == (
        "the scores do not compare: 'entropy' is 'full' for some prompts and 'rest, top 5' for "
        "others"
    )
