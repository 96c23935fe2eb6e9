"""The tiny models that tests of the lab train, where torch is installed."""

from copy import deepcopy

import pytest


@pytest.fixture(scope="session")
def _taught():
    pytest.importorskip("transformers", reason="`make test` installs torch and transformers")
    import tiny_lab

    return tiny_lab.taught_model()


@pytest.fixture
def taught(_taught):
    """Return a model that says "ok" or "no", which the test may change, and its tokenizer."""
    model, tokenizer = _taught
    return deepcopy(model), tokenizer


@pytest.fixture
def untaught():
    """Return a model with random weights, and its tokenizer."""
    pytest.importorskip("transformers", reason="`make test` installs torch and transformers")
    import tiny_lab

    return tiny_lab.random_model()
