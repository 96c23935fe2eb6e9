"""A run as a table: one row a completion, or one a score.

The columns of completions are those that `wellworn.readers.own` reads back, so that an
exported file can be imported again and gives the same prompt ids and scores.
"""

import csv
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from wellworn.errors import BadInput
from wellworn.records import Generation, Prompt
from wellworn.report.frames import rows as flat_rows
from wellworn.store import Store
from wellworn.tables.values import without_surrogates

_BATCH = 10_000

Row = dict[str, Any]


def completion_rows(
    store: Store, generation: Generation, set_name: str | None = None
) -> Iterator[Row]:
    """Yield the completions of one setting that answer the plain question, prompt by prompt.

    Args:
        store: The run.
        generation: The setting.
        set_name: Only this set's; both, if not given.
    """
    settings = msgspec.to_builtins(generation)
    subset = bool(store.meta("subset"))
    wanted = set(store.prompt_ids() if set_name is None else store.set_ids(set_name))
    for record in store.records(generation):
        if record.prompt.id not in wanted:
            continue
        for completion in record.completions("sample"):
            yield {
                "prompt_id": record.prompt.id,
                "prompt": _question(record.prompt),
                "index": completion.index,
                "text": completion.text,
                "reasoning": completion.reasoning,
                "reasoning_hidden": completion.reasoning_hidden,
                "finish_reason": completion.finish_reason,
                "seed": completion.seed,
                **{name: settings[name] for name in _SETTINGS},
                "run_seed": generation.seed,
                "extra": generation.extra,
                "subset": subset,
            }


_SETTINGS = ("model", "temperature", "top_p", "max_tokens", "top_logprobs")


def score_rows(store: Store) -> Iterator[Row]:
    """Yield the scores of the last scoring, by all of its detectors, flat, with set and prompt.

    All rows have all columns; what a score does not have is None.
    """
    scored = store.meta("scored")
    if not scored:
        raise BadInput(f"{store.folder}: not scored yet. Run `wellworn score {store.folder}`.")
    set_of = {i: name for name in ("references", "suspects") for i in store.set_ids(name)}
    detectors = (scored["detector"], *scored["also"])
    held = [row for detector in detectors for row in flat_rows(store.scores(detector))]
    columns = dict.fromkeys(name for row in held for name in row)
    for row in held:
        yield {
            "set": set_of.get(row["prompt_id"]),
            "prompt": _question(store.prompt(row["prompt_id"])),
            **{name: row.get(name) for name in columns},
        }


def export(rows: Iterator[Row], path: Path) -> int:
    """Write rows to a file of the format that its ending names; return how many.

    Raises:
        BadInput: The ending is unknown, or the file cannot be written.
    """
    if path.suffix not in WRITERS:
        raise BadInput(
            f"{path}: the ending '{path.suffix}' names no format that is written. "
            f"Known: {', '.join(WRITERS)}."
        )
    try:
        return WRITERS[path.suffix](rows, path)
    except OSError as error:
        raise BadInput(f"{path}: the file cannot be written ({error.strerror}).") from None


def _question(prompt: Prompt) -> str | list[dict[str, str]]:
    if prompt.text is not None:
        return prompt.text
    return [{"role": turn.role, "content": turn.content} for turn in prompt.messages]


def _write_jsonl(rows: Iterator[Row], path: Path) -> int:
    count = 0
    with path.open("w", encoding="ascii") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
            count += 1
    return count


def _write_csv(rows: Iterator[Row], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        for row in map(_flat, rows):
            if not count:
                writer = csv.DictWriter(file, list(row))
                writer.writeheader()
            writer.writerow(row)
            count += 1
    return count


def _write_parquet(rows: Iterator[Row], path: Path) -> int:
    """Write row groups of 10,000; lone surrogates, which Parquet cannot hold, become U+FFFD."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, writer = 0, None
    while batch := [_valid(_flat(row)) for row in islice(rows, _BATCH)]:
        table = pa.Table.from_pylist(batch, schema=writer.schema if writer else _schema(batch))
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
        count += len(batch)
    if writer is None:
        raise BadInput(f"{path}: there is nothing to write; the run holds no rows.")
    writer.close()
    return count


def _schema(batch: list[Row]) -> Any:
    """Return the schema of the first rows; a column without a value there is taken as text."""
    import pyarrow as pa

    found = pa.Table.from_pylist(batch).schema
    return pa.schema([f.with_type(pa.string()) if pa.types.is_null(f.type) else f for f in found])


def _flat(row: Row) -> Row:
    """Return a row whose lists and objects are JSON texts."""
    return {k: json.dumps(v) if isinstance(v, list | tuple | dict) else v for k, v in row.items()}


def _valid(row: Row) -> Row:
    return {k: without_surrogates(v) if isinstance(v, str) else v for k, v in row.items()}


WRITERS: dict[str, Callable[[Iterator[Row], Path], int]] = {
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}
"""Ending of the file: what writes it."""
