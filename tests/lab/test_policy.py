"""What the model says of completions, read in chunks, against each read by itself."""

import pytest

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.lab import policy  # noqa: E402
from wellworn.lab.policy import chunks, encoded, read  # noqa: E402

PAIRS = tiny_lab.random_pairs(13)


def test_a_pair_is_the_prompt_of_a_chat_and_a_whole_completion(untaught):
    _, tokenizer = untaught
    prompt, answer = encoded(tokenizer, "1 4 -> 5", "ok")
    assert tokenizer.decode(prompt) == "<s>1 4 -> 5\n"
    assert tokenizer.decode(answer) == "ok</s>"


def test_chunks_hold_every_row_once_by_length(monkeypatch):
    monkeypatch.setattr(policy, "CHUNK", 5)
    rows = [row for row in range(13) if row != 4]
    found = list(chunks(PAIRS, rows))
    assert [len(chunk) for chunk in found] == [5, 5, 2]
    assert sorted(row for chunk in found for row in chunk) == rows
    lengths = [sum(map(len, PAIRS[row])) for chunk in found for row in chunk]
    assert lengths == sorted(lengths)


def test_rows_read_together_are_as_if_read_alone(untaught):
    model, _ = untaught
    said = read(model.eval(), PAIRS, [7, 2, 11])
    with torch.no_grad():
        for row in (7, 2, 11):
            prompt, answer = PAIRS[row]
            mine = said.rows == row
            assert said.places[mine].tolist() == list(range(len(answer)))
            logps = tiny_lab.direct_logps(model, PAIRS[row])
            assert torch.allclose(said.logps[mine], logps, atol=1e-5)
            states = model.model(torch.tensor([prompt + answer])).last_hidden_state
            before = states[0, len(prompt) - 1 : -1]
            assert torch.allclose(said.hidden[mine], before, atol=1e-5)
    assert len(said.logps) == sum(len(PAIRS[row][1]) for row in (7, 2, 11))
