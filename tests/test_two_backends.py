"""One model in float32 under both engines: the same answers, and the same entropies.

A GGUF that is quantised is no such model: llama.cpp multiplies its small integers, while
transformers first turns them into floats, and the two differ in the second or third digit. What
is left in float32 is llama.cpp's cache of keys and values, which is in half precision.
"""

from contextlib import closing

import pytest

from wellworn.backends import Request, Target, open_backend
from wellworn.detectors.entropies import curve_of
from wellworn.records import Generation, Prompt

pytest.importorskip("torch")
pytest.importorskip("gguf")
pytest.importorskip("xllamacpp", reason="`make test` installs it")

PROMPTS = [Prompt(text=text) for text in ("Once upon a time", "2 + 2 =", "Why")]


@pytest.fixture(scope="module")
def folder(tiny_llama, tmp_path_factory):
    """Return a checkpoint that writes letters: llama.cpp reports no half of a character.

    Its first dimension is a constant, by which all other tokens are ruled out.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(tiny_llama)
    tokenizer = AutoTokenizer.from_pretrained(tiny_llama)
    letters = [tokenizer.convert_tokens_to_ids(chr(code)) for code in range(33, 127)]
    with torch.no_grad():
        model.model.embed_tokens.weight[:, 0] = 1
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight[0] = 0
            layer.mlp.down_proj.weight[0] = 0
        model.lm_head.weight[:, 0] = -100
        model.lm_head.weight[letters, 0] = 0
    path = tmp_path_factory.mktemp("letters") / "tiny"
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def exported(folder, tmp_path_factory):
    from wellworn.lab.export import export_gguf

    return export_gguf(folder, tmp_path_factory.mktemp("gguf") / "tiny.gguf")


def greedy(model, **options):
    """Return the greedy answer to each prompt."""
    with closing(open_backend(Target(model=model, **options))) as backend:
        setting = Generation(model=backend.identity, max_tokens=24).greedy
        return [
            backend.complete([Request(prompt=prompt, generation=setting, index=0, seed=0)])[0]
            for prompt in PROMPTS
        ]


def test_answers_and_entropies_agree(folder, exported):
    local = greedy(f"hf/{folder}", device="cpu")
    served = greedy(f"gguf/{exported}", concurrency=1, context=128)
    for ours, theirs in zip(local, served, strict=True):
        assert len(ours.token_ids) > 2
        assert theirs.token_ids[: len(ours.token_ids)] == ours.token_ids
        for mode in ("raw", "rest", "renormalised"):
            here, there = (curve_of(each.signals, mode, 20).values for each in (ours, theirs))
            assert there[: len(here)] == pytest.approx(here, abs=0.02)
        chosen = theirs.signals.logprobs[: len(ours.signals.logprobs)]
        assert chosen == pytest.approx(ours.signals.logprobs, abs=0.02)
