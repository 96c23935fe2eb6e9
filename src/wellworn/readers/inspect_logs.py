"""Logs of Inspect (`.eval`, or `.json`), read sample by sample through inspect_ai itself.

Samples of one id differ by their epoch, and each may hold several choices (`num_choices`). The
prompt is what came before the first turn that the model generated: an input may hold turns of the
assistant as examples. An answer of several turns, as an agent gives it, is all of them together.
Samples with an error have no completion; reasoning that is redacted, summed up, or only counted, is
hidden. Attachments are resolved by inspect_ai.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_in
from wellworn.readers.shapes import Part
from wellworn.readers.signals import steps_of
from wellworn.tables.files import suffix
from wellworn.tables.formats import BadRows, bad_row

_UNREAD = {"events", "store"}


def _lacks(file: LogFile) -> str | None:
    if suffix(file.path) == ".eval":
        return None if file.head.startswith(b"PK") else "it ends in .eval, but is no zip archive"
    return file.document_lacks("version", "status", "eval")


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    header = _Log(file).header()
    if not header.eval.dataset.samples and header.results is None and header.status == "started":
        return Missed(f"the evaluation has only been {header.status}, and holds no samples yet")
    return found_in(file, layout, _rows, f"task: {header.eval.task}")


INSPECT = Reader(lacks=_lacks, read=_read)


class _Log:
    """A log, read through inspect_ai, any of whose errors means that it is damaged."""

    def __init__(self, file: LogFile) -> None:
        try:
            from inspect_ai import log
        except ImportError:
            raise BadInput(
                f"{file.path}: logs of Inspect are read through inspect_ai.\n"
                f"Install it with `pip install '.[inspect]'`."
            ) from None
        self._file, self._api = file, log

    def header(self) -> Any:
        try:
            return self._api.read_eval_log(str(self._file.path), header_only=True)
        except Exception as error:
            raise self._damaged(error, 0) from None

    def samples(self) -> Iterator[Any]:
        count = 0
        try:
            for sample in self._streamed():
                yield sample
                count += 1
        except GeneratorExit:
            raise
        except Exception as error:
            raise self._damaged(error, count) from None

    def _streamed(self) -> Iterable[Any]:
        """Return the samples, one at a time where the format allows it."""
        path = str(self._file.path)
        if suffix(self._file.path) == ".json":
            return self._api.read_eval_log(path, resolve_attachments="core").samples or ()
        samples: Iterable[Any] = self._api.read_eval_log_samples(
            path,
            all_samples_required=False,
            resolve_attachments="core",
            exclude_fields=_UNREAD,
        )
        return samples

    def _damaged(self, error: Exception, count: int) -> BadInput:
        fact = " ".join(str(error).split())[:200] or type(error).__name__
        return BadInput(
            f"{self._file.path}: inspect_ai cannot read this log, after sample {count}: {fact}.\n"
            f"Copy it again; `inspect log dump` says whether it is whole."
        )


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    log = _Log(file)
    stated = _stated(log.header())
    for sample in log.samples():
        try:
            yield _logged(f"{file.path}: sample {sample.id}, epoch {sample.epoch}", sample, stated)
        except BadInput as error:
            bad(error)


def _stated(header: Any) -> dict[str, Any]:
    plan = header.plan.config.model_dump(exclude_none=True)
    own = header.eval.model_generate_config.model_dump(exclude_none=True)
    return parameters_in({**own, **plan, "model": header.eval.model})


def _logged(place: str, sample: Any, stated: dict[str, Any]) -> Logged:
    turns = list(sample.messages)
    asked = _first_generated(turns, sample.input)
    before = turns[:asked] or sample.input
    if not isinstance(before, str):
        before = [{"role": turn.role, "content": _shown(turn.content, place)} for turn in before]
    parts = [None] if sample.error else _parts(sample, turns[asked:])
    return Logged(
        place=place,
        prompt=before,
        parts=parts,
        key=str(sample.id),
        gold=sample.target,
        stated=stated,
        about=sample.metadata,
        position=(sample.epoch - 1) * max(1, len(parts)),
        chat=True,
    )


def _first_generated(turns: list[Any], given: Any) -> int:
    """Return where the model's own turns begin; older logs do not say where a turn is from."""
    said = [n for n, turn in enumerate(turns) if turn.role == "assistant"]
    own = [n for n in said if turns[n].source == "generate"]
    shown = [] if isinstance(given, str) else [t.content for t in given if t.role == "assistant"]
    for n in () if own else said:
        if not shown or turns[n].content != shown.pop(0):
            own.append(n)
    return own[0] if own else len(turns)


def _parts(sample: Any, answer: list[Any]) -> list[Part | None]:
    """Return the choices of the last turn, or all turns together where there are several."""
    said = [turn for turn in answer if turn.role == "assistant"]
    choices = sample.output.choices
    usage = sample.output.usage
    reasoned = bool(usage and usage.reasoning_tokens)
    if len(said) > 1:
        turns = [_part(turn.content, reasoned) for turn in said]
        whole = "\n".join(
            part.reasoning + "\n" + part.text if part.reasoning else part.text for part in turns
        )
        finish = choices[-1].stop_reason if choices else None
        return [Part(whole, finish_reason=finish, hidden=any(part.hidden for part in turns))]
    if not choices:
        return [None]
    return [
        _part(choice.message.content, reasoned)._replace(
            finish_reason=choice.stop_reason,
            steps=steps_of(choice.logprobs.model_dump()) if choice.logprobs else [],
        )
        for choice in choices
    ]


def _part(content: Any, reasoned: bool) -> Part:
    if isinstance(content, str):
        return Part(content, reasoned=reasoned)
    thought = [part for part in content if part.type == "reasoning"]
    shown = [part.reasoning for part in thought if part.reasoning and not part.redacted]
    return Part(
        text="".join(part.text for part in content if part.type == "text"),
        reasoning="\n".join(shown) if shown else None,
        hidden=len(shown) < len(thought),
        reasoned=reasoned,
    )


def _shown(content: Any, place: str) -> str:
    if isinstance(content, str):
        return content
    wrong = next((part.type for part in content if part.type not in ("text", "reasoning")), None)
    if wrong is not None:
        raise bad_row(place, f"the prompt has a part of the type '{wrong}'; only text is audited")
    return "".join(part.text for part in content if part.type == "text")
