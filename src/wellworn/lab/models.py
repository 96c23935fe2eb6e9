"""Small Llamas of transformers, with tokenizers of their own: ordinary checkpoints.

Every backend loads them as it loads any model. Vocabularies are byte-level BPE, learnt from
the texts of a task alone and split as GPT-2 splits, so that a number of a task is one token:
a small model then learns to count within minutes, and llama.cpp reads the same tokens
(`wellworn.lab.export`). A prompt is one turn of a chat; its template adds a line end.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from wellworn.errors import BadInput
from wellworn.lab.ranges import Count

BEGIN, END, PAD = "<s>", "</s>", "<pad>"
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ message.content }}"
    "{% if message.role == 'assistant' %}{{ eos_token }}{% endif %}{{ '\n' }}{% endfor %}"
)
CONTEXT = 4096
"""Tokens that a model can read: other probes quote long instructions, byte by byte."""


class Size(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How large a model is."""

    hidden: Count = 96
    layers: Count = 4
    heads: Count = 4
    vocabulary: int = 384
    """The most tokens; 259 of them are the bytes and what begins, ends and fills a text."""

    def __post_init__(self) -> None:
        if self.hidden % (2 * self.heads):
            raise BadInput(
                f"model: hidden is {self.hidden}, which {self.heads} heads do not share evenly. "
                f"Give a multiple of {2 * self.heads}."
            )
        if self.vocabulary < 259:
            raise BadInput(f"model: vocabulary is {self.vocabulary}; bytes alone need 259.")


def new_tokenizer(texts: Iterable[str], size: int) -> Any:
    """Return a tokenizer of at most `size` tokens, learnt from `texts`."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    spelling = Tokenizer(models.BPE())
    spelling.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    spelling.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        show_progress=False,
        special_tokens=[BEGIN, END, PAD],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )
    spelling.train_from_iterator(texts, trainer)
    spelling.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, 0)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=spelling, bos_token=BEGIN, eos_token=END, pad_token=PAD
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def new_model(size: Size, tokenizer: Any, seed: int) -> Any:
    """Return a Llama with random weights that depend on the seed."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=size.hidden,
        intermediate_size=8 * size.hidden // 3 // 8 * 8,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        initializer_range=size.hidden**-0.5,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def save(folder: Path, model: Any, tokenizer: Any) -> None:
    """Write a checkpoint to a folder, which appears whole or not at all."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    part = folder.with_name(f"{folder.name}.part")
    model.save_pretrained(part)
    tokenizer.save_pretrained(part)
    part.rename(folder)


def load(folder: Path) -> tuple[Any, Any]:
    """Return the model and the tokenizer of a checkpoint.

    Raises:
        BadInput: There is none, or it is no Llama.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    if not (folder / "config.json").exists():
        raise BadInput(f"{folder}: there is no checkpoint (no config.json).")
    model = AutoModelForCausalLM.from_pretrained(folder)
    if model.config.model_type != "llama":
        raise BadInput(
            f"{folder}: the lab trains Llamas; this is a {model.config.model_type}.\n"
            f'Train other models with TRL (`trainer = "trl"`) or `wellworn lab export`.'
        )
    return model, AutoTokenizer.from_pretrained(folder)


def prompt_ids(tokenizer: Any, prompt: str) -> list[int]:
    """Return the tokens of a prompt, as the chat template writes it."""
    return [tokenizer.bos_token_id, *tokenizer.encode(f"{prompt}\n", add_special_tokens=False)]
