"""Prompts in epochs, answers in groups, rewards by the verifier."""

from random import Random

import pytest

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.lab import models  # noqa: E402
from wellworn.lab.rl.rollouts import Batch, Order, Roller, joined  # noqa: E402


def test_every_prompt_comes_once_an_epoch_and_epochs_meet_within_a_step():
    order = Order(5, Random(0))
    taken = [place for _ in range(5) for place in order.take(3)]
    epochs = [taken[start : start + 5] for start in (0, 5, 10)]
    assert [sorted(epoch) for epoch in epochs] == [[0, 1, 2, 3, 4]] * 3
    assert epochs[0] != epochs[1]
    assert order.waiting == []


def test_more_prompts_than_there_are_come_again():
    assert sorted(Order(2, Random(0)).take(5)) in ([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])


def made(first, rewards):
    """Return a batch whose numbers say which row they are of."""
    count, size = len(rewards), len(rewards[0])
    rows = torch.arange(count * size) + 10 * first
    table = rows[:, None].expand(-1, 2).float()
    pairs = [([first], [row]) for row in rows.tolist()]
    return Batch([*range(first, first + count)], torch.tensor(rewards), pairs, table, -table, rows)


BATCH = made(0, [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_mixed_groups_have_right_and_wrong_answers():
    assert BATCH.mixed() == [0, 3]


def test_groups_are_kept_whole():
    kept = BATCH.kept([3, 1])
    assert kept.members == [3, 1]
    assert kept.rewards.tolist() == [[0, 1], [0, 0]]
    assert [answer for _, answer in kept.pairs] == [[6], [7], [2], [3]]
    assert kept.lengths.tolist() == kept.logps[:, 0].tolist() == [6, 7, 2, 3]
    assert kept.entropies[:, 1].tolist() == [-6, -7, -2, -3]


def test_nothing_can_be_kept():
    kept = BATCH.kept([])
    assert (kept.members, kept.pairs, kept.mixed()) == ([], [], [])
    assert joined([kept, BATCH]).members == BATCH.members


def test_batches_are_joined_in_order():
    both = joined([BATCH, made(7, [[1.0, 0.0]])])
    assert both.members == [0, 1, 2, 3, 7]
    assert both.mixed() == [0, 3, 4]
    assert both.lengths.tolist() == [*range(8), 70, 71]
    assert both.pairs[-1] == ([7], [71])


def rolled(taught, verify, limit=8, temperature=1.0):
    model, tokenizer = taught
    chance = torch.Generator().manual_seed(0)
    task = tiny_lab.task(verify)
    roller = Roller(model, tokenizer, task, tiny_lab.ITEMS, limit, temperature, chance)
    return roller.roll([4, 2], 16)


def test_answers_are_rewarded_by_the_item_of_their_prompt(taught):
    batch = rolled(taught, lambda item, text: text == "ok" and item == tiny_lab.ITEMS[2])
    _, tokenizer = taught
    said = tokenizer.batch_decode([answer for _, answer in batch.pairs], skip_special_tokens=True)
    assert batch.members == [4, 2]
    assert not batch.rewards[0].any()
    assert batch.rewards[1].tolist() == [float(text == "ok") for text in said[16:]]
    assert set(said[16:]) >= {"ok", "no"}
    for row, (prompt, answer) in enumerate(batch.pairs):
        item = tiny_lab.ITEMS[batch.members[row // 16]]
        assert prompt == models.prompt_ids(tokenizer, item.prompt)
        assert batch.lengths[row] == len(answer)


def test_numbers_are_as_wide_as_the_limit(taught):
    batch = rolled(taught, lambda item, text: True, limit=40)
    assert batch.logps.shape == batch.entropies.shape == (32, 40)


def test_what_was_cut_off_is_wrong_whatever_it_says(taught):
    assert not rolled(taught, lambda item, text: True, limit=1).rewards.any()
    assert rolled(taught, lambda item, text: True, temperature=0).rewards.all()
