"""Prompts as numbers: which covariates are used, which prompts are left out, and what is said."""

import numpy as np
import pytest

from wellworn.statistics.items import COVARIATES, MOST_UNITS, Item, column_of, design_of


def items_of(n=20, **fields):
    """Return n items, half of them suspects; a field is a list, or a function of the place."""
    return [
        Item(
            prompt_id=str(i),
            suspect=i % 2 == 0,
            score=i / n,
            prompt_length=100 + 7 * i,
            **{name: value(i) for name, value in fields.items()},
        )
        for i in range(n)
    ]


def test_covariates_are_those_fixed_before_rl():
    item = Item(
        prompt_id="a",
        suspect=True,
        score=0.5,
        base_score=0.25,
        pass_rate=0.9,
        base_pass_rate=0.5,
        prompt_length=int(np.expm1(6).round()),
        length=7.0,
        base_length=float(np.expm1(3)),
        truncated=0.1,
    )
    read = {name: reading(item) for name, reading in COVARIATES.items()}
    assert read == {
        "base score": 0.25,
        "base pass rate": 0.5,
        "log base length": pytest.approx(3),
        "log prompt length": pytest.approx(6, abs=0.01),
    }


def test_covariates_are_standardised_and_can_be_read_back():
    items = items_of(base_score=lambda i: (i * 7) % 20 / 20)
    design = design_of(items, COVARIATES)
    assert design.names == ("base score", "log prompt length")
    assert design.covariates.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert design.covariates.std(axis=0) == pytest.approx(1)
    back = design.covariates * design.scales + design.means
    assert back[:, 0] == pytest.approx(column_of(items, lambda item: item.base_score))
    assert design.suspect.tolist() == [True, False] * 10
    assert design.sizes == (10, 10)


def test_a_covariate_that_few_have_is_not_used_and_that_is_said():
    items = items_of(base_score=lambda i: None if i % 4 == 0 else i % 3, base_length=lambda i: None)
    design = design_of(items, COVARIATES)
    assert design.names == ("log prompt length",)
    assert len(design.items) == 20
    assert design.notes == (
        "base score: known of 50% of a set, so it is not adjusted for",
        "base pass rate: known of 0% of a set, so it is not adjusted for",
        "log base length: known of 0% of a set, so it is not adjusted for",
    )


def test_prompts_that_lack_one_here_and_there_are_left_out_and_counted():
    items = items_of(40, base_score=lambda i: None if i in (3, 8) else (i * 7) % 40)
    design = design_of(items, COVARIATES)
    assert design.names == ("base score", "log prompt length")
    assert [item.prompt_id for item in design.items] == [
        str(i) for i in range(40) if i not in (3, 8)
    ]
    assert "2 prompts lack a covariate and are left out" in design.notes


def test_what_does_not_vary_or_follows_from_others_is_left_out():
    items = items_of(
        base_score=lambda i: 0.5,
        base_pass_rate=lambda i: (i * 7) % 20 / 20,
        base_length=lambda i: np.expm1(1 + (i * 7) % 20 / 10),  # its log is linear in the rate
    )
    design = design_of(items, COVARIATES)
    assert design.names == ("base pass rate", "log prompt length")
    assert design.notes == (
        "base score: the same for all prompts, so there is nothing to adjust for",
        "log base length: follows from the other covariates and is left out",
    )


def test_squares_of_what_measures_difficulty_are_around_its_mean():
    items = items_of(base_score=lambda i: (i * 7) % 20 / 20, base_length=lambda i: i % 3)
    linear = design_of(items, COVARIATES)
    design = linear.with_squares
    assert design.names == (*linear.names, "base score, squared")
    assert design.covariates[:, :3] == pytest.approx(linear.covariates)
    back = design.covariates * design.scales + design.means
    scores = column_of(items, lambda item: item.base_score)
    assert back[:, 0] == pytest.approx(scores)
    assert back[:, -1] == pytest.approx((scores - scores.mean()) ** 2)


def test_the_square_of_what_has_two_values_follows_from_it():
    design = design_of(items_of(base_score=lambda i: i % 3 == 0), COVARIATES).with_squares
    assert design.names == ("base score", "log prompt length")
    assert design.notes[-1] == (
        "base score, squared: follows from the other covariates and is left out"
    )


def test_no_covariate_at_all_is_a_design_too():
    design = design_of(items_of(), {})
    assert (design.covariates.shape, design.names, design.notes) == ((20, 0), (), ())
    assert design.without_covariates.covariates.shape == (20, 0)
    assert design.with_squares.covariates.shape == (20, 0)


def test_a_cluster_is_one_unit_and_a_prompt_without_one_is_its_own():
    items = items_of(8, cluster=lambda i: {0: "a", 2: "a", 1: "b", 3: "b", 5: "b"}.get(i))
    design = design_of(items, {})
    assert design.units.tolist() == [0, 1, 0, 1, 2, 1, 3, 4]
    assert design.independent == (3, 2)


def test_a_cluster_may_be_called_like_a_place():
    design = design_of(items_of(4, cluster=lambda i: "1" if i in (0, 3) else None), {})
    assert design.units.tolist() == [0, 1, 2, 0]


def test_of_very_many_prompts_several_are_one_unit():
    assert len(set(design_of(items_of(1000), {}).units.tolist())) == MOST_UNITS
