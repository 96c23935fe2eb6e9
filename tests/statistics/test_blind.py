"""Blind baselines: what they count, what they learn, and the figures of RL-MIA."""

import zlib

import numpy as np
import pytest

from wellworn.prompts import read_prompts
from wellworn.records import Message, Prompt, chat
from wellworn.statistics import blind, comparison
from wellworn.statistics.blind import COUNTS, LEARNERS, baselines, blind_scores

WORDS = ("stone", "river", "lamp", "horse", "paper", "cloud", "seven", "north", "glass", "bread")


def noise(count, seed=0):
    """Return prompts of eight words without meaning."""
    generator = np.random.default_rng(seed)
    return [chat(" ".join(generator.choice(WORDS, 8)) + f" {i}") for i in range(count)]


def found(prompts, labels):
    return {each.name: each for each in baselines(labels, blind_scores(prompts, labels))}


@pytest.fixture
def quick(monkeypatch):
    """Resample and repeat less."""
    monkeypatch.setattr(comparison, "RESAMPLES", 500)
    monkeypatch.setattr(blind, "REPEATS", 2)


def test_what_is_counted_by_hand():
    text = "a bc,  12, ٣ 4"
    counts = {name: count(text) for name, count in COUNTS.items()}
    assert counts == {
        "characters": 14,
        "words": 5,
        "digits": 4,
        "zlib size": len(zlib.compress(text.encode())),
        "commas": 2,
    }


def test_only_the_last_turn_is_read(quick):
    turns = [
        Prompt(messages=(Message("system", "long " * i), Message("user", f"ask {i % 2}")))
        for i in range(1, 9)
    ]
    labels = np.array([False] * 4 + [True] * 4)
    scores = blind_scores(turns, labels)
    assert set(scores["characters"]) == {5}
    assert list(scores) == [*COUNTS, *LEARNERS]


def test_a_length_that_separates_is_flagged_either_way(quick):
    short, long = [chat(f"a {i}") for i in range(10, 20)], [chat(f"abcdef {i}") for i in range(20)]
    labels = np.array([True] * 10 + [False] * 20)
    reversed_ = found([*short, *long], labels)["characters"]
    assert (reversed_.comparison.auc, reversed_.distance, reversed_.separates) == (0, 0.5, True)
    straight = found([*short, *long], ~labels)["characters"]
    assert (straight.comparison.auc, straight.distance, straight.separates) == (1, 0.5, True)


def test_words_that_members_share_are_learnt_and_hold_out_of_fold(quick):
    prompts = noise(40)
    labels = np.arange(40) % 2 == 0
    marked = [
        chat(f"{'kindly' if member else 'please'} {prompt.shown}")
        for prompt, member in zip(prompts, labels, strict=True)
    ]
    result = found(marked, labels)
    assert all(result[name].comparison.auc > 0.95 for name in LEARNERS)
    assert all(result[name].separates for name in LEARNERS)
    assert not result["characters"].separates


def test_no_label_reaches_the_prompt_that_it_is_of(quick):
    """A word of its own in each prompt tells everything in-sample, and nothing out of fold."""
    prompts = [chat(f"word{i}") for i in range(40)]
    generator = np.random.default_rng(1)
    aucs = []
    for _ in range(20):
        labels = generator.permutation(np.arange(40) < 20)
        scores = blind_scores(prompts, labels)["TF-IDF words"]
        aucs.append(np.mean(np.greater.outer(scores[labels], scores[~labels])))
    assert np.mean(aucs) < 0.6


def test_out_of_fold_scores_below_chance_are_no_separation(quick):
    """Each member has a twin in the other class: the twin's label says the wrong thing."""
    prompts = [chat(f"{word} {word} {i}") for word in WORDS for i in range(2)]
    labels = np.arange(20) % 2 == 0
    result = found(prompts, labels)["TF-IDF words"]
    assert result.comparison.auc < 0.3
    assert not result.separates


def test_texts_without_a_word_have_nothing_to_learn_from(quick):
    prompts = [chat("?" * i) for i in range(1, 9)]
    labels = np.array([True, False] * 4)
    scores = blind_scores(prompts, labels)
    assert not scores["TF-IDF words"].any()
    assert found(prompts, labels)["TF-IDF words"].comparison.auc == 0.5


def test_two_of_each_class_suffice_and_lone_surrogates_are_read(quick):
    prompts = [chat("\ud800 one"), chat("two"), chat("three"), chat("four")]
    result = found(prompts, np.array([True, True, False, False]))
    assert len(result) == 7


def test_the_same_prompts_have_the_same_scores(quick):
    prompts, labels = noise(20), np.arange(20) < 10
    one, other = blind_scores(prompts, labels), blind_scores(prompts, labels)
    assert all((one[name] == other[name]).all() for name in one)


def test_a_clean_set_is_seldom_flagged(quick):
    """A quarter of such sets are, as the docstring says; half of 20 would be far more."""
    prompts = noise(30)
    generator = np.random.default_rng(2)
    shuffled = [generator.permutation(np.arange(30) < 15) for _ in range(20)]
    flagged = [any(one.separates for one in found(prompts, each).values()) for each in shuffled]
    assert sum(flagged) < 10


# Counts to two digits, as an independent audit of the same files found them; None where it
# gives no number. Those that learn, to within the noise of folds.
RL_MIA = {
    "aime24": (0.51, 0.52, 0.50, 0.47, 0.44, 0.63, 0.57),
    "aime25": (0.50, 0.45, 0.52, 0.53, 0.45, 0.35, 0.25),
    "kk": (0.53, 0.56, None, 0.50, 0.60, 0.55, 0.52),
    "sat": (0.00, 0.00, 0.50, 0.00, 0.50, 0.88, 0.99),
    "gsm8k": (0.57, 0.56, 0.59, 0.56, 0.45, 0.46, 0.54),
}


@pytest.mark.parametrize("name", RL_MIA)
def test_the_blind_baselines_of_rl_mia(name, shared):
    prompts = read_prompts(str(shared / "data" / "rl-mia" / f"{name}.parquet")).prompts
    labels = np.array([bool(prompt.metadata["member"]) for prompt in prompts])
    result = found(prompts, labels)
    aucs = dict(zip([*COUNTS, *LEARNERS], RL_MIA[name], strict=True))
    for baseline, auc in aucs.items():
        if auc is not None and baseline in COUNTS:
            assert round(result[baseline].comparison.auc, 2) == auc, baseline
        if baseline in LEARNERS:
            assert result[baseline].comparison.auc == pytest.approx(auc, abs=0.1), baseline
    separating = {each.name for each in result.values() if each.separates}
    if name == "sat":
        assert separating == {"characters", "words", "zlib size", *LEARNERS}
    else:
        assert not separating
