"""The gate: on a real RL run that trained on none of its prompts, nobody is accused.

At every checkpoint, each benchmark is audited against each other one, without a control model
and with the base model as control; and all prompts are divided at random, easier ones the more
probably into suspects. What the detector alone makes of them is asserted too, so that the gate
is known to guard against something.
"""

from itertools import permutations

import numpy as np
import pytest

from real_ladder import BENCHMARKS, CHECKPOINTS, Ladder
from simulated_audits import UPPER, Audit, judged
from wellworn.statistics import comparison
from wellworn.statistics.adjustment import regression
from wellworn.statistics.attribution import attribute
from wellworn.statistics.comparison import compare
from wellworn.statistics.effects import normal_scores
from wellworn.statistics.items import COVARIATES, column_of, design_of
from wellworn.statistics.verdict import LEVELS, decide

PAIRS = list(permutations(BENCHMARKS, 2))


@pytest.fixture(scope="module")
def ladder(shared):
    folder = shared / "data" / "completions" / "rlvr-qwen25math15b-deepscaler"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: no completions of a real RL run to judge")
    return Ladder(folder)


def audited(ladder, checkpoint, pair, *, control):
    """Return the comparison, the attribution and the verdict of one benchmark against another."""
    suspects, references = (
        ladder.items(checkpoint, name, suspect=name == pair[0], control=control) for name in pair
    )
    found = compare([item.score for item in suspects], [item.score for item in references])
    attribution = attribute([*suspects, *references], comparison=found)
    return found, attribution, decide(found, (), attribution)


def test_what_was_measured_is_what_was_published(ladder):
    """The pass rates are the avg@8 of the files, for base and step 200."""
    expected = {
        ("base", "AIME-2024"): 0.09166666666666667,
        ("base", "AIME-2025"): 0.03333333333333333,
        ("step200", "AMC"): 0.47740963855421686,
    }
    for key, rate in expected.items():
        rates = [each.pass_rate for each in ladder.measured[key]]
        assert np.mean(rates) == pytest.approx(rate, abs=0.0016)


@pytest.mark.parametrize("control", [False, True], ids=["alone", "with control"])
@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_no_benchmark_is_accused(ladder, checkpoint, control):
    for pair in PAIRS:
        _, attribution, verdict = audited(ladder, checkpoint, pair, control=control)
        assert LEVELS.index(verdict.level) < UPPER, (checkpoint, pair, verdict)
        assert attribution.against_matched


def test_the_gate_guards_against_a_separation_that_is_there(ladder):
    levels = [
        audited(ladder, checkpoint, pair, control=True)[2].level
        for checkpoint in CHECKPOINTS
        for pair in PAIRS
    ]
    assert levels.count("converged, not attributable") >= 6
    found, attribution, _ = audited(ladder, "step200", ("AMC", "AIME-2025"), control=True)
    assert found.auc == pytest.approx(0.74, abs=0.005)
    assert found.p < 0.001
    adjusted = attribution.named("regression")
    assert adjusted.auc < 0.6
    assert adjusted.low < 0.5


def test_one_regression_alone_would_accuse_at_step_50(ladder):
    """Which is why the ladder asks for more than one, and adjusts for squares too."""
    pair = ("AMC", "AIME-2025")
    _, found, _ = audited(ladder, "step50", pair, control=True)
    items = [
        item
        for name in pair
        for item in ladder.items("step50", name, suspect=name == pair[0], control=True)
    ]
    scores = normal_scores(column_of(items, lambda item: item.score))
    assert regression(scores, design_of(items, COVARIATES)).effect.limits[0] > 0
    assert found.named("regression").low < 0.5
    assert found.named("regression, with the allowance").low < 0.5
    assert found.named("change of the score, adjusted").low < 0.5
    assert found.imbalance > 0.5


@pytest.mark.parametrize("by", ["pass_rate", "score"])
def test_prompts_divided_by_ease_are_accused_in_less_than_5_percent(ladder, by, monkeypatch):
    """50 divisions of each of four checkpoints; one regression alone accuses in 20 % and more."""
    monkeypatch.setattr(comparison, "RESAMPLES", 500)
    outcomes = [
        judged(Audit(ladder.divided(checkpoint, by, 2, np.random.default_rng([7, number])), ()))
        for checkpoint in CHECKPOINTS[1:]
        for number in range(50)
    ]
    separated, regression, upper = np.mean(
        [(each.separated, each.regression, each.level >= UPPER) for each in outcomes], axis=0
    )
    assert separated > 0.8
    assert regression > 0.2
    assert upper <= 0.05
