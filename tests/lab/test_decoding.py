"""Our decoder against transformers: the same tokens, the same probabilities."""

from collections import Counter

import pytest
from scipy.stats import chisquare

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

from wellworn.lab import decoding  # noqa: E402
from wellworn.lab.decoding import generate  # noqa: E402

PROMPTS = [[0, 40], [0, 50, 51, 52, 53], [0, 60, 61, 62, 63, 64, 65, 66, 67]]
LIMIT = 24


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def by_transformers(model, prompts, end):
    """Return what `generate` of transformers finds most likely, prompts filled up on the left."""
    width = max(map(len, prompts))
    ids = torch.tensor([[2] * (width - len(p)) + p for p in prompts])
    seen = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
    drawn = model.generate(
        input_ids=ids,
        attention_mask=seen,
        do_sample=False,
        max_new_tokens=LIMIT,
        eos_token_id=end,
        pad_token_id=2,
    )
    return [row[: row.index(end) + 1] if end in row else row for row in drawn[:, width:].tolist()]


@pytest.fixture
def model(untaught):
    """Return a model one of whose rows ends early, as we call its eighth token the end."""
    model, _ = untaught
    model.eval()
    first = generate(model, PROMPTS, 1, LIMIT, seeded(), temperature=0)
    model.config.eos_token_id = int(first.tokens[1, 7])
    return model


def answers(rollout):
    rows = zip(rollout.tokens.tolist(), rollout.lengths.tolist(), strict=True)
    return [row[:length] for row, length in rows]


def test_the_most_likely_tokens_are_those_of_transformers(model):
    found = generate(model, PROMPTS, 1, LIMIT, seeded(), temperature=0)
    assert answers(found) == by_transformers(model, PROMPTS, model.config.eos_token_id)
    assert found.ended.tolist() == [row[-1] == model.config.eos_token_id for row in answers(found)]
    assert set(found.ended.tolist()) == {True, False}


@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_probabilities_and_entropies_are_those_of_a_whole_reading(model, temperature):
    found = generate(model, PROMPTS, 3, LIMIT, seeded(), temperature)
    for row, answer in enumerate(answers(found)):
        prompt = PROMPTS[row // 3]
        with torch.no_grad():
            known = model(torch.tensor([prompt + answer])).logits[0, len(prompt) - 1 : -1]
        known = torch.log_softmax(known, -1)
        logps = known[torch.arange(len(answer)), torch.tensor(answer)]
        entropies = torch.distributions.Categorical(logits=known).entropy()
        assert torch.allclose(found.logps[row, : len(answer)], logps, atol=1e-4)
        assert torch.allclose(found.entropies[row, : len(answer)], entropies, atol=1e-4)


def test_nothing_is_written_after_the_end(model):
    found = generate(model, PROMPTS, 8, LIMIT, seeded(1))
    after = found.mask == 0
    assert after.any()
    assert (found.tokens[after] == model.config.pad_token_id).all()
    assert not found.logps[after].any()
    assert not found.entropies[after].any()
    assert found.mask.sum(1).tolist() == found.lengths.tolist()
    assert (found.logps[~after] < 0).all()


@pytest.mark.parametrize("sparse", [0.0, 1.0])
def test_rows_that_leave_the_batch_change_nothing(model, monkeypatch, sparse):
    before = generate(model, PROMPTS, 8, LIMIT, seeded(1))
    monkeypatch.setattr(decoding, "SPARSE", sparse)
    after = generate(model, PROMPTS, 8, LIMIT, seeded(1))
    assert torch.equal(before.tokens, after.tokens)
    assert torch.allclose(before.logps, after.logps, atol=1e-5)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_tokens_come_as_often_as_their_probability_says(model, temperature):
    count = 20_000
    drawn = Counter(
        generate(model, PROMPTS[:1], count, 1, seeded(), temperature).tokens[:, 0].tolist()
    )
    with torch.no_grad():
        logits = model(torch.tensor(PROMPTS[:1])).logits[0, -1].double()
    expected = {
        heat: (torch.softmax(logits / heat, -1) * count).tolist() for heat in (temperature, 0.8)
    }
    assert likelihood(drawn, expected[temperature]) > 1e-3
    assert likelihood(drawn, expected[0.8]) < 1e-6


def likelihood(drawn, expected):
    """Return the p-value of counts; those that are hardly expected are one class."""
    common = [token for token, number in enumerate(expected) if number >= 5]
    rest = sum(expected) - sum(expected[token] for token in common)
    observed = [drawn[token] for token in common]
    return chisquare(
        [*observed, sum(drawn.values()) - sum(observed)],
        [*(expected[token] for token in common), rest],
    ).pvalue


def test_a_seed_repeats_and_another_does_not(model):
    first, again, other = (
        generate(model, PROMPTS, 4, LIMIT, seeded(seed)).tokens.tolist() for seed in (0, 0, 1)
    )
    assert first == again != other


def test_the_limit_counts_the_token_that_ends(model):
    needed = int(generate(model, PROMPTS, 1, LIMIT, seeded(), temperature=0).lengths[1])
    for limit, ended in ((needed, True), (needed - 1, False)):
        found = generate(model, PROMPTS, 1, limit, seeded(), temperature=0)
        assert found.lengths[1] == limit
        assert found.ended[1] == ended
