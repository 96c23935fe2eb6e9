"""An outcome adjusted: what is on its scale, what the allowance takes, and when there is none."""

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.special import expit
from scipy.stats import norm, rankdata

from wellworn.statistics.controls import control
from wellworn.statistics.items import COVARIATES, Item
from wellworn.statistics.overlap import Balance

LENGTH = {"log prompt length": COVARIATES["log prompt length"]}


def score_of(item):
    return item.score


def items_of(n=40, *, easier=0.0, seed=1, **fields):
    """Return n suspects and n references, whose score follows an ease that is seen with error."""
    generator = np.random.default_rng(seed)
    ease = generator.normal(size=2 * n) + easier * (np.arange(2 * n) < n)
    seen, score = ease + generator.normal(size=2 * n), ease + generator.normal(size=2 * n)
    return [
        Item(
            prompt_id=str(i),
            suspect=i < n,
            score=float(score[i]),
            base_score=float(seen[i]),
            prompt_length=int(generator.integers(50, 500)),
            **{name: value(i) for name, value in fields.items()},
        )
        for i in range(2 * n)
    ]


def test_effects_are_in_standard_deviations_of_normal_scores_within_the_sets():
    items = items_of(easier=0.5)
    scores = norm.ppf((rankdata([item.score for item in items]) - 0.5) / 80)
    sides = scores[:40], scores[40:]
    spread = np.sqrt(np.mean([side.var(ddof=1) for side in sides]))
    found = control(items, score_of, COVARIATES)
    expected = (sides[0].mean() - sides[1].mean()) / spread
    assert found.unadjusted.value == pytest.approx(expected)


def test_only_the_order_of_an_outcome_counts():
    items = items_of()
    one = control(items, score_of, COVARIATES)
    other = control(items, lambda item: np.exp(item.score), COVARIATES)
    assert other.fit.effect.value == pytest.approx(one.fit.effect.value)


def with_lengths(items):
    """Return items whose prompt's length, which has no square, says what the base score does."""
    return [replace(item, prompt_length=int(1e4 * expit(item.base_score))) for item in items]


def test_the_allowance_takes_what_is_explained_once_more():
    found = control(with_lengths(items_of(easier=1.0)), score_of, LENGTH)
    raw, adjusted = found.unadjusted, found.fit.effect
    assert raw.value > adjusted.value > 0
    assert found.explained.value == pytest.approx(raw.value - adjusted.value)
    allowed = found.allowed(adjusted)
    assert allowed.value == pytest.approx(2 * adjusted.value - raw.value)
    assert allowed.without == pytest.approx(2 * adjusted.without - raw.without)
    assert found.allowed(adjusted, 0.5).value == pytest.approx(
        1.5 * adjusted.value - 0.5 * raw.value
    )


def test_it_is_right_where_half_of_what_is_measured_is_error():
    """Nobody trained; suspects are easier, and the covariate's reliability is one half."""
    found = control(items_of(20_000, easier=0.5), score_of, COVARIATES)
    assert found.unadjusted.value > 0.3
    assert found.fit.effect.value > 0.15
    assert abs(found.allowed(found.fit.effect).value) < 0.02


def test_nothing_is_taken_where_the_covariates_favour_the_references():
    found = control(with_lengths(items_of(easier=-1.0)), score_of, LENGTH)
    assert found.explained.value < 0
    assert found.allowed(found.fit.effect).value == found.fit.effect.value


def test_the_imbalance_is_that_of_the_prognostic_score():
    items = with_lengths(items_of(easier=1.0))
    found = control(items, score_of, LENGTH)
    seen = np.array([np.log1p(item.prompt_length) for item in items])
    sides = seen[:40], seen[40:]
    spread = np.sqrt(np.mean([side.var(ddof=1) for side in sides]))
    assert found.imbalance == pytest.approx((sides[0].mean() - sides[1].mean()) / spread)


def test_harder_suspects_do_not_offset_what_their_spread_explains():
    """Scores are highest in the middle, where more of the suspects are."""
    generator = np.random.default_rng(3)
    suspect = np.arange(400) < 200
    seen = np.where(suspect, 0.4, 1.4) * generator.normal(size=400) - 0.5 * suspect
    score = seen - seen**2 + generator.normal(size=400)
    items = [
        Item(prompt_id=str(i), suspect=bool(s), score=y, base_score=x, prompt_length=i + 50)
        for i, (s, x, y) in enumerate(zip(suspect, seen, score, strict=True))
    ]
    found = control(items, score_of, COVARIATES)
    centred = (seen - seen.mean()) ** 2
    place = found.fit.design.names.index("base score, squared")
    slope = found.fit.coefficients[2:][place] / found.fit.design.scales[place]
    expected = slope * (centred[suspect].mean() - centred[~suspect].mean())
    assert found.explained.value == pytest.approx(expected)
    assert found.allowance.value == pytest.approx(3 * expected)
    assert expected > found.unadjusted.value - found.fit.effect.value


def test_references_that_were_matched_do_not_hide_the_pool_that_they_are_from():
    items = items_of(easier=0.0)
    plain = control(items, score_of, COVARIATES)
    pool = Balance(name="base score", suspects=1.0, references=-1.0, difference=1.4)
    found = control(items, score_of, COVARIATES, [pool])
    assert found.fit.effect.value == plain.fit.effect.value
    assert found.explained.value > max(0.5, plain.explained.value)
    assert found.imbalance > 1
    assert found.allowed(found.fit.effect).value < plain.allowed(plain.fit.effect).value - 0.5


def test_a_pool_that_is_easier_than_the_suspects_costs_nothing():
    items = items_of(easier=0.3)
    pool = Balance(name="base score", suspects=0.0, references=2.0, difference=-1.4)
    plain, found = (
        control(items, score_of, COVARIATES),
        control(items, score_of, COVARIATES, [pool]),
    )
    assert found.explained.value == pytest.approx(plain.explained.value)


def without_a_score(item):
    return None if int(item.prompt_id) % 4 == 0 else item.score


@pytest.mark.parametrize(
    ("items", "read"),
    [
        (items_of(), without_a_score),
        (items_of(), lambda item: 1.0),
        (items_of(), lambda item: float(item.suspect)),
        (items_of(2), score_of),
        (items_of(cluster=lambda i: str(i < 40)), score_of),
        (items_of(cluster=lambda i: "s" if i < 40 else str(i)), score_of),
    ],
    ids=["missing", "constant", "constant within", "too few", "two clusters", "one cluster"],
)
def test_what_cannot_be_adjusted_is_none(items, read):
    assert control(items, read, COVARIATES) is None


def test_a_covariate_that_separates_the_sets_gives_a_wide_interval_and_no_error():
    items = [
        Item(
            prompt_id=str(i),
            suspect=i < 20,
            score=i % 7,
            base_score=float(i < 20) + i % 3 / 9,
            prompt_length=9,
        )
        for i in range(40)
    ]
    found = control(items, score_of, COVARIATES)
    low, high = found.fit.effect.limits
    assert low < 0 < high
    assert high - low > 1


def test_noise_in_a_covariate_does_accuse_without_the_allowance():
    """Why it is there: easier suspects, nobody trained, and plain regression says otherwise."""
    accused = [
        (
            found.fit.effect.limits[0] > 0,
            found.allowed(found.fit.effect).limits[0] > 0,
        )
        for found in (
            control(items_of(100, easier=0.5, seed=seed), score_of, COVARIATES)
            for seed in range(150)
        )
    ]
    plain, allowed = np.mean(accused, axis=0)
    assert plain > 0.2
    assert allowed < 0.05


def test_chance_that_is_measured_well_needs_no_allowance():
    generator = np.random.default_rng(9)
    ease = generator.normal(size=400) + 0.5 * (np.arange(400) < 200)
    rate = expit(ease)
    items = [
        Item(
            prompt_id=str(i),
            suspect=i < 200,
            score=float(e + generator.normal()),
            base_pass_rate=float(r),
            prompt_length=1,
        )
        for i, (e, r) in enumerate(zip(ease, rate, strict=True))
    ]
    assert abs(control(items, score_of, COVARIATES).fit.effect.value) < 0.2
