"""A tiny Llama with random weights, saved as an ordinary tiny_llama, and how it is sampled."""

import gc
import json
import shutil
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

from tiny_llama import CONTEXT, tokenizer
from wellworn.backends import Request, Target, open_backend
from wellworn.backends.tokens import Tokens
from wellworn.errors import BackendError, Refused
from wellworn.records import Generation, Message, Prompt, chat

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

PROMPTS = [
    chat("What is 2 + 2?"),
    chat("Why is the sky blue, and why does it turn red in the evening?", system="Be brief."),
    Prompt(text="Once"),
]


@pytest.fixture(scope="session")
def backend(tiny_llama):
    return opened(tiny_llama)


@pytest.fixture
def copy(tiny_llama, tmp_path):
    return Path(shutil.copytree(tiny_llama, tmp_path / "tiny"))


def opened(path):
    return open_backend(Target(model=f"hf/{path}", device="cpu"))


def generation(**parameters):
    defaults = {"model": "tiny", "temperature": 0.7, "top_p": 0.95, "max_tokens": 24}
    return Generation(**{**defaults, **parameters})


def requests(prompts, seeds, **parameters):
    asked = generation(**parameters)
    pairs = enumerate(zip(prompts, seeds, strict=True))
    return [Request(prompt=p, generation=asked, index=i, seed=s) for i, (p, s) in pairs]


def one(backend, prompt, **parameters):
    return backend.complete(requests([prompt], [0], **parameters))[0]


def tokens(**parameters):
    return Tokens(tokenizer(), "hf/tiny", CONTEXT), requests([chat("Hi")], [0], **parameters)[0]


def forward(tiny_llama, ids):
    """Return the logits after each of `ids`, by a plain pass in doubles."""
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_llama, dtype=torch.float64)
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0]


# what a completion depends on


def test_a_completion_depends_on_its_seed_and_not_on_its_batch(backend):
    asked = requests(PROMPTS * 4, range(12), top_logprobs=20)
    together = backend.complete(asked)
    shuffled = backend.complete(asked[::-1])[::-1]
    alone = [answer for request in asked for answer in backend.complete([request])]
    for found in (shuffled, alone):
        assert [c.token_ids for c in found] == [c.token_ids for c in together]
        assert [c.text for c in found] == [c.text for c in together]
        for ours, first in zip(found, together, strict=True):
            assert ours.signals.entropy == pytest.approx(first.signals.entropy, abs=1e-4)


def test_other_seeds_give_other_answers(backend):
    found = backend.complete(requests([PROMPTS[0]] * 16, range(16)))
    assert len({completion.token_ids for completion in found}) == 16


def test_temperature_zero_is_the_greedy_decoding_of_transformers(backend, tiny_llama):
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_llama, dtype=torch.float32)
    model.generation_config = transformers.GenerationConfig()
    found = backend.complete(requests(PROMPTS, range(3), temperature=0.0))
    for prompt, completion in zip(PROMPTS, found, strict=True):
        ids = torch.tensor([prompt_ids(prompt)])
        output = model.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=24, eos_token_id=[1, 2],
            pad_token_id=3, do_sample=False,
        )  # fmt: skip
        new = [token for token in output[0, ids.shape[1] :].tolist() if token not in (1, 2)]
        assert list(completion.token_ids) == new


def prompt_ids(prompt):
    ours = Tokens(tokenizer(), "hf/tiny", CONTEXT)
    request = requests([prompt], [0])[0]
    return ours.encoded(1, ours.rendered(request), request)


def test_first_tokens_come_as_often_as_their_probability_says(backend, tiny_llama):
    rows = 4096
    asked = requests([PROMPTS[2]] * rows, range(rows), max_tokens=1)
    found = [c for start in range(0, rows, 512) for c in backend.complete(asked[start:][:512])]
    drawn = np.array([c.token_ids[0] if c.token_ids else -1 for c in found])
    scores = forward(tiny_llama, prompt_ids(PROMPTS[2]))[-1:] / 0.7
    scores = transformers.TopPLogitsWarper(0.95)(None, scores)[0]
    expected = scores.softmax(-1).numpy() * rows
    expected[[1, 2]] = 0
    often = np.flatnonzero(expected >= 5)
    counts = np.array([(drawn == token).sum() for token in often])
    assert set(drawn[drawn >= 0]) <= set(np.flatnonzero(expected))
    rest, expected_rest = rows - counts.sum(), rows - expected[often].sum()
    assert len(often) > 20
    test = chisquare([*counts, rest], [*expected[often], expected_rest])
    assert test.pvalue > 0.001


# what a completion holds


def test_signals_are_those_of_a_plain_pass_before_temperature(backend, tiny_llama):
    completion = one(backend, PROMPTS[1], top_logprobs=5)
    ids, new = prompt_ids(PROMPTS[1]), list(completion.token_ids)
    logp = forward(tiny_llama, ids + new)[len(ids) - 1 : -1].log_softmax(-1)
    signals = completion.signals
    chosen = logp[range(len(new)), new].tolist()
    assert signals.top_k is None
    assert signals.logprobs == pytest.approx(chosen, abs=1e-4)
    assert signals.entropy == pytest.approx(-(logp.exp() * logp).sum(-1), abs=1e-4)
    assert signals.second_moment == pytest.approx((logp.exp() * logp**2).sum(-1), abs=1e-4)
    assert signals.mass == (1.0,) * len(new)


def test_an_answer_ends_at_any_end_token_or_at_the_limit(backend):
    found = backend.complete(requests([PROMPTS[0]] * 64, range(64), max_tokens=40, top_logprobs=1))
    stopped = [c for c in found if c.finish_reason == "stop"]
    cut = [c for c in found if c.finish_reason == "length"]
    assert len(stopped) > 1
    assert len(cut) > 1
    assert len(stopped) + len(cut) == 64
    assert all(len(c.token_ids) == 40 for c in cut)
    assert not any({1, 2} & set(c.token_ids) for c in found)
    assert all(len(c.signals.entropy) == len(c.token_ids) for c in found)


def test_a_completion_says_where_it_belongs(backend):
    first, second = backend.complete(requests(PROMPTS[:2], [11, 12]))
    assert (first.index, first.seed, second.index, second.seed) == (0, 11, 1, 12)
    assert first.generation == generation()
    assert first.signals is None


def test_a_chat_is_spelt_by_the_template_and_a_text_as_it_stands():
    ours, request = tokens()
    assert ours.rendered(request) == "<s>user: Hi<|end|>assistant: "
    assert prompt_ids(chat("Hi")).count(0) == 1
    assert prompt_ids(Prompt(text="Once"))[0] == 0
    assert len(prompt_ids(Prompt(text="Once"))) == 5


def test_template_options_come_from_the_extra_body():
    ours, request = tokens(extra={"chat_template_kwargs": {"enable_thinking": True}})
    assert ours.rendered(request).endswith("assistant: <think>\n")


@pytest.mark.parametrize(
    ("prompt", "text", "expected"),
    [
        ("Hi", "<think>2 and 2</think>Four.<pad>", ("2 and 2", "Four.")),
        ("Hi", " Four .", (None, " Four .")),
        ("Hi <think>\n", "2 and 2</think>Four.", ("2 and 2", "Four.")),
        ("Hi <think>\n", "2 and", ("2 and", "")),
    ],
    ids=["special tags", "none", "opened by the template", "cut off while thinking"],
)
def test_think_tags_are_set_apart_and_special_tokens_left_out(prompt, text, expected):
    ours, _ = tokens()
    assert ours.answer(prompt, tokenizer()(text, add_special_tokens=False).input_ids) == expected


# names and abilities


def test_a_batch_is_two_requests_of_choices(backend):
    assert (backend.batch, backend.concurrency, backend.mixes_prompts) == (16, 1, True)


def test_retrained_weights_under_the_same_path_are_another_model(backend, copy):
    assert backend.identity.startswith("hf/tiny@")
    before = opened(copy).identity
    assert before == backend.identity
    file = copy / "model.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert opened(copy).identity != before


def test_another_config_is_another_model(backend, copy):
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "rope_theta": 5e5}))
    assert opened(copy).identity != backend.identity


def test_a_model_of_the_hub_is_named_with_its_commit(tiny_llama, tmp_path, monkeypatch):
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = tmp_path / "models--acme--tiny"
    shutil.copytree(tiny_llama, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("transformers.utils.hub.TRANSFORMERS_CACHE", str(tmp_path), raising=False)
    assert opened("acme/tiny").identity == "hf/acme/tiny@0123456789ab"


def test_check_says_what_the_model_gives(backend):
    found = {capability.name: capability for capability in backend.check()}
    assert found["answers"].detail == "float32 on cpu, context 128, vocabulary 270"
    assert found["n"].detail == "several completions of one prompt, 16 a call"
    assert [name for name, capability in found.items() if not capability.able] == []


def test_check_asks_a_model_without_a_template_with_a_text(copy):
    (copy / "chat_template.jinja").unlink()
    found = {capability.name: capability for capability in opened(copy).check()}
    assert found["chat template"].able is False
    assert found["reasoning"].able is None
    assert found["answers"].able


def test_close_frees_the_model(copy):
    backend = opened(copy)
    model = weakref.ref(backend._model)
    backend.close()
    gc.collect()
    assert model() is None


# errors


def test_missing_packages_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(BackendError, match=r"(?s)^hf/x: .*needs torch.*'\.\[hf\]'"):
        opened("x")


@pytest.mark.parametrize("name", ["nowhere", "nowhere.gguf"])
def test_a_path_where_nothing_is_says_so(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(BackendError) as raised:
        opened(path)
    text = str(raised.value)
    assert text.startswith(f"hf/{path}: the model cannot be loaded on device 'cpu': ")
    assert text.endswith(f"or a GGUF file. No file or folder {path} is here.")
    assert len(text.splitlines()) == 2


def test_a_folder_without_weights_says_what_is_missing(copy):
    (copy / "model.safetensors").unlink()
    with pytest.raises(BackendError, match=r"no file named .*model\.safetensors") as raised:
        opened(copy)
    assert "is here" not in str(raised.value)


def test_an_unknown_device_is_named(tiny_llama):
    with pytest.raises(BackendError, match="on device 'gpu': "):
        open_backend(Target(model=f"hf/{tiny_llama}", device="gpu"))


def test_a_chat_without_a_template_points_to_raw_texts(copy):
    (copy / "chat_template.jinja").unlink()
    backend = opened(copy)
    assert one(backend, Prompt(text="Once")).token_ids
    with pytest.raises(Refused, match=r"(?s)no chat template\.\n.*raw texts"):
        one(backend, PROMPTS[0])


def test_a_chat_that_the_template_refuses_gives_its_reason(backend):
    prompt = Prompt(messages=(Message("tool", "4"),), source="a.jsonl:3")
    with pytest.raises(Refused, match=r"a\.jsonl:3: .*refuses it: no tools here\nChange"):
        one(backend, prompt)


def test_a_prompt_that_is_too_long_names_both_numbers(backend):
    with pytest.raises(Refused) as raised:
        one(backend, Prompt(text="x" * 120, source="a.txt:1"))
    assert str(raised.value) == (
        f"{backend.identity}: a.txt:1 has 121 tokens; the model's context of 128 has room "
        "for 104 before 24 new ones.\nLower --max-tokens, or leave the prompt out."
    )
    assert one(backend, Prompt(text="x" * 103)).finish_reason


def test_half_a_character_is_named_with_its_place(backend):
    with pytest.raises(Refused, match=r"character 3 is half of one \('\\ud83d'\)"):
        one(backend, Prompt(text="ab\ud83d"))


def test_an_empty_text_is_refused_where_no_token_starts_it(copy):
    file = copy / "tokenizer.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "post_processor": None}))
    with pytest.raises(Refused, match="is empty, and nothing can be continued"):
        one(opened(copy), Prompt(text=""))


def test_parameters_that_cannot_be_followed_are_refused(backend):
    with pytest.raises(Refused, match=r"does not know min_p, top_k\.\nLeave it out"):
        one(backend, PROMPTS[0], extra={"top_k": 5, "min_p": 0.1})
    with pytest.raises(Refused, match=r"max_tokens is not given\.\nGive --max-tokens"):
        one(backend, PROMPTS[0], max_tokens=None)


def test_a_full_memory_says_what_to_lower(copy, monkeypatch):
    backend = opened(copy)

    def full(**_):
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(backend._model, "generate", full)
    with pytest.raises(BackendError, match=r"1 rows of \d+ \+ 24 tokens do not fit .*\nLower"):
        one(backend, PROMPTS[0])
