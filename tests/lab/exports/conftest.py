"""Small exports of every task to every trainer."""

import importlib.util
import sys

import pytest

from wellworn.lab.exports import EXPORTS, Settings, export
from wellworn.lab.injection import Pools, inject
from wellworn.lab.tasks import TASKS, load_task

FILLER = 5


@pytest.fixture(scope="session")
def injections():
    sizes = Pools(half=12, easy=4)
    return {name: inject(load_task(name), "standard", sizes, 0) for name in TASKS}


@pytest.fixture(scope="session")
def exported(tmp_path_factory, injections):
    """Return the folder of each export, by trainer and task."""
    folders = {}
    for to in EXPORTS:
        for name, injection in injections.items():
            folder = folders[to, name] = tmp_path_factory.mktemp(f"{to}-{name}")
            export(to, load_task(name), injection, folder, Settings(filler=FILLER))
    return folders


@pytest.fixture
def module(monkeypatch):
    """Return a function that loads a written file as its trainer does, from its own folder."""

    def load(path):
        monkeypatch.syspath_prepend(str(path.parent))
        for name in ("reward", path.stem):
            monkeypatch.delitem(sys.modules, name, raising=False)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        monkeypatch.delitem(sys.modules, "reward", raising=False)
        return loaded

    return load
