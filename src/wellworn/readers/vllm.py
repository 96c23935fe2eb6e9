"""Outputs of vLLM: `RequestOutput` objects, written as JSON or at hand, and rows of Ray Data.

    RequestOutput   prompt, outputs [{index, text, token_ids, logprobs, finish_reason}]
    Ray Data        prompt or messages, generated_text, generated_tokens, logprobs

`LLM.generate` writes no file; `records_of` takes what it returns. Ray's processor keeps the first
of n outputs only, so samples come as rows of equal prompts, and writes the sampling parameters as
Python prints them (`params`). A row with `__inference_error__` has no completion.

Held against the code of Ray 2.60.0, for its rows, and of vLLM, for the fields of its objects.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.completions import made_of
from wellworn.readers.logs import Logged, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in, parameters_of_row
from wellworn.readers.shapes import Part, in_order
from wellworn.readers.signals import steps_of
from wellworn.records import Completion, Generation, Prompt, Record
from wellworn.tables.formats import Row, bad_row
from wellworn.tables.values import describe

_PRINTED = re.compile(r"(\w+)=(-?\d[\d.e-]*)")
_RAY = ("generated_tokens", "num_generated_tokens", "__inference_error__")


def _lacks(file: LogFile) -> str | None:
    fields = file.first.fields if file.first else {}
    outputs = fields.get("outputs")
    if isinstance(outputs, list) and outputs and isinstance(outputs[0], dict):
        return file.row_lacks("outputs", one_of=("request_id", "prompt_token_ids"))
    return file.row_lacks("generated_text", one_of=_RAY)


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, by_row(_logged), "outputs of vLLM")


VLLM = Reader(lacks=_lacks, read=_read)


def records_of(outputs: Iterable[Any], *, model: str) -> list[Record]:
    """Return what `LLM.generate` or `LLM.chat` of vLLM returned as records.

    Args:
        outputs: RequestOutput objects. Those of one prompt come together.
        model: The model that they are of.

    Raises:
        BadInput: One has no text of its prompt.
    """
    generation = Generation(model=model)
    found: dict[str, tuple[Prompt, list[Completion]]] = {}
    for output in outputs:
        if not output.prompt:
            raise BadInput(
                "an output of vLLM has no text of its prompt, as where token ids were given.\n"
                "Give `LLM.generate` texts, or set `prompt` of each output to the decoded text."
            )
        prompt = Prompt(text=output.prompt)
        _, held = found.setdefault(prompt.id, (prompt, []))
        parts = [_part(_fields(each), "vLLM") for each in output.outputs]
        for completion in made_of(parts).completions:
            held.append(replace(completion, index=len(held), generation=generation))
    return [
        Record(prompt=prompt, probes={"sample": tuple(held)}) for prompt, held in found.values()
    ]


def _fields(output: Any) -> dict[str, Any]:
    """Return a CompletionOutput as the JSON that it would be."""
    logprobs = getattr(output, "logprobs", None)
    return {
        "text": output.text,
        "token_ids": list(output.token_ids or []),
        "finish_reason": output.finish_reason,
        "logprobs": logprobs
        and [
            {
                str(token): {
                    "logprob": held.logprob,
                    "rank": getattr(held, "rank", None),
                    "decoded_token": getattr(held, "decoded_token", None),
                }
                for token, held in (step or {}).items()
            }
            for step in logprobs
        ],
    }


def _logged(row: Row) -> Logged:
    fields = row.fields
    outputs = fields.get("outputs")
    if isinstance(outputs, list):
        parts = [_part(each, row.place) for each in in_order(outputs)]
    elif fields.get("__inference_error__"):
        parts = [None]
    else:
        ray = {"text": fields.get("generated_text"), "token_ids": fields.get("generated_tokens")}
        more = {name: fields.get(name) for name in ("logprobs", "finish_reason")}
        parts = [_part({**ray, **more}, row.place)]
    prompt = fields.get("messages") or fields.get("prompt")
    printed = dict(_PRINTED.findall(str(fields.get("params"))))
    stated = {**parameters_in(printed), **parameters_of_row(fields)}
    return Logged(row.place, prompt, parts, stated=stated)


def _part(output: Any, place: str) -> Part | None:
    if not isinstance(output, dict):
        raise bad_row(place, f"{describe(output)} is no output")
    text, finish = output.get("text"), output.get("finish_reason")
    if text is None:
        return None
    if not isinstance(text, str):
        raise bad_row(place, f"the text of an output is {describe(text)}")
    ids = output.get("token_ids")
    whole = isinstance(ids, list) and bool(ids) and all(type(token) is int for token in ids)
    return Part(
        text,
        finish_reason=finish if isinstance(finish, str) else None,
        token_ids=tuple(ids or ()) if whole else None,
        steps=steps_of(output.get("logprobs"), ids if whole else None),
    )
