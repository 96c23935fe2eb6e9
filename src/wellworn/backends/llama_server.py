"""llama.cpp's server as a process of its own: `python -m wellworn.backends.llama_server`.

It is given the path of a GGUF file, the number of slots and the tokens of context of each;
it prints its address once the model is loaded, and lives until its standard input ends.
So it ends with the process that began it, however that one ends, and at once: a server in
the same process cannot be left while it is answering.

A step of a small model is over before threads have met, and threads that wait for each other
spin: two on busy cores took seven times one's processor time. So small models get one.
"""

import os
import signal
import sys
from pathlib import Path

SMALL = 32 << 20
"""Bytes of a file up to which one thread computes; above, llama.cpp takes one a core."""


def main() -> None:
    """Serve until standard input ends."""
    path, slots, context = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_parallel = slots
    params.n_ctx = slots * context
    params.port = 0
    params.verbosity = -1
    if Path(path).stat().st_size <= SMALL:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        sys.exit(str(error))
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
