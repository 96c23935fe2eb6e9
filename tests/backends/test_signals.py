"""Signals of a local model: the sums by definition, and texts that are read and not written."""

import numpy as np
import pytest
from scipy.special import log_softmax

from wellworn.backends import Request, Target, open_backend
from wellworn.backends.signals import Watch, moments, read
from wellworn.errors import Refused, TooLong
from wellworn.records import Generation, Prompt, chat

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tiny_llama = pytest.importorskip("tiny_llama")


def test_moments_are_those_of_the_definition():
    logits = np.random.default_rng(0).normal(size=(3, 400)) * 3
    chosen = torch.tensor([0, 7, 399])
    logp = log_softmax(logits, axis=-1)
    p = np.exp(logp)
    expected = [logp[range(3), chosen], -(p * logp).sum(-1), (p * logp**2).sum(-1)]
    found = moments(torch.tensor(logits, dtype=torch.float32).log_softmax(-1), chosen)
    assert found.numpy() == pytest.approx(np.array(expected), abs=1e-5)


def test_impossible_tokens_contribute_nothing():
    logits = torch.tensor([[0.0, 0.0, float("-inf"), -300.0]])
    ln2 = np.log(2)
    found = moments(logits.log_softmax(-1), torch.tensor([0]))[:, 0].tolist()
    assert found == pytest.approx([-ln2, ln2, ln2**2])


def test_the_largest_are_kept_in_order_and_no_more_than_there_are():
    logits = torch.tensor([[0.0, 2.0, 1.0]])
    expected = log_softmax([2.0, 1.0, 0.0])
    for tops, kept in ((2, 2), (20, 3), (0, 0)):
        watch = Watch(tops)
        watch.see(logits, torch.tensor([1]))
        [signals] = watch.signals([(0, 1)])
        assert len(signals.tops) == (1 if kept else 0)
        assert [*signals.tops[:1]] == [pytest.approx(expected[:kept])] * len(signals.tops)
        assert signals.logprobs == pytest.approx(expected[:1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tiny")
    tiny_llama.save(path)
    return path


@pytest.fixture(scope="module")
def model(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder)


@pytest.fixture(scope="module")
def backend(folder):
    return open_backend(Target(model=f"hf/{folder}", device="cpu"))


def whole(model, ids):
    """Return the log-probabilities of all steps, as one pass over the whole row gives them."""
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0].log_softmax(-1).numpy()


@pytest.mark.parametrize("most", [1, 2_000, 2**24])
def test_reading_in_pieces_is_reading_at_once(model, most, monkeypatch):
    monkeypatch.setattr("wellworn.backends.signals._MOST", most)
    rows = [([5, 9, 20, 31, 7, 100], 2), ([8, 8, 200], 1)]
    for (ids, start), signals in zip(rows, read(model, rows, tops=4), strict=True):
        steps = whole(model, ids)[start - 1 : -1]
        assert signals.logprobs == pytest.approx(
            [step[token] for step, token in zip(steps, ids[start:], strict=True)], abs=1e-4
        )
        assert signals.entropy == pytest.approx(-(np.exp(steps) * steps).sum(-1), abs=1e-4)
        assert np.array(signals.tops) == pytest.approx(-np.sort(-steps)[:, :4], abs=1e-4)


SETTING = Generation(model="m", max_tokens=8).greedy


def request(prompt, text=None, **fields):
    return Request(prompt=prompt, generation=SETTING, index=0, seed=0, reads=text, **fields)


def test_what_the_model_wrote_reads_as_it_was_written(backend):
    """A greedy answer that is read back has the probabilities that it was written with."""
    asked = [chat("two and two"), Prompt(text="Once upon a time")]
    written = backend.complete([request(prompt) for prompt in asked])
    reading = [request(p, c.text) for p, c in zip(asked, written, strict=True)]
    for wrote, reads in zip(written, backend.complete(reading), strict=True):
        assert reads.text == wrote.text
        if reads.token_ids == wrote.token_ids:  # random weights also write what no text spells
            assert reads.signals.logprobs == pytest.approx(wrote.signals.logprobs, abs=1e-4)
            assert reads.signals.entropy == pytest.approx(wrote.signals.entropy, abs=1e-4)


def test_a_text_alone_is_read_after_the_token_that_begins_all_texts(backend, model):
    [found] = backend.complete([request(Prompt(text=""), "ab")])
    tokenizer = tiny_llama.tokenizer()
    ids = tokenizer("ab")["input_ids"]
    assert found.token_ids == tuple(ids[1:])
    steps = whole(model, ids)
    expected = [steps[i][ids[i + 1]] for i in range(len(ids) - 1)]
    assert found.signals.logprobs == pytest.approx(expected, abs=1e-4)


def test_a_text_after_a_chat_is_read_after_its_template(backend):
    [found] = backend.complete([request(chat("hi"), "ab")])
    assert len(found.token_ids) == len(found.signals.logprobs) == 2


def test_too_long_names_all_that_are(backend):
    long = Prompt(text="x" * tiny_llama.CONTEXT)
    with pytest.raises(TooLong) as caught:
        backend.complete([request(long), request(chat("hi")), request(long)])
    assert caught.value.positions == (0, 2)
    with pytest.raises(TooLong, match="have 130 tokens; the model's context has 128"):
        backend.complete([request(long, "y")])


def test_nothing_to_read_is_refused(backend):
    with pytest.raises(Refused, match="nothing is left to be read"):
        backend.complete([request(Prompt(text="a"), "")])
