"""A tiny Llama with random weights and a tokenizer of bytes, saved as an ordinary checkpoint."""

import tokenizers
import torch
import transformers

SPECIAL = ["<s>", "<|end|>", "<|stop|>", "<pad>", "<think>", "</think>"]
CONTEXT = 128
TEMPLATE = (
    "<s>{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('no tools here') }}"
    "{% endif %}{{ m.role + ': ' + m.content + '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
    "{% if enable_thinking %}<think>\n{% endif %}"
)


def save(folder):
    """Write a model whose own generation_config.json asks for odd sampling to a folder."""
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=270,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=CONTEXT,
        initializer_range=0.3,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=3,
    )
    model = transformers.LlamaForCausalLM(config)
    model.generation_config = transformers.GenerationConfig(
        eos_token_id=[1, 2], do_sample=True, top_k=1, repetition_penalty=9.0, min_new_tokens=40
    )
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)


def tokenizer():
    """Return a tokenizer that spells every text byte by byte."""
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: i for i, token in enumerate([*SPECIAL, *letters])}
    spelling = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    spelling.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    spelling.decoder = tokenizers.decoders.ByteLevel()
    spelling.add_special_tokens(SPECIAL)
    spelling.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 0)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=spelling, bos_token="<s>", eos_token="<|end|>", pad_token="<pad>"
    )
    fast.chat_template = TEMPLATE
    return fast
