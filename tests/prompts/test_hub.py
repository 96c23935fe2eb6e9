"""Data sets of the Hub, with a stand-in for the package that reads them."""

import sys
from types import ModuleType

import pytest

from wellworn.errors import BadInput
from wellworn.prompts import read_prompts


def error_of(source):
    with pytest.raises(BadInput) as caught:
        read_prompts(source)
    return str(caught.value)


class Hub(ModuleType):
    """A stand-in for the package `datasets`."""

    def __init__(self, splits=("train",), error=None):
        super().__init__("datasets")
        self.splits, self.error, self.asked = list(splits), error, []

    def get_dataset_split_names(self, name, config):
        return self.splits

    def load_dataset(self, name, config, *, split):
        self.asked.append((name, config, split))
        if self.error:
            raise self.error
        return [{"problem": f"p{n}", "bytes": b"x"} for n in range(25)]


def hub(monkeypatch, **options):
    stand_in = Hub(**options)
    monkeypatch.setitem(sys.modules, "datasets", stand_in)
    return stand_in


def test_a_data_set_of_the_hub(monkeypatch):
    stand_in = hub(monkeypatch)
    prompts = read_prompts("hub:org/name").prompts
    assert [prompt.shown for prompt in prompts] == [f"p{n}" for n in range(25)]
    assert prompts[2].source == "hub:org/name:train: row 3"
    assert prompts[2].metadata == {"bytes": "x"}
    read_prompts("hub:org/name:test")
    read_prompts("hub:org/name:test:main")
    read_prompts("hub:org/name::main")
    assert stand_in.asked == [
        ("org/name", None, "train"),
        ("org/name", None, "test"),
        ("org/name", "main", "test"),
        ("org/name", "main", "train"),
    ]


def test_a_split_must_be_chosen(monkeypatch):
    hub(monkeypatch, splits=["train", "test"])
    assert error_of("hub:org/name") == (
        "hub:org/name: the data set has 2 splits: train, test.\nChoose one, as hub:org/name:train."
    )
    assert error_of("hub:org/name::main") == (
        "hub:org/name::main: the data set has 2 splits: train, test.\n"
        "Choose one, as hub:org/name:train:main."
    )


def test_a_download_that_fails_is_one_line(monkeypatch):
    hub(monkeypatch, error=ConnectionError("no route to host.\nmore\nlines"))
    assert error_of("hub:org/name") == (
        "hub:org/name: the data set cannot be had (ConnectionError: no route to host).\n"
        "Check its name, split and config, the network, and HF_TOKEN if it is gated."
    )


def test_the_extra_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    assert error_of("hub:org/name") == (
        "hub:org/name: the package 'datasets' reads data sets of the Hub; it is not installed.\n"
        "Install it with `pip install '.[hub]'`."
    )


@pytest.mark.parametrize("source", ["hub:", "hub:a:b:c:d"])
def test_a_name_that_is_none(source):
    assert error_of(source) == (
        f"'{source}' names no data set.\n"
        f"Write hub:org/name, hub:org/name:split or hub:org/name:split:config."
    )
