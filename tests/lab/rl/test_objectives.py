"""Every objective against values worked out by hand."""

from math import exp, log, sqrt

import pytest

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

from wellworn.lab.rl.objectives import (  # noqa: E402
    clipped,
    divergence,
    dpo_loss,
    gae,
    group_advantages,
    overlong_penalty,
    token_weights,
    whitened,
)


def tensor(*values):
    return torch.tensor(values, dtype=torch.float64)


def test_grpo_measures_against_the_group_by_its_standard_deviation():
    # mean 1/4; squares 9/16 and three of 1/16 over n - 1 = 3: the deviation is 1/2
    found = group_advantages(tensor([1, 0, 0, 0])).tolist()[0]
    assert found == pytest.approx([0.75 / 0.5001, *[-0.25 / 0.5001] * 3])


def test_dr_grpo_leaves_the_standard_deviation_out():
    assert group_advantages(tensor([1, 0, 0, 0]), scaled=False).tolist() == [[0.75, *[-0.25] * 3]]


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("rewards", [[[1.0]], [[0.1, 0.1, 0.1]], [[0.0, 0.0], [1.0, 1.0]]])
def test_groups_of_equals_and_of_one_teach_exactly_nothing(rewards, scaled):
    assert not group_advantages(torch.tensor(rewards), scaled).any()


def test_groups_know_nothing_of_each_other():
    both = group_advantages(tensor([1, 0], [1, 1]))
    assert torch.equal(both[:1], group_advantages(tensor([1, 0])))
    assert not both[1].any()


REWARDS, VALUES, LENGTHS = tensor(1.0), tensor([0.5, 0.2, 0.6]), torch.tensor([3])


def test_gae_of_an_episode_by_hand():
    # gamma .9, lambda .5: the errors are .9*.2-.5 = -.32, .9*.6-.2 = .34 and 1-.6 = .4;
    # backwards .4, .34+.45*.4 = .52 and -.32+.45*.52 = -.086
    found = gae(REWARDS, VALUES, LENGTHS, gamma=0.9, lam=0.5)
    assert found.tolist()[0] == pytest.approx([-0.086, 0.52, 0.4])


def test_gae_without_lambda_is_the_error_of_one_step():
    assert gae(REWARDS, VALUES, LENGTHS, gamma=0.9, lam=0.0).tolist()[0] == pytest.approx(
        [-0.32, 0.34, 0.4]
    )


def test_gae_with_lambda_one_is_the_return_less_the_value():
    assert gae(REWARDS, VALUES, LENGTHS, gamma=0.9, lam=1.0).tolist()[0] == pytest.approx(
        [0.81 - 0.5, 0.9 - 0.2, 1 - 0.6]
    )


def test_gae_ends_where_each_completion_ends():
    values = tensor([0.5, 0.2, 0.6], [0.5, 0.2, 99.0])
    found = gae(tensor(1, 1), values, torch.tensor([3, 2]), lam=0.5)
    assert found[0].tolist() == pytest.approx(
        gae(tensor(1), values[:1], LENGTHS, lam=0.5)[0].tolist()
    )
    assert found[1].tolist() == pytest.approx([-0.3 + 0.5 * 0.8, 0.8, 0.0])


def test_whitened_advantages():
    assert whitened(tensor(1, 3)).tolist() == pytest.approx([-1 / 1.0001, 1 / 1.0001])


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss"),
    [
        (1.0, 2.0, -2.0),
        (1.25, 1.0, -1.25),  # inside of clip-higher, though above 1.2
        (1.5, 1.0, -1.28),
        (0.5, 1.0, -0.5),  # it fell although it is good: not clipped
        (0.5, -1.0, 0.8),
        (1.5, -1.0, 1.5),  # it rose although it is bad: not clipped
    ],
)
def test_clipping(ratio, advantage, loss):
    found = clipped(tensor(ratio), tensor(advantage), low=0.2, high=0.28)
    assert found.item() == pytest.approx(loss)


def test_a_clipped_ratio_has_no_gradient():
    ratio = tensor(1.25, 1.29, 0.79, 0.81).requires_grad_()
    clipped(ratio, tensor(1, 1, -1, -1), low=0.2, high=0.28).sum().backward()
    assert ratio.grad.tolist() == [-1, 0, 0, 1]


def test_overlong_answers_are_punished_softly():
    lengths = torch.tensor([1, 32, 36, 40, 44])
    assert overlong_penalty(lengths, 40, 8).tolist() == [0, 0, -0.5, -1, -1]


def test_the_divergence_is_that_of_k3():
    # probabilities 1/2 now and 1/4 in the base model: 1/2 + ln 2 - 1
    assert divergence(tensor(log(0.5)), tensor(log(0.25))).item() == pytest.approx(log(2) - 0.5)


def test_the_divergence_is_never_below_zero_and_right_on_average():
    now, base = tensor(0.2, 0.3, 0.5), tensor(0.4, 0.5, 0.1)
    each = divergence(now.log(), base.log())
    assert (each >= 0).all()
    assert divergence(now.log(), now.log()).tolist() == [0, 0, 0]
    exact = (now * (now / base).log()).sum()
    assert (now * each).sum().item() == pytest.approx(exact.item())


LOSSES = tensor([1, 2, 3, 6], [8, 10, 0, 0])
"""Of a completion of four tokens, and of one of two."""


@pytest.mark.parametrize(
    ("mean", "value"),
    [
        ("sequence", (12 / 4 + 18 / 2) / 2),
        ("token", 30 / 6),
        ("length", 30 / (2 * 10)),
    ],
)
def test_token_weights_make_the_mean_that_they_name(mean, value):
    shares = token_weights(torch.tensor([4, 2]), mean, limit=10)
    assert (LOSSES * shares[:, None]).sum().item() == pytest.approx(value)


def test_dpo_of_pairs_by_hand():
    # odds of .5 * (1 - (-1)) = 1 and of .5 * (0 - 2) = -1: -log sigmoid is log(1 + exp(-x))
    found = dpo_loss(tensor(1, 0), tensor(-1, 2), beta=0.5)
    assert found.item() == pytest.approx((log(1 + exp(-1)) + log(1 + exp(1))) / 2)


def test_dpo_of_equals_is_the_logarithm_of_two():
    assert dpo_loss(tensor(0.3), tensor(0.3), beta=0.1).item() == pytest.approx(log(2))


def test_the_scale_of_a_group_is_its_sample_deviation():
    values = [0.0, 1.0, 2.0]
    assert group_advantages(tensor(values))[0, 2].item() == pytest.approx(1 / (sqrt(1.0) + 1e-4))
