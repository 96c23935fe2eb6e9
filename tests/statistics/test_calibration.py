"""A small version of benchmarks/calibration.py: null audits are not accused, planted ones seen."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm

from simulated_audits import UPPER, Cell, drawn, judged, simulate, verdict_on
from wellworn.statistics import barriers, comparison, items
from wellworn.statistics.items import COVARIATES, column_of
from wellworn.statistics.power import plan
from wellworn.statistics.reliability import reliability_of_rates
from wellworn.statistics.verdict import LEVELS

AUDITS = 200
AT_5_PERCENT = 0.05 + 3 * sqrt(0.05 * 0.95 / AUDITS)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Resample 500 times, which is enough for a share of audits."""
    monkeypatch.setattr(comparison, "RESAMPLES", 500)


def shares(cell, audits=AUDITS):
    """Return the shares that the detector alone, one regression, and the upper levels accuse."""
    outcomes = [judged(simulate(cell, np.random.default_rng([3, n]))) for n in range(audits)]
    return np.mean([(o.separated, o.regression, o.level >= UPPER) for o in outcomes], axis=0)


@pytest.mark.parametrize(
    "cell",
    [
        Cell("equal"),
        Cell("small", 8, 8, 0.5),
        Cell("easier", 100, 100, 0.5),
        Cell("unequal", 15, 100, 0.5),
        Cell("late", 100, 100, 0.5, shape="late", solved=-3.0),
        Cell("tied", 60, 60, 0.5, steps=6),
        Cell("clusters", 60, 60, 0.5, clusters=5),
        Cell("shorter", 60, 60, shorter=1.0),
        Cell("floor", 100, 100, 1.0, solved=-4.5, follows=0.15, noise=1.3),
        Cell("matched", 40, easier=0.5, pool=200),
    ],
    ids=lambda cell: cell.name,
)
def test_where_nobody_trained_at_most_5_percent_reach_the_upper_levels(cell):
    assert shares(cell)[2] <= AT_5_PERCENT


ATTACKS = [
    Cell("middling", 100, 100, spread=(0.4, 1.4), shape="middling", solved=0.0, samples=32),
    Cell("middling, 8 samples", 100, 100, spread=(0.4, 1.4), shape="middling", solved=0.0),
    Cell("rarely read", 100, 100, 0.8, odd=0.04, samples=32, follows=0.15),
]
"""RL moves prompts of middling difficulty most, of which the suspects have more; and a base model
whose answers are rarely read, for no reason of ease."""


@pytest.mark.parametrize("cell", ATTACKS, ids=lambda cell: cell.name)
def test_without_squares_spreads_and_what_is_foretold_they_would_be_accused(cell, monkeypatch):
    assert shares(cell, audits=60)[2] <= 0.05
    monkeypatch.setattr(items, "SQUARED", ())
    monkeypatch.setattr(barriers, "LUCK", 0.0)
    monkeypatch.setattr(barriers, "LEAST_FORETOLD", -1.0)
    assert shares(cell, audits=60)[2] > 0.1


def test_where_suspects_are_easier_the_detector_and_a_regression_do_accuse():
    separated, regression, upper = shares(Cell("", 150, 150, 1.0), audits=60)
    assert separated > 0.95
    assert regression > 0.2
    assert upper < 0.05


@pytest.mark.parametrize("n", [30, 60])
def test_planted_exposure_is_found_with_the_power_that_the_plan_promised(n):
    exposure = sqrt(2) * norm.ppf(plan(n, n).power.claim)
    found = shares(Cell("", n, n, exposure=exposure, samples=32), audits=100)[2]
    assert abs(found - 0.8) < 3 * sqrt(0.8 * 0.2 / 100)


def test_a_strong_exposure_is_consistent_with_rl_exposure():
    cell = Cell("", 60, 60, exposure=1.8, samples=32)
    verdict = verdict_on(simulate(cell, np.random.default_rng(1)))
    assert verdict.level == LEVELS[-1]


def test_simulated_audits_look_like_the_real_run():
    """There, base pass rates of 0.03 to 0.27, reliabilities of 0.7 to 0.8, R squared 0.2 to 0.5."""
    prompts = drawn(Cell("", 2_000), 2_000, np.random.default_rng(2))
    rates = column_of(prompts, COVARIATES["base pass rate"])
    suspect = np.arange(4_000) < 2_000
    assert rates.mean() == pytest.approx(0.18, abs=0.03)
    assert reliability_of_rates(rates, np.full(4_000, 8.0), suspect) == pytest.approx(
        0.65, abs=0.05
    )
    columns = [column_of(prompts, read) for read in COVARIATES.values()]
    x = np.column_stack([np.ones(4_000), *columns])
    score = column_of(prompts, lambda item: item.score)
    rest = score - x @ np.linalg.lstsq(x, score)[0]
    assert 0.3 < 1 - rest.var() / score.var() < 0.45
