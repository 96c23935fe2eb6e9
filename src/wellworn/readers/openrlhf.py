"""Outputs of OpenRLHF's batch inference: rows of `input` and `output`, perhaps a `reward`.

With `best_of_n` the whole list of prompts comes n times, so samples are rows of equal inputs. vLLM
keeps special tokens there: the one that ends an output is taken off, and says that it was whole.

Held against the code of OpenRLHF 0.8.11; versions from 0.9.10 on have no batch inference.
"""

import msgspec

from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, as_written, by_row, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.shapes import Part
from wellworn.tables.formats import Row

_FIELDS = {"input", "output", "reward"}
_ENDS = (
    *("<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>", "<|end_of_text|>", "<|end|>"),
    *("<end_of_turn>", "<eos>", "<\uff5cend\u2581of\u2581sentence\uff5c>", "<|return|>"),
)


class _Row(msgspec.Struct):
    input: str
    output: str | None


def _lacks(file: LogFile) -> str | None:
    lack = file.row_lacks("input", "output")
    more = set(file.first.fields) - _FIELDS if file.first else set()
    return lack or (
        f"its rows have further fields: {', '.join(sorted(more)[:5])}" if more else None
    )


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    return found_in(file, layout, by_row(_logged), "outputs of OpenRLHF")


OPENRLHF = Reader(lacks=_lacks, read=_read)


def _logged(row: Row) -> Logged:
    held = as_written(row.place, row.fields, _Row)
    return Logged(row.place, held.input, [None if held.output is None else _part(held.output)])


def _part(text: str) -> Part:
    end = next((end for end in _ENDS if text.endswith(end)), None)
    return Part(text) if end is None else Part(text.removesuffix(end), finish_reason="stop")
