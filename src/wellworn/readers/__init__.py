"""Completions that the user already has: one module a format, found by looking at the file.

A reader looks at a file and says what it found there; nothing is held in memory, so that
a log of gigabytes can be read. A new one is a module and a line in `READERS`; the first
that lacks nothing in a file and finds prompts and completions in it reads it.
"""

from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from pathlib import Path

from wellworn.errors import BadInput, NoRows, unknown
from wellworn.readers.base import Found, Item, Layout, Missed, Reader
from wellworn.readers.looking import LogFile
from wellworn.readers.reading import FileReading, Reading
from wellworn.tables.values import counted

__all__ = [
    "READERS",
    "FileReading",
    "Found",
    "Item",
    "Layout",
    "LogFile",
    "Missed",
    "Reader",
    "Reading",
    "load_reader",
    "read_completions",
]

READERS: dict[str, tuple[str, str]] = {
    "lm-eval": (
        "wellworn.readers.lm_eval:LM_EVAL",
        "samples of lm-evaluation-harness (--log_samples)",
    ),
    "inspect": (
        "wellworn.readers.inspect_logs:INSPECT",
        "logs of Inspect, .eval or .json (with the extra [inspect])",
    ),
    "lighteval": ("wellworn.readers.lighteval:LIGHTEVAL", "details of lighteval (Parquet)"),
    "openai": (
        "wellworn.readers.openai_api:OPENAI",
        "OpenAI's Batch output with its requests, vllm run-batch, logged requests and replies",
    ),
    "vllm": ("wellworn.readers.vllm:VLLM", "outputs of vLLM as JSON, and rows of Ray Data"),
    "verl": ("wellworn.readers.verl:VERL", "rollouts that verl dumps in training or validation"),
    "trl": ("wellworn.readers.trl:TRL", "completions that TRL logs in training (Parquet)"),
    "openrlhf": ("wellworn.readers.openrlhf:OPENRLHF", "outputs of OpenRLHF's batch inference"),
    "nemo-skills": (
        "wellworn.readers.nemo_skills:NEMO_SKILLS",
        "generations of NeMo-Skills, a file a seed",
    ),
    "nemo-gym": ("wellworn.readers.nemo_gym:NEMO_GYM", "rollouts of NeMo Gym"),
    "matharena": (
        "wellworn.readers.matharena:MATHARENA",
        "outputs of MathArena, local (.json.zst) or from the Hub",
    ),
    "math-evals": (
        "wellworn.readers.math_evals:MATH_EVALS",
        "outputs of the evaluations of Qwen2.5-Math, SimpleRL and JustRL",
    ),
    "reasoning-gym": (
        "wellworn.readers.reasoning_gym:REASONING_GYM",
        "results of reasoning-gym-eval",
    ),
    "opencompass": ("wellworn.readers.opencompass:OPENCOMPASS", "predictions of OpenCompass"),
    "every-eval-ever": (
        "wellworn.readers.every_eval_ever:EVERY_EVAL_EVER",
        "records of Every Eval Ever",
    ),
    "chats": ("wellworn.readers.chats:CHATS", "whole chats, the answer as the last turn"),
    "plain": (
        "wellworn.readers.plain:PLAIN",
        "JSONL, JSON, CSV or Parquet with a prompt and a completion, or a list of them, in a row",
    ),
}
"""Name: where the reader lies, and what it reads. They are tried in this order."""


def read_completions(
    paths: Iterable[str | Path],
    layout: Layout | None = None,
    *,
    reader: str = "auto",
    wandered: Collection[Path] = (),
    may_be_none: bool = False,
) -> Reading:
    """Look at files and return how to read the completions in them.

    Args:
        paths: The files.
        layout: What the user says of them; the rest is found.
        reader: A name in `READERS`, or "auto" to try them in turn.
        wandered: Those among the files that nobody named, as they were found in a folder. One
            that no reader knows is passed over.
        may_be_none: Files that are all passed over are no error, and nothing is read.

    Raises:
        BadInput: A file cannot be read, no reader finds prompts and completions in it, or
            the files state different parameters.
    """
    if reader != "auto" and reader not in READERS:
        raise BadInput(unknown("reader", reader, ["auto", *READERS]))
    layout = layout or Layout()
    names = list(READERS) if reader == "auto" else [reader]
    files = [Path(path) for path in paths]
    founds: dict[Path, Found] = {}
    passed: dict[Path, str] = {}
    for path in files:
        found = _find(LogFile(path, files), names, layout, path in wandered)
        if isinstance(found, Found):
            founds[path] = found
        else:
            passed[path] = found.fact
    if not founds and not may_be_none:
        raise BadInput(_nothing(passed))
    return Reading(
        founds, layout, [f"{path}: {fact}; passed over." for path, fact in passed.items()]
    )


def load_reader(name: str) -> Reader:
    """Return the reader of a name in `READERS`."""
    module, _, attribute = READERS[name][0].partition(":")
    reader: Reader = getattr(import_module(module), attribute)
    return reader


def _find(file: LogFile, names: Sequence[str], layout: Layout, wandered: bool) -> Found | Missed:
    """Return what the first reader that can read a file finds in it.

    A companion of other files is a miss, as is a file that nobody named and no reader knows.
    """
    file.head  # noqa: B018  # an unreadable file is refused before any reader looks
    misses: dict[str, Missed] = {}
    known = ""
    for name in names:
        reader = load_reader(name)
        lack = reader.lacks(file)
        try:
            found = Missed(lack) if lack else reader.read(file, layout)
        except NoRows:
            if not wandered:
                raise
            return Missed("it holds no rows")
        if isinstance(found, Found) or found.companion:
            return found
        misses[name] = found
        if len(names) == 1 or (lack is None and name != "plain"):
            known = f"{name}: {found.fact}"
    if wandered:
        return Missed(known or "no reader finds prompts and completions in it")
    looked = "".join(f"\n  {name}: {missed.fact}." for name, missed in misses.items())
    seen = "".join(f"\n{missed.seen}" for missed in misses.values() if missed.seen)
    raise BadInput(f"{file.path}: no reader finds prompts and completions in it.{looked}{seen}")


def _nothing(passed: dict[Path, str]) -> str:
    listed = "".join(f"\n  {path}: {fact}." for path, fact in list(passed.items())[:10])
    more = f"\n  and {len(passed) - 10:,} more" if len(passed) > 10 else ""
    return f"{counted(len(passed), 'file')}, and no completions in any.{listed}{more}"
