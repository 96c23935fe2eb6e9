"""Scripted answers in place of a model: for tests, documentation and dry runs.

A script is a JSON file:

    {"answers": {"What is 2 + 2?": ["Four.", {"text": "4", "finish_reason": "length"}]},
     "default": ["I do not know."],
     "seconds": 0.01}

`answers` maps a prompt (its last turn, or its text) to completions, taken in turn by
their index; `default` answers all other prompts, which otherwise fail. Each completion
is a text or an object with `text`, `reasoning`, `reasoning_hidden` and `finish_reason`.
Every call takes `seconds`.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from wellworn.backends import Capability, Request, Target
from wellworn.backends.reasoning import split_reasoning
from wellworn.errors import BackendError, BadInput, Unable
from wellworn.records import Completion


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scripted completion."""

    text: str
    reasoning: str | None = None
    reasoning_hidden: bool = False
    finish_reason: str = "stop"


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the fake model says."""

    answers: dict[str, list[str | Line]] = {}
    default: list[str | Line] = []
    seconds: float = 0.0


def read(target: Target) -> "Fake":
    """Return the backend that speaks the script at the path after `fake/`.

    Raises:
        BadInput: There is no such file, or it is no script.
    """
    path = Path(target.model.partition("/")[2])
    try:
        return Fake(target, msgspec.json.decode(path.read_bytes(), type=Script))
    except OSError as error:
        raise BadInput(f"{path}: the script cannot be read ({error.strerror}).") from None
    except msgspec.DecodeError as error:
        raise BadInput(
            f"{path}: this is no script of answers ({error}).\n"
            f'Write {{"answers": {{PROMPT: [TEXT, …]}}, "default": [TEXT, …]}}.'
        ) from None


class Fake:
    """A model that says what its script says."""

    mixes_prompts = False

    def __init__(self, target: Target, script: Script) -> None:
        self.identity = target.model
        self.concurrency = target.concurrency
        self.batch = target.choices
        self.address = ""
        self.notes: list[str] = []
        self.left_out: list[str] = []
        self._script = script

    def check(self, *, raw: bool = False) -> list[Capability]:
        """Return what a script can do: answer, and no more."""
        return [
            Capability("answers", True, f"{len(self._script.answers)} scripted prompts"),
            Capability("n", True, ""),
            Capability("log-probabilities", False, "a script has none"),
        ]

    def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Return the scripted completion at each request's index."""
        time.sleep(self._script.seconds)
        return [self._answer(request) for request in requests]

    def close(self) -> None:
        """Do nothing: a script holds nothing."""

    def _answer(self, request: Request) -> Completion:
        if request.reads is not None:
            raise Unable(f"{self.identity}: a script writes; it can read no text.")
        lines = self._script.answers.get(request.prompt.shown, self._script.default)
        if not lines:
            raise BackendError(
                f"{self.identity}: the script has no answer to {request.prompt.shown!r:.60}."
            )
        line = lines[request.index % len(lines)]
        if isinstance(line, str):
            line = Line(line)
        reasoning, text = line.reasoning, line.text
        if reasoning is None:
            reasoning, text = split_reasoning(text)
        return Completion(
            text=text,
            reasoning=reasoning,
            reasoning_hidden=line.reasoning_hidden,
            finish_reason=line.finish_reason,
            seed=request.seed,
            index=request.index,
            generation=request.generation,
        )
