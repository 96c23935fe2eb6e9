"""A Llama checkpoint of transformers as a GGUF file, for llama.cpp.

In float32 what `gguf/` serves is the same model to the last bit of its weights, so that the two
backends can be compared, and a model of the lab is served like any user's. In float16 the file
is half as large. Tokenizers are byte-level BPE, as the lab makes them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""What llama.cpp calls the weights of a layer."""
_WHOLE = {"embed_tokens": "token_embd", "norm": "output_norm"}

_NO_MERGE = "Ā ā"
"""llama.cpp asks for a merge. This one, of the bytes 0 and 1, makes no token: no difference."""


def export_gguf(folder: str | Path, path: str | Path, *, half: bool = False) -> Path:
    """Write the checkpoint in `folder` to `path`, and return that.

    Args:
        folder: A checkpoint of transformers.
        path: The file to write.
        half: Keep matrices in float16.

    Raises:
        ValueError: It is no Llama, or its tokenizer is no byte-level BPE.
    """
    import gguf
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    if model.config.model_type != "llama":
        raise ValueError(f"{folder}: a Llama is exported; this is a {model.config.model_type}")
    writer = gguf.GGUFWriter(str(path), "llama")
    _write_sizes(writer, model.config)
    _write_tokenizer(writer, tokenizer, model.config.vocab_size)
    for name, weights in _tensors(model):
        halved = half and weights.ndim > 1
        writer.add_tensor(name, weights.astype(np.float16) if halved else weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return Path(path)


def _write_sizes(writer: Any, config: Any) -> None:
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_vocab_size(config.vocab_size)


def _write_tokenizer(writer: Any, tokenizer: Any, size: int) -> None:
    """Write the tokens in order; what the model has beyond them is never produced as text."""
    told = json.loads(tokenizer.backend_tokenizer.to_str())
    if told["model"]["type"] != "BPE":
        raise ValueError(f"a byte-level BPE is exported; this is {told['model']['type']}")
    special = {token["id"]: token["content"] for token in told["added_tokens"]}
    vocabulary = {place: token for token, place in told["model"]["vocab"].items()} | special
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([vocabulary.get(place, f"[unused {place}]") for place in range(size)])
    kinds = [3 if place in special else 1 if place in vocabulary else 5 for place in range(size)]
    writer.add_token_types(kinds)  # 1 is normal, 3 is control, 5 is unused
    merges = told["model"]["merges"] or [_NO_MERGE]
    writer.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in merges])
    writer.add_bos_token_id(tokenizer.bos_token_id)
    writer.add_eos_token_id(tokenizer.eos_token_id)
    if tokenizer.pad_token_id is not None:
        writer.add_pad_token_id(tokenizer.pad_token_id)
    writer.add_add_bos_token(tokenizer("")["input_ids"][:1] == [tokenizer.bos_token_id])
    if tokenizer.chat_template:
        writer.add_chat_template(tokenizer.chat_template)


def _tensors(model: Any) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the weights under the names of llama.cpp, in its order of rotary dimensions."""
    config = model.config
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    for name, weights in model.state_dict().items():
        values = weights.float().numpy()
        parts = name.removeprefix("model.").removesuffix(".weight").split(".")
        if parts[0] == "layers":
            kind = _LAYER[".".join(parts[2:])]
            kept = _permuted(values, heads[kind]) if kind in heads else values
            yield f"blk.{parts[1]}.{kind}.weight", kept
        elif parts[0] in _WHOLE:
            yield f"{_WHOLE[parts[0]]}.weight", values
        elif not config.tie_word_embeddings:
            yield "output.weight", values


def _permuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """Return rows in pairs, as llama.cpp rotates them; transformers rotates two halves."""
    rows = weights.shape[0] // heads // 2
    shaped = weights.reshape(heads, 2, rows, *weights.shape[1:])
    return np.ascontiguousarray(shaped.swapaxes(1, 2).reshape(weights.shape))
