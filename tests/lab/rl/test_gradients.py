"""Our gradients against those of one direct formula, without chunks, padding or rows left out."""

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.lab import policy  # noqa: E402
from wellworn.lab.rl import gradients  # noqa: E402
from wellworn.lab.rl.algorithms import ALGORITHMS  # noqa: E402
from wellworn.lab.rl.gradients import (  # noqa: E402
    Learner,
    imitation,
    lesson,
    preference,
    ranked,
    signal,
    surrogate,
)
from wellworn.lab.rl.rollouts import Batch  # noqa: E402

LIMIT = 8
REWARDS = torch.tensor([[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
ROWS = list(range(REWARDS.numel()))
GROUPED = ["grpo", "grpo-unscaled", "grpo-kl", "dapo"]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(policy, "CHUNK", 5)
    monkeypatch.setattr(gradients, "CHUNK", 4)


def made(name):
    """Return a learner and a batch that was drawn by a model a little unlike it."""
    model, _ = tiny_lab.random_model(0)
    reference, _ = tiny_lab.random_model(1)
    head = torch.nn.Linear(16, 1) if ALGORITHMS[name].critic else None
    pairs = tiny_lab.random_pairs(len(ROWS))
    lengths = torch.tensor([len(answer) for _, answer in pairs])
    logps = torch.zeros(len(ROWS), LIMIT)
    noise = torch.randn(logps.shape, generator=torch.Generator().manual_seed(2)) * 0.3
    with torch.no_grad():
        for row, pair in enumerate(pairs):
            logps[row, : lengths[row]] = tiny_lab.direct_logps(model, pair)
            logps[row, : lengths[row]] += noise[row, : lengths[row]]
    batch = Batch([0, 1, 2], REWARDS, pairs, logps, torch.zeros_like(logps), lengths)
    return Learner(ALGORITHMS[name], model.eval(), reference.eval(), head, LIMIT), batch


def gradient(learner, losses):
    """Return the gradient of the sum of losses, of all parameters in one row."""
    modules = [learner.model, *([learner.head] if learner.head else [])]
    parameters = [p for module in modules for p in module.parameters()]
    found = torch.autograd.grad(sum(losses), parameters, allow_unused=True)
    flat = [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, found, strict=True)]
    return torch.cat([part.flatten() for part in flat])


def mean(losses, batch, rows, algorithm):
    """Return the mean of the losses of tokens, by the definitions of the papers."""
    if algorithm.mean == "sequence":
        return sum(losses[row].mean() for row in rows) / len(rows)
    total = sum(losses[row].sum() for row in rows)
    tokens = sum(len(batch.pairs[row][1]) for row in rows)
    return total / (tokens if algorithm.mean == "token" else len(rows) * LIMIT)


def direct(learner, batch, advantages, rows, extra=lambda row, logps: 0.0):
    """Return the clipped loss of the rows, each read by itself."""
    algorithm, losses = learner.algorithm, {}
    for row in rows:
        logps = tiny_lab.direct_logps(learner.model, batch.pairs[row])
        length = len(logps)
        ratio = torch.exp(logps - batch.logps[row, :length])
        kept = torch.clamp(ratio, 1 - algorithm.low, 1 + algorithm.high)
        worth = advantages[row, :length]
        losses[row] = -torch.minimum(ratio * worth, kept * worth) + extra(row, logps)
    return mean(losses, batch, rows, algorithm)


def divergence_of(learner, batch):
    def extra(row, logps):
        if not learner.algorithm.kl:
            return 0.0
        with torch.no_grad():
            base = tiny_lab.direct_logps(learner.reference, batch.pairs[row])
        return learner.algorithm.kl * (torch.exp(base - logps) - (base - logps) - 1)

    return extra


@pytest.mark.parametrize("rows", [ROWS, ROWS[1::2]], ids=["all", "a minibatch"])
@pytest.mark.parametrize("name", GROUPED)
def test_the_gradient_of_a_group_algorithm_is_that_of_the_formula(name, rows):
    learner, batch = made(name)
    taught = signal(learner, batch)
    rewards = REWARDS.clone()
    if name == "dapo":  # the last two of eight tokens are punished
        lengths = batch.lengths.view(rewards.shape)
        rewards -= torch.clamp((lengths - 6) / 2, 0, 1)
    worth = rewards - rewards.mean(1, keepdim=True)
    if learner.algorithm.scaled:
        worth = worth / (rewards.std(1, keepdim=True) + 1e-4)
    worth = worth.reshape(-1, 1).expand(-1, LIMIT)
    wanted = gradient(learner, [direct(learner, batch, worth, rows, divergence_of(learner, batch))])
    found = gradient(learner, surrogate(learner, batch, taught, rows))
    assert wanted.abs().max() > 1e-3
    assert torch.allclose(found, wanted, atol=1e-6, rtol=1e-4)


def test_the_gradient_of_ppo_is_that_of_the_formula():
    learner, batch = made("ppo")
    values = []
    with torch.no_grad():
        for prompt, answer in batch.pairs:
            state = learner.model.model(torch.tensor([prompt + answer])).last_hidden_state
            values.append(learner.head(state[0, len(prompt) - 1 : -1])[:, 0])
    rewards = REWARDS.flatten()
    raw = [reward - value for reward, value in zip(rewards, values, strict=True)]  # lambda is 1
    every = torch.cat(raw)
    worth = torch.zeros(len(ROWS), LIMIT)
    for row, part in enumerate(raw):
        worth[row, : len(part)] = (part - every.mean()) / (every.std(correction=0) + 1e-4)

    def critic(row, _):
        prompt, answer = batch.pairs[row]
        state = learner.model.model(torch.tensor([prompt + answer])).last_hidden_state
        return (
            0.5 * (learner.head(state[0, len(prompt) - 1 : -1].detach())[:, 0] - rewards[row]) ** 2
        )

    wanted = gradient(learner, [direct(learner, batch, worth, ROWS, critic)])
    found = gradient(learner, surrogate(learner, batch, signal(learner, batch), ROWS))
    assert torch.allclose(found, wanted, atol=1e-6, rtol=1e-4)


def test_equal_rewards_leave_ppo_the_errors_of_its_critic_and_no_more():
    # divided by their spread, errors of a good critic would push as hard as a reward does
    learner, batch = made("ppo")
    equal = batch._replace(rewards=torch.ones_like(REWARDS))
    with torch.no_grad():
        learner.head.weight.mul_(1e-3)
        learner.head.bias.fill_(1.0)
    assert signal(learner, equal).advantages.abs().max() < 0.02


@pytest.mark.parametrize("name", [name for name in GROUPED if ALGORITHMS[name].grouped])
def test_completions_of_a_group_of_equals_are_not_even_read(name):
    learner, batch = made(name)
    batch = batch._replace(lengths=batch.lengths.clamp(max=4))  # too short to be punished
    taught = signal(learner, batch)
    assert list(surrogate(learner, batch, taught, [4, 5, 6, 7])) == []
    assert list(surrogate(learner, batch, taught, [3, 4, 5, 6, 7]))


def test_with_a_divergence_term_they_are():
    learner, batch = made("grpo-kl")
    found = gradient(learner, surrogate(learner, batch, signal(learner, batch), [4, 5, 6, 7]))
    assert found.abs().max() > 1e-5


def test_right_and_wrong_completions_of_a_prompt_are_paired_once():
    rewards = torch.tensor([[1.0, 0.0, 0.0, 1.0], [0.0] * 4, [1.0, 1.0, 1.0, 0.0]])
    batch = SimpleNamespace(rewards=rewards)
    assert ranked(batch) == [(0, 1), (3, 2), (8, 11)]


def test_the_gradient_of_dpo_is_that_of_the_formula():
    learner, batch = made("dpo")
    pairs = [(0, 1), (3, 2), (8, 11)]

    def margin(row):
        with torch.no_grad():
            base = tiny_lab.direct_logps(learner.reference, batch.pairs[row]).sum()
        return tiny_lab.direct_logps(learner.model, batch.pairs[row]).sum() - base

    losses = [
        torch.log(1 + torch.exp(-0.1 * (margin(right) - margin(wrong)))) for right, wrong in pairs
    ]
    wanted = gradient(learner, [sum(losses) / 3])
    found = gradient(learner, preference(learner, batch, pairs))
    assert torch.allclose(found, wanted, atol=1e-6, rtol=1e-4)


def test_imitation_is_the_mean_cross_entropy_of_right_completions():
    learner, batch = made("distill")
    taught = lesson(learner, batch)
    right = [0, 3, 8, 9, 10]
    assert (taught.units, taught.moving) == (right, [0, 2])
    logps = torch.cat([tiny_lab.direct_logps(learner.model, batch.pairs[row]) for row in right])
    found = gradient(learner, imitation(learner, batch, right))
    assert torch.allclose(found, gradient(learner, [-logps.mean()]), atol=1e-6, rtol=1e-4)


def test_what_moves_is_told_of_every_group():
    assert lesson(*made("grpo")).moving == [0, 2]
    assert lesson(*made("dpo")).moving == [0, 2]
    assert lesson(*made("ppo")).moving == [0, 1, 2]
