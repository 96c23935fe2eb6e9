"""AUCs of detectors on members: as they stand, adjusted, and matched on success."""

import pytest

from wellworn.lab.effects import LEAST, auc, effect, matched
from wellworn.statistics.items import Item


def item(suspect, score, rate=0.5, length=100.0, base=0.0, number=[0]):  # noqa: B006
    number[0] += 1
    return Item(
        prompt_id=str(number[0]),
        suspect=suspect,
        score=score,
        base_score=base,
        pass_rate=rate,
        base_pass_rate=0.3 + 0.01 * (number[0] % 7),
        base_samples=32,
        prompt_length=20 + number[0] % 5,
        length=length,
        base_length=100.0 + number[0] % 3,
    )


def halves(members, others):
    return [item(True, score) for score in members] + [item(False, score) for score in others]


def test_a_raw_auc_is_the_share_of_pairs_that_a_member_wins():
    found = auc(halves([1, 2, 3, 4, 5, 6, 7, 8], [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]))
    assert found.value == 36 / 64
    assert found.low < found.value < found.high
    assert found.members == 8


def test_too_few_scores_have_no_auc_but_a_reason():
    few = halves([1.0] * (LEAST - 1), [0.0] * LEAST)
    assert auc(few) is None
    assert effect("x", few, "the server refused").reason == "the server refused"
    assert effect("x", few).reason == "fewer than 8 scores in a half"


def test_a_matched_auc_compares_only_prompts_that_are_solved_alike():
    # members are solved more often and score higher; of those solved alike, they score lower
    members = [item(True, 1.0, rate=0.9) for _ in range(8)]
    members += [item(True, 3.0, rate=0.2) for _ in range(8)]
    others = [item(False, 2.0, rate=0.9), item(False, 9.0, rate=0.2)]
    assert matched(members + others).value == 0.0
    others = [item(False, 0.5, rate=0.9), item(False, 9.0, rate=0.2)]
    assert matched(members + others).value == 0.5


def test_matches_that_are_equally_near_count_alike():
    members = [item(True, 1.0) for _ in range(8)]
    others = [item(False, score) for score in (0.0, 0.0, 2.0, 1.0)]
    assert matched(members + others).value == pytest.approx((1 + 1 + 0 + 0.5) / 4)


def test_a_nearer_pass_rate_wins_over_a_farther_one():
    members = [item(True, 1.0, rate=0.5) for _ in range(8)]
    others = [item(False, 0.0, rate=0.52), item(False, 2.0, rate=0.58)]
    assert matched(members + others).value == 1.0


def test_members_without_a_match_are_left_out_and_too_few_are_none():
    members = [item(True, 1.0, rate=0.9) for _ in range(9)] + [item(True, 1.0, rate=0.0)]
    others = [item(False, 0.0, rate=0.85)]
    assert matched(members + others).members == 9
    assert matched(members[2:] + others) is None
    far = [item(False, 0.0, rate=0.9, length=120.0)]
    assert matched(members + far) is None


def test_what_the_base_model_explains_is_adjusted_away():
    # scores are those of the base model, and members had higher ones before anything happened
    scores = [0.1 * place for place in range(20)]
    items = [item(True, score + 0.5, base=score + 0.5) for score in scores]
    items += [item(False, score, base=score) for score in scores]
    found = effect("x", items)
    assert found.raw.value > 0.6
    assert abs(found.adjusted.value - 0.5) < 0.05


def test_the_floor_is_the_share_of_members_at_the_highest_score():
    items = halves([1.0] * 6 + [0.5] * 2, [1.0, *[0.2] * 7])
    assert effect("x", items).floor == 0.75
