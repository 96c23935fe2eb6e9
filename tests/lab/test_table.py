"""Many experiments as one table: means over halves, then intervals over seeds."""

import pytest
from rich.console import Console

from wellworn.lab.display import show, show_study
from wellworn.lab.effects import Auc, Effect
from wellworn.lab.results import Averages, Checkpoint, Results
from wellworn.lab.table import mean_over_seeds, tabulated

HALF = Averages(pass_rate=0.5, distinct=0.25, length=30.0)


def auc(value):
    return Auc(value=value, low=value - 0.1, high=value + 0.1, members=48)


def results(seed, half, before, after, level="no evidence"):
    def at(step, value, verdicts):
        effects = (
            Effect(detector="min-knn", raw=auc(value), adjusted=auc(value), floor=value / 2),
            Effect(detector="self-critique", reason="nothing is told"),
        )
        return Checkpoint(
            step=step, members=HALF, held_out=HALF, effects=effects, verdicts=verdicts
        )

    return Results(
        task="countdown",
        level="standard",
        algorithm="dapo",
        seed=seed,
        half=half,
        detector="min-knn",
        epochs=12.0,
        taught=7.0,
        checkpoints=(at(0, before, {}), at(50, after, {"members": level})),
    )


STUDY = [
    results(0, "A", 0.4, 0.6),
    results(0, "B", 0.6, 0.8),
    results(1, "A", 0.5, 0.8, "consistent with RL exposure"),
    results(1, "B", 0.5, 0.9),
]


def test_halves_are_averaged_before_seeds_are_compared():
    # means of the seeds .70 and .85: mean .775, standard error .075, t(1) = 12.706
    found = next(row for row in tabulated(STUDY).rows if row.step == 50)
    assert found.raw.value == pytest.approx(0.775)
    assert found.raw.high == pytest.approx(0.775 + 12.7062 * 0.075, abs=1e-4)
    assert found.raw.seeds == 2
    assert found.floor == pytest.approx((0.6 + 0.8 + 0.8 + 0.9) / 8)
    assert found.matched is None


def test_before_rl_one_half_says_it_all():
    # the other half's AUC is 1 less this one's, so that their mean would be .5 whatever happened
    found = next(row for row in tabulated(STUDY).rows if row.step == 0)
    assert found.raw.value == pytest.approx(0.45)


def test_one_seed_has_a_mean_and_no_interval():
    found = mean_over_seeds({(3, "A"): 0.7, (3, "B"): 0.9}, ("A", "B"))
    assert (found.value, found.low, found.high, found.seeds) == (0.8, None, None, 1)
    assert mean_over_seeds({}, ("A", "B")) is None


def test_verdicts_are_counted():
    last = tabulated(STUDY).groups[-1]
    assert last.verdicts == {
        "members": {"no evidence": 3, "consistent with RL exposure": 1},
    }
    assert (last.experiments, last.epochs, last.members) == (4, 12.0, HALF)


def printed(show_it):
    console = Console(width=100, record=True)
    with console.capture() as capture:
        show_it(console)
    return capture.get()


def test_the_terminal_shows_an_experiment():
    text = printed(lambda console: show(STUDY[0], console))
    assert "each member was drawn 12.0 times and taught 7.0 times" in text
    assert "step 50: pass rate 0.50 v 0.50, distinct 0.25 v 0.25" in text
    assert "0.40 [0.30, 0.50]" in text
    assert "0.60 [0.50, 0.70]" in text
    assert "self-critique: nothing is told" in text
    assert "members against the other half: no evidence" in text


def test_the_terminal_shows_a_study():
    text = printed(lambda console: show_study(tabulated(STUDY), console))
    assert "countdown (standard), dapo, 50 steps, 4 models: pass rate 0.50 v 0.50" in text
    assert "no evidence 3, consistent with RL exposure 1" in text
