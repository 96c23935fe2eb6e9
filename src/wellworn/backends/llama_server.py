"""llama.cpp's server as a process of its own: `python -m wellworn.backends.llama_server`.

It is given the path of a GGUF file, the number of slots and the tokens of context of each;
it prints its address once the model is loaded, and lives until its standard input ends.
So it ends with the process that began it, however that one ends, and at once: a server in
the same process cannot be left while it is answering.
"""

import os
import signal
import sys


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
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        sys.exit(str(error))
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
