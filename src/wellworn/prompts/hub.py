"""Rows of a data set on the Hugging Face Hub, through the package `datasets`.

It is named `hub:org/name`, `hub:org/name:split` or `hub:org/name:split:config`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.tables.formats import Row
from wellworn.tables.values import json_safe

PREFIX = "hub:"


def read_hub(source: str) -> Iterator[Row]:
    """Yield the rows of a data set; the place of one is `hub:org/name:split: row 3`.

    Without a split, the data set must have only one.

    Raises:
        BadInput: `datasets` is not installed, or the data set or its split cannot be had.
    """
    wanted = _parse(source)
    try:
        import datasets
    except ImportError:
        raise BadInput(
            f"{source}: the package 'datasets' reads data sets of the Hub; it is not installed.\n"
            f"Install it with `pip install '.[hub]'`."
        ) from None
    name, split, config = wanted
    if not split:
        splits = _ask(source, lambda: datasets.get_dataset_split_names(name, config))
        split = _only(splits, source, wanted)
    rows = _ask(source, lambda: datasets.load_dataset(name, config, split=split))
    for number, fields in enumerate(rows, start=1):
        yield Row(f"{PREFIX}{name}:{split}: row {number}", json_safe(fields))


class _Wanted(NamedTuple):
    name: str
    split: str
    config: str | None


def _parse(source: str) -> _Wanted:
    name, *rest = source.removeprefix(PREFIX).split(":")
    if not name or len(rest) > 2:
        raise BadInput(
            f"'{source}' names no data set.\n"
            f"Write hub:org/name, hub:org/name:split or hub:org/name:split:config."
        )
    split, config = (*rest, "", "")[:2]
    return _Wanted(name, split, config or None)


def _only(splits: Sequence[str], source: str, wanted: _Wanted) -> str:
    if len(splits) == 1:
        return splits[0]
    config = f":{wanted.config}" if wanted.config else ""
    raise BadInput(
        f"{source}: the data set has {len(splits)} splits: {', '.join(splits)}.\n"
        f"Choose one, as {PREFIX}{wanted.name}:{next(iter(splits), 'train')}{config}."
    )


def _ask(source: str, question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:  # each release of `datasets` raises errors of its own
        fact = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(".")
        raise BadInput(
            f"{source}: the data set cannot be had ({fact}).\n"
            f"Check its name, split and config, the network, and HF_TOKEN if it is gated."
        ) from None
