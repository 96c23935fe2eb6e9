r"""Whether two expressions are equal, as math-verify finds in a process beside this one.

Its timeouts are signals, which only a main thread receives and which long sums inside a library
put off; and what a model writes may ask for 9^{9^{9^9}}. So another process reads and compares:
it is killed at the deadline, it may use so much memory and no more, and any thread may ask it.
Expressions are read as LaTeX alone: math-verify's other way evaluates text as Python.
"""

import atexit
import json
import os
import select
import subprocess
import sys
import threading

from wellworn.errors import BackendError

SECONDS = 2
"""Most seconds that math-verify takes to read an expression, or to compare two."""
DEADLINE = 10.0
"""Most seconds until the process answers; then it is killed, and the two are not equal."""
STARTING = 120.0
"""Most seconds until it is ready."""
MEMORY = 4 << 30
"""Most bytes of address space that it may take."""

_READY = "ready"


class Comparer:
    """The process; it starts when it is first asked, and again after it was killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0

    def agree(self, expected: str, said: str) -> bool:
        """Return whether math-verify finds `said` equal to `expected`, within the deadline.

        Raises:
            BackendError: The process cannot start.
        """
        with self._lock:
            process = self._running()
            answer = ""
            try:
                answer = _ask(process, json.dumps([expected, said]), DEADLINE)
            finally:
                if not answer:  # no later question may get this one's answer
                    self._stop()
            return answer == "true"

    def _running(self) -> subprocess.Popen[str]:
        held = self._process if self._owner == os.getpid() else None
        if held is not None and held.poll() is None:
            return held
        self._stop()
        process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            start_new_session=True,  # Ctrl-C is for the one who asks
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._process, self._owner = process, os.getpid()
        said = _answer(process, STARTING)
        if said != json.dumps(_READY):
            self._stop()
            raise BackendError(
                f"math-verify cannot be used: {said or 'it does not start'}.\n"
                f"Install it anew with `pip install --force-reinstall '.[math]'`."
            )
        return process

    def _stop(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.communicate()
        self._process = None


def _ask(process: subprocess.Popen[str], question: str, seconds: float) -> str:
    assert process.stdin is not None
    try:
        process.stdin.write(f"{question}\n")
        process.stdin.flush()
    except BrokenPipeError:
        return ""
    return _answer(process, seconds)


def _answer(process: subprocess.Popen[str], seconds: float) -> str:
    """Return the next line of the process; empty if it ended, or if none came in time."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return process.stdout.readline().strip() if ready else ""


def answer_questions() -> None:
    """Compare the pairs of expressions that come in, a line each, until no more do."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # nothing that a library prints is taken for an answer
    try:
        import math_verify  # noqa: F401
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"), file=answers, flush=True)
        return
    print(json.dumps(_READY), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(equal(*json.loads(line))), file=answers, flush=True)


def equal(expected: str, said: str) -> bool:
    """Return whether math-verify finds two expressions equal; on the main thread only."""
    from math_verify import LatexExtractionConfig, parse, verify
    from math_verify.errors import TimeoutException

    ways = [LatexExtractionConfig()]
    try:
        gold, answer = (
            parse(rf"\boxed{{{each}}}", extraction_config=ways, parsing_timeout=SECONDS)
            for each in (expected, said)
        )
        return bool(verify(gold, answer, timeout_seconds=SECONDS))
    except (Exception, TimeoutException):  # whatever the packages below it raise
        return False


COMPARER = Comparer()
atexit.register(COMPARER._stop)

if __name__ == "__main__":
    answer_questions()
