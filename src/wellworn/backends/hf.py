"""A transformers model in this process: a name on the Hub, a checkpoint, or a GGUF file.

A sample depends on its request's seed, not on the batch that it happens to be in
(`wellworn.backends.gumbel`). What is left of the batch is rounding: a float32 logit may
differ in its seventh digit, which almost never changes a token; a bfloat16 one in its
third, which may. A CPU and a GPU draw different numbers from one seed.

Only temperature and top_p shape samples. The model's generation_config.json is read for
the tokens that end an answer, and for nothing else. The token that ended an answer is
neither in `token_ids` nor in the signals, so both are equally long.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wellworn.backends import Capability, Request, Target
from wellworn.backends.gumbel import Chooser
from wellworn.backends.signals import read
from wellworn.backends.tokens import Tokens, all_fitting, first_line
from wellworn.backends.weights import fingerprint
from wellworn.errors import BackendError, Refused
from wellworn.records import Completion, Generation, Prompt, Signals, chat


def load(target: Target) -> Transformers:
    """Return the model that `target.model` names, as hf/NAME, hf/FOLDER or hf/FILE.gguf.

    It computes in float32 on a CPU, in the checkpoint's own type elsewhere. Code that a
    checkpoint brings along is not run.

    Raises:
        BackendError: torch or transformers is missing, or the model cannot be loaded.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise BackendError(
            f"{target.model}: a model in this process needs torch and transformers ({error}).\n"
            f"Install them with `pip install '.[hf]'`."
        ) from None
    transformers.utils.logging.disable_progress_bar()
    path = Path(target.model.partition("/")[2]).expanduser()
    gguf = path.name if path.suffix == ".gguf" else None
    options = {"gguf_file": gguf, "trust_remote_code": False}
    source = str(path.parent if gguf else path)
    try:
        automatic = "cuda" if torch.cuda.is_available() else "cpu"
        device = torch.device(automatic if target.device == "auto" else target.device)
        dtype = torch.float32 if device.type == "cpu" else "auto"
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **options)
        loader = transformers.AutoModelForCausalLM
        model = loader.from_pretrained(source, dtype=dtype, **options).to(device)
    except Exception as error:  # every format and every model class raises kinds of its own
        here = "" if path.exists() else f" No file or folder {path} is here."
        raise BackendError(
            f"{target.model}: the model cannot be loaded on device '{target.device}': "
            f"{first_line(error)}\n"
            f"Give a name on the Hub, a folder with config.json and weights, or a GGUF file.{here}"
        ) from error
    return Transformers(model, tokenizer, _identity(path, source, gguf), target.choices)


class Transformers:
    """A loaded model with its tokenizer. For one thread."""

    concurrency = 1
    mixes_prompts = True

    def __init__(self, model: Any, tokenizer: Any, identity: str, choices: int) -> None:
        self.identity = identity
        self.batch = max(1, choices * 2)
        self.address = ""
        self.notes: list[str] = []
        self.left_out: list[str] = []
        self._model = model
        self._stops = _stops(model, tokenizer)
        config = model.config.get_text_config()
        self._context: int | None = getattr(config, "max_position_embeddings", None)
        self._vocabulary: int = config.vocab_size
        self._tokens = Tokens(tokenizer, identity, self._context)
        # generate() fills what its caller leaves open from here, penalties included
        model.generation_config = type(model.generation_config)()

    def check(self, *, raw: bool = False) -> list[Capability]:
        """Draw three tiny answers, together and apart, and say what the model gives.

        Raises:
            BackendError: The model does not generate.
        """
        template = self._tokens.template
        prompt = chat("Write one sentence.") if template else Prompt(text="Once upon a time")
        setting = Generation(model=self.identity, temperature=1.0, max_tokens=8, top_logprobs=1)
        asked = [Request(prompt=prompt, generation=setting, index=i, seed=i) for i in range(3)]
        together = [answer.token_ids for answer in self.complete(asked)]
        apart = [answer.token_ids for one in asked for answer in self.complete([one])]
        distinct, repeats = len(set(together)) > 1, together == apart
        return [
            Capability("answers", True, self._dimensions()),
            Capability("n", True, f"several completions of one prompt, {self.batch} a call"),
            Capability("distinct samples", distinct or None, "" if distinct else "all 3 are equal"),
            Capability("log-probabilities", True, "of the chosen token"),
            Capability("top log-probabilities", True, ""),
            Capability("whole distributions", True, "sums over the full vocabulary"),
            Capability("prompt log-probabilities", True, ""),
            Capability("reasoning", True if "think" in template else None, "by think tags"),
            Capability("seeds", repeats, "" if repeats else "rounding: the batch changes tokens"),
            Capability("token ids", True, ""),
            Capability("chat template", bool(template), "" if template else "raw text only"),
        ]

    def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Return one completion for each request, in order.

        A temperature or top_p of None is 1. Of `extra`, chat_template_kwargs alone is read.

        Raises:
            Refused: A chat template is missing or refuses a prompt, a prompt does not fit
                into the context, or the parameters cannot be followed.
            BackendError: The memory ran out, or the logits are NaN.
        """
        generation = requests[0].generation
        limit = self._limit(generation)
        texts = [self._tokens.rendered(request) for request in requests]
        if requests[0].reads is not None:
            return self._read(requests, texts)
        prompts = all_fitting(partial(self._tokens.encoded, limit), texts, requests)
        chooser = Chooser(generation, [request.seed for request in requests], self._model.device)
        rows = self._generate(prompts, limit, chooser)
        signals = chooser.signals([self._length(row) for row in rows])
        answers = zip(requests, texts, rows, signals, strict=True)
        return [self._completion(*answer) for answer in answers]

    def _read(self, requests: Sequence[Request], texts: Sequence[str]) -> list[Completion]:
        rows = all_fitting(self._tokens.read, texts, requests)
        found = read(self._model, rows, requests[0].generation.top_logprobs)
        return [
            Completion(
                text=request.reads or "",
                token_ids=tuple(ids[start:]),
                signals=signals,
                seed=request.seed,
                index=request.index,
                generation=request.generation,
            )
            for request, (ids, start), signals in zip(requests, rows, found, strict=True)
        ]

    def close(self) -> None:
        """Free the model."""
        import torch

        self._model = None
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _dimensions(self) -> str:
        where = f"{self._model.dtype} on {self._model.device}".removeprefix("torch.")
        return f"{where}, context {self._context}, vocabulary {self._vocabulary}"

    def _limit(self, generation: Generation) -> int:
        """Return how many tokens an answer may have."""
        foreign = sorted(generation.extra.keys() - {"chat_template_kwargs"})
        if foreign:
            raise Refused(
                f"{self.identity}: a model in this process does not know {', '.join(foreign)}.\n"
                f"Leave it out of the extra body; only chat_template_kwargs is read there."
            )
        if generation.max_tokens is None:
            raise Refused(f"{self.identity}: max_tokens is not given.\nGive --max-tokens.")
        return generation.max_tokens

    def _generate(
        self, prompts: Sequence[list[int]], limit: int, chooser: Chooser
    ) -> list[list[int]]:
        """Return each prompt's new tokens, and what fills its row up after their end."""
        import torch
        from transformers import GenerationConfig, LogitsProcessorList

        width = max(map(len, prompts))
        padding = self._tokens.padding
        ids = [[padding] * (width - len(row)) + row for row in prompts]
        mask = [[0] * (width - len(row)) + [1] * len(row) for row in prompts]
        device = self._model.device
        config = GenerationConfig(
            do_sample=False,
            max_new_tokens=limit,
            eos_token_id=sorted(self._stops) or None,
            pad_token_id=padding,
        )
        try:
            with torch.inference_mode():
                tokens = self._model.generate(
                    inputs=torch.tensor(ids, device=device),
                    attention_mask=torch.tensor(mask, device=device),
                    generation_config=config,
                    logits_processor=LogitsProcessorList([chooser]),
                )
        except torch.cuda.OutOfMemoryError:
            raise BackendError(
                f"{self.identity}: {len(ids)} rows of {width} + {limit} tokens do not fit into "
                f"the GPU's memory.\nLower --choices (two rows each) or --max-tokens."
            ) from None
        rows: list[list[int]] = tokens[:, width:].tolist()
        return rows

    def _length(self, row: Sequence[int]) -> int:
        """Return how many tokens come before the one that ends the answer."""
        return next((i for i, token in enumerate(row) if token in self._stops), len(row))

    def _completion(
        self, request: Request, prompt: str, row: Sequence[int], signals: Signals | None
    ) -> Completion:
        length = self._length(row)
        reasoning, text = self._tokens.answer(prompt, row[:length])
        return Completion(
            text=text,
            reasoning=reasoning,
            finish_reason="stop" if length < len(row) else "length",
            token_ids=tuple(row[:length]),
            signals=signals,
            seed=request.seed,
            index=request.index,
            generation=request.generation,
        )


def _stops(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return every token that ends an answer, by the model or by its tokenizer."""
    found: set[int] = set()
    for holder in (model.generation_config, model.config, tokenizer):
        ids = getattr(holder, "eos_token_id", None)
        found.update([ids] if isinstance(ids, int) else ids or [])
    return frozenset(found)


def _identity(path: Path, source: str, gguf: str | None) -> str:
    """Return the model's name with what tells its weights from others of that name."""
    if path.exists():
        return f"hf/{path.resolve().name}@{fingerprint(path)}"
    from huggingface_hub import try_to_load_from_cache

    cached = try_to_load_from_cache(source, gguf or "config.json")
    commit = f"@{Path(cached).parent.name[:12]}" if isinstance(cached, str) else ""
    return f"hf/{path}{commit}"
