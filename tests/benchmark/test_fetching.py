"""Files over a network that may not be there."""

import pytest

from wellworn.benchmark import fetching
from wellworn.benchmark.fetching import fetch_file
from wellworn.errors import BadInput


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Return a folder that stands for the repository."""
    folder = tmp_path / "repository"
    (folder / fetching.COMMIT).mkdir(parents=True)
    monkeypatch.setattr(fetching, "REPOSITORY", folder.as_uri())
    return folder / fetching.COMMIT


def test_a_file_is_fetched_as_it_is(repository, tmp_path):
    (repository / "a b.parquet").write_bytes(b"PAR1 rows PAR1")
    path = tmp_path / "new/folder/a.parquet"
    assert fetch_file("a b.parquet", path) == path
    assert path.read_bytes() == b"PAR1 rows PAR1"


def test_without_a_network(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(fetching, "REPOSITORY", "http://127.0.0.1:9")
    path = tmp_path / "kk.parquet"
    with pytest.raises(BadInput) as error:
        fetch_file("benchmarks/KK/RLMIA_kk.parquet", path)
    place, way_out = str(error.value).split("\n")
    assert place == (
        f"http://127.0.0.1:9/{fetching.COMMIT}/benchmarks/KK/RLMIA_kk.parquet: the file cannot be "
        f"fetched (<urlopen error [Errno 111] Connection refused>)."
    )
    assert way_out == f"Check the network, or bring the file to {path} by hand."
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("data", [b"<html>Log in</html>", b"", b"PAR1 cut"])
def test_what_is_no_parquet_file_is_not_kept(repository, tmp_path, data):
    (repository / "a.parquet").write_bytes(data)
    with pytest.raises(BadInput, match=r"what came is no Parquet file: b'"):
        fetch_file("a.parquet", tmp_path / "a.parquet")
    assert not (tmp_path / "a.parquet").exists()


def test_a_folder_that_cannot_be_written(repository, tmp_path):
    (repository / "a.parquet").write_bytes(b"PAR1 PAR1")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"a\.parquet: the file cannot be written \("):
        fetch_file("a.parquet", tmp_path / "file/a.parquet")


def test_the_address_is_that_of_one_commit():
    assert fetching.REPOSITORY.startswith("https://")
    assert len(fetching.COMMIT) == 40
