"""Many experiments as one table: means over models, with intervals."""

from itertools import product

import pytest
from rich.console import Console

from wellworn.lab.display import show, show_study
from wellworn.lab.effects import Auc, Effect
from wellworn.lab.markdown import markdown
from wellworn.lab.results import Averages, Checkpoint, Results
from wellworn.lab.table import mean_over_models, measured, tabulated

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
    results(1, "A", 0.5, 0.62, "consistent with RL exposure"),
    results(1, "B", 0.5, 0.82),
]


def test_the_mean_is_over_models_and_the_interval_is_students():
    # .60 .80 .62 .82: mean .71, standard deviation .1160, t(3) = 3.182
    found = next(row for row in tabulated(STUDY).rows if row.step == 50)
    assert found.raw.value == pytest.approx(0.71)
    assert found.raw.high == pytest.approx(0.71 + 3.1824 * 0.116046 / 2, abs=1e-4)
    assert found.raw.models == 4
    assert found.floor == pytest.approx((0.6 + 0.8 + 0.62 + 0.82) / 8)
    assert found.matched is None


def test_before_rl_one_half_says_it_all():
    # the other half's AUC is 1 less this one's, so that their mean would be .5 whatever happened
    found = next(row for row in tabulated(STUDY).rows if row.step == 0)
    assert found.raw.value == pytest.approx(0.45)


def test_an_interval_stays_within_what_an_auc_can_be():
    found = mean_over_models([0.2, 0.9])
    assert (found.low, found.high) == (0.0, 1.0)


def test_one_model_has_a_mean_and_no_interval():
    found = mean_over_models([0.8])
    assert (found.value, found.low, found.high, found.models) == (0.8, None, None, 1)
    assert mean_over_models([]) is None


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
    assert "step 50, members v others: pass rate 0.50 v 0.50, distinct 0.25 v 0.25" in text
    assert "0.40 .30-.50" in text
    assert "0.60 .50-.70" in text
    assert "self-critique: nothing is told" in text
    assert "members against the other half: no evidence" in text


def test_the_terminal_shows_a_study():
    text = printed(lambda console: show_study(tabulated(STUDY), console))
    assert "countdown (standard), dapo, 50 steps, 4 models: pass rate 0.50 v" in text
    assert "no evidence 3, consistent with RL exposure 1" in text


def test_all_of_it_is_written_as_markdown():
    text = markdown(tabulated(STUDY))
    assert "| countdown | dapo | 50 | 4 | 12 | 7 | 0.50 / 0.50 | 0.25 / 0.25 |" in text
    assert "- members against the other half: *consistent with RL exposure* 1; *no evi" in text
    assert (
        "| min-knn | 0.45 [0.00, 1.00] | 0.71 [0.53, 0.89] | 0.71 [0.53, 0.89] | - | 0.35 |" in text
    )


def test_the_study_of_the_package_is_there_and_honest_about_its_size():
    study = measured()
    last = [group for group in study.groups if group.step == 50]
    whole = {(g.task, g.algorithm): g.experiments for g in last if g.experiments == 10}
    assert whole.keys() == set(product(("countdown", "arithmetic", "sat"), ("grpo", "dapo", "ppo")))
    assert all(group.experiments >= 4 for group in last)
    claims = {"converged more than matched controls", "consistent with RL exposure"}
    assert all(claims.isdisjoint(group.verdicts["easy"]) for group in last)
