"""A GGUF file, served in this process by llama.cpp (xllamacpp) on the loopback interface.

The server speaks OpenAI's API, so that a local file goes the same way as any endpoint.
"""

from collections.abc import Sequence
from dataclasses import replace
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
    return LlamaCpp(target, path)


class LlamaCpp:
    """A llama.cpp server with one slot for each completion under way."""

    mixes_prompts = False

    def __init__(self, target: Target, path: Path) -> None:
        self.identity = f"gguf/{path.name}@{fingerprint(path)}"
        self.batch = min(target.choices, target.concurrency)
        self.concurrency = max(1, target.concurrency // self.batch)
        self._llama = _start(path, slots=target.concurrency, context=target.context)
        url = f"{self._llama.listening_address}/v1"
        self._server = Server(
            replace(target, model=f"openai/{path.name}", base_url=url, choices=self.batch)
        )
        self.notes = self._server.notes

    def check(self) -> list[Capability]:
        """Ask the server with two tiny requests what it can do."""
        return self._server.check()

    def complete(self, requests: Sequence[Request]) -> list[Completion]:
        """Return one completion for each request; all are of one prompt."""
        return self._server.complete(requests)

    def close(self) -> None:
        """Stop the server and free the model."""
        self._server.close()
        del self._llama


def _start(path: Path, *, slots: int, context: int):  # type: ignore[no-untyped-def]
    try:
        import xllamacpp
    except ImportError:
        raise BackendError(
            "gguf/ needs the package xllamacpp, which is not installed.\n"
            "Install it with `pip install 'wellworn[gguf]'`."
        ) from None
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_parallel = slots
    params.n_ctx = slots * context
    params.port = 0
    params.verbosity = -1
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise BackendError(f"{path}: llama.cpp cannot load the file ({error}).") from None
