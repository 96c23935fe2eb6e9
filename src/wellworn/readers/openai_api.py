"""Requests and replies of OpenAI's API: Batch output, `vllm run-batch`, and logged pairs.

A line of a batch's output has `custom_id` and `response`, but no prompt: that lies in a request
file, which is looked for by these ids among the files given and in the same folder, or named with
`--requests`. The order of lines is not that of the requests, so completions are numbered by these.
Other logs keep the request beside the reply, in one row; where the reply was put at the end of the
request's chat before that was logged, it is no part of the prompt. A request that failed has no
completion.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wellworn.errors import BadInput
from wellworn.readers.base import Found, Layout, Missed, Reader
from wellworn.readers.logs import Logged, by_rows, found_in
from wellworn.readers.looking import LogFile
from wellworn.readers.parameters import parameters_around, seed_in
from wellworn.readers.replies import is_response, parts_of_reply
from wellworn.readers.shapes import Part, is_reply
from wellworn.records import digest
from wellworn.tables import read_rows
from wellworn.tables.files import suffix
from wellworn.tables.formats import BadRows, Row, bad_row
from wellworn.tables.values import enumerate_names

_PROMPTS = ("messages", "input", "prompt")
_REQUESTS = ("request", "body", "kwargs")
_LINES = (".jsonl", ".ndjson")


class _Request(NamedTuple):
    path: Path
    body: Mapping[str, Any]
    position: int
    """How many completions of the same prompt were asked for before."""


def _lacks(file: LogFile) -> str | None:
    fields = file.first.fields if file.first else {}
    if "custom_id" in fields:
        return file.row_lacks(one_of=("response", "body"))
    if _is_answer(fields):
        asked = _prompt_of(_body_of(fields))
        return None if asked is not None else "its first row is a reply without its request"
    lack = file.row_lacks("request", "response")
    if lack is not None:
        return lack
    reply = _reply_of(fields)
    failed = reply is None and _body_of(fields) is not fields
    if failed or _is_answer(reply):
        return None
    return "the response in its first row is no reply of OpenAI's API"


def _is_answer(value: Any) -> bool:
    """Tell a whole reply, which names its kind, from rows that merely hold choices."""
    kind = value.get("object") if isinstance(value, dict) else None
    known = kind in ("chat.completion", "text_completion", "response")
    return known and (is_reply(value) or is_response(value))


def _read(file: LogFile, layout: Layout) -> Found | Missed:
    fields = file.first.fields if file.first else {}
    if "custom_id" not in fields:
        return found_in(file, layout, by_rows(_pair), "requests and replies, a pair a row")
    if "response" not in fields:
        return Missed("it holds the requests of a batch", companion=True)
    requests = _requests(file, layout)
    where = enumerate_names(list({str(request.path): 0 for request in requests.values()}), 5)
    return found_in(file, layout, _rows, f"requests: {where}")


OPENAI = Reader(lacks=_lacks, read=_read)


def _request_files(file: LogFile, layout: Layout) -> list[Path]:
    """Return where the requests of a batch may lie.

    Raises:
        BadInput: No file beside the output holds requests.
    """
    if layout.requests is not None:
        return [layout.requests]
    near = sorted(path for path in file.path.parent.iterdir() if suffix(path) in _LINES)
    found = [path for path in dict.fromkeys([*file.beside, *near]) if _holds_requests(path)]
    if not found:
        raise BadInput(
            f"{file.path}: the output of a batch holds no prompts, and no file beside it holds the "
            f"requests.\nName the file with `--requests FILE`, or give both files together."
        )
    return found


def _holds_requests(path: Path) -> bool:
    first = LogFile(path).first if path.is_file() else None
    return first is not None and {"custom_id", "body"} <= first.fields.keys()


def _requests(file: LogFile, layout: Layout) -> dict[str, _Request]:
    """Return the requests that an output answers, by their custom_id.

    Raises:
        BadInput: Two files name different requests alike, as those of two batches may.
    """
    ids = {str(row.fields.get("custom_id")) for row in read_rows(file.path, bad=BadRows(skip=True))}
    found: dict[str, _Request] = {}
    paths = _request_files(file, layout)
    for path in paths:
        for name, request in _requests_in(path):
            known = found.setdefault(name, request) if name in ids else request
            if _but_model(known.body) != _but_model(request.body):
                raise BadInput(
                    f"{file.path}: the custom_id '{name}' is one request in {known.path}, and "
                    f"another in {path}.\nName the file that this output answers with "
                    f"`--requests FILE`, and import one output at a time."
                )
    if not found:
        listed = enumerate_names(list(map(str, paths)), 5)
        raise BadInput(
            f"{file.path}: none of its custom_ids, as '{min(ids, default='')}', is among those in "
            f"{listed}.\nName the file of its requests with `--requests FILE`."
        )
    return found


def _but_model(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "model"}


def _requests_in(path: Path) -> Iterator[tuple[str, _Request]]:
    asked: dict[str, int] = {}
    for row in read_rows(path):
        body = row.fields.get("body")
        if not isinstance(body, dict):
            raise bad_row(row.place, "the request has no 'body'")
        prompt = digest(_prompt_of(body))
        position = asked.get(prompt, 0)
        n = body.get("n")
        asked[prompt] = position + (n if isinstance(n, int) else 1)
        yield str(row.fields.get("custom_id")), _Request(path, body, position)


def _rows(file: LogFile, layout: Layout, bad: BadRows) -> Iterator[Logged]:
    requests = _requests(file, layout)
    for row in read_rows(file.path, bad=bad):
        try:
            name = str(row.fields.get("custom_id"))
            if name not in requests:
                raise bad_row(row.place, f"no request has the custom_id '{name}'")
            yield from _answer(row, requests[name])
        except BadInput as error:
            bad(error)


def _answer(row: Row, request: _Request) -> list[Logged]:
    """Return what a line of output says; vLLM once wrote the reply without its envelope."""
    response = row.fields.get("response")
    reply = response.get("body", response) if isinstance(response, dict) else None
    status = response.get("status_code") if isinstance(response, dict) else None
    failed = reply is None or row.fields.get("error") or status not in (None, 200)
    parts: list[Part | None] = [None] if failed else parts_of_reply(reply, row.place)
    found = _logged(row.place, request.body, reply, parts)
    return [logged._replace(position=request.position) for logged in found]


def _pair(row: Row) -> list[Logged]:
    reply = row.fields if _is_answer(row.fields) else _reply_of(row.fields)
    body = _body_of(row.fields)
    failed = reply is None or bool(row.fields.get("error"))
    parts: list[Part | None] = [None] if failed else parts_of_reply(reply, row.place)
    return _logged(row.place, body, reply, parts)


def _body_of(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request in a row, which may be the row itself."""
    held = [fields.get(name) for name in _REQUESTS]
    bodies = [body for body in held if isinstance(body, dict) and _prompt_of(body) is not None]
    return bodies[0] if bodies else fields


def _reply_of(fields: Mapping[str, Any]) -> Any:
    reply = fields.get("response")
    return reply.get("body", reply) if isinstance(reply, dict) else reply


def _prompt_of(body: Mapping[str, Any]) -> Any:
    prompt = next((body[name] for name in _PROMPTS if body.get(name) is not None), None)
    instructions = body.get("instructions")
    if isinstance(instructions, str) and prompt is not None:
        turns = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
        return [{"role": "system", "content": instructions}, *turns]
    if isinstance(prompt, str) and "prompt" not in body:
        return [{"role": "user", "content": prompt}]
    return prompt


def _without_answer(prompt: Any, parts: list[Part | None]) -> Any:
    """Return a chat without the reply that was put at its end before it was logged."""
    last = prompt[-1] if isinstance(prompt, list) and len(prompt) > 1 else None
    if not isinstance(last, dict) or last.get("role") != "assistant":
        return prompt
    texts = [part.text for part in parts if part is not None]
    return prompt[:-1] if last.get("content") in texts else prompt


def _logged(
    place: str, body: Mapping[str, Any], reply: Any, parts: list[Part | None]
) -> list[Logged]:
    said = reply if isinstance(reply, dict) else {}
    seed = seed_in(body.get("seed"))
    stated = parameters_around([{"model": said.get("model")}, dict(body)])
    seeded = [part and part._replace(seed=seed) for part in parts]
    return [
        Logged(place=place, prompt=_without_answer(prompt, own), parts=own, stated=stated)
        for prompt, own in _shared_out(place, _prompt_of(body), seeded)
    ]


def _shared_out(
    place: str, asked: Any, parts: list[Part | None]
) -> Iterator[tuple[Any, list[Part | None]]]:
    """Yield the prompts of a request with their completions: as many of each, one after another.

    Raises:
        BadInput: The completions cannot be shared out evenly.
    """
    several = isinstance(asked, list) and all(isinstance(prompt, str) for prompt in asked)
    prompts = asked if several and asked else [asked]
    if parts == [None]:
        parts = parts * len(prompts)
    each, over = divmod(len(parts), len(prompts))
    if over:
        raise bad_row(place, f"{len(prompts)} prompts were asked, and {len(parts)} choices came")
    for number, prompt in enumerate(prompts):
        yield prompt, parts[number * each : (number + 1) * each]
