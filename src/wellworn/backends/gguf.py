"""A GGUF file, served by llama.cpp (xllamacpp) in a process beside this one.

The server speaks OpenAI's API on the loopback interface, so that a local file goes the
same way as any endpoint.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from wellworn.backends import Capability, Request, Target
from wellworn.backends.openai import Server
from wellworn.backends.weights import fingerprint
from wellworn.errors import BackendError, BadInput
from wellworn.records import Completion


def serve(target: Target) -> "LlamaCpp":
    """Return the backend that serves the file at the path after `gguf/`.

    Raises:
        BadInput: There is no such file, or it is no GGUF.
        BackendError: xllamacpp is not installed, or cannot load the file.
    """
    path = Path(target.model.partition("/")[2]).expanduser()
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file.\nGive a GGUF file as gguf/PATH.")
    with path.open("rb") as file:
        if (magic := file.read(4)) != b"GGUF":
            raise BadInput(f"{path}: this is no GGUF file; it begins with {magic!r}.")
    if find_spec("xllamacpp") is None:
        raise BackendError(
            "gguf/ needs the package xllamacpp, which is not installed.\n"
            "Install it with `pip install '.[gguf]'`."
        )
    return LlamaCpp(target, path)


class LlamaCpp:
    """A llama.cpp server with one slot for each completion under way."""

    mixes_prompts = False

    def __init__(self, target: Target, path: Path) -> None:
        """Start the server, and wait until it has loaded the model."""
        self.identity = f"gguf/{path.name}@{fingerprint(path)}"
        self.batch = min(target.choices, target.concurrency)
        self.concurrency = max(1, target.concurrency // self.batch)
        self._process, address = _start(path, target.concurrency, target.context)
        self._server = Server(
            replace(
                target,
                model=f"openai/{path.name}",
                base_url=f"{address}/v1",
                api_key="none",
                choices=self.batch,
            )
        )
        self.address = ""
        self.notes = self._server.notes

    @property
    def left_out(self) -> list[str]:
        """The neutral sampling fields that the server refuses."""
        return self._server.left_out

    def check(self, *, raw: bool = False) -> list[Capability]:
        """Ask the server with two tiny requests what it can do."""
        return self._server.check(raw=raw)

    def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Return one completion for each request; all are of one prompt."""
        return self._server.complete(requests)

    def close(self) -> None:
        """End the server, even while it answers."""
        self._server.close()
        self._process.kill()
        self._process.communicate()


def _start(path: Path, slots: int, context: int) -> tuple[subprocess.Popen[str], str]:
    """Return the server's process and its address."""
    with tempfile.TemporaryFile("w+") as log:
        command = [sys.executable, "-m", "wellworn.backends.llama_server"]
        process = subprocess.Popen(
            [*command, str(path), str(slots), str(context)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if address:
            return process, address
        process.communicate()
        log.seek(0)
        said = log.read().strip().splitlines() or ["it ended without a word"]
        raise BackendError(f"{path}: llama.cpp cannot load the file ({said[-1]}).")
