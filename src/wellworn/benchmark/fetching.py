"""Files of RL-MIA out of its public repository, at one commit, over HTTPS.

The repository states no licence: its files are fetched by who wants them, and never packaged.
"""

from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

from wellworn.errors import BadInput

REPOSITORY = "https://raw.githubusercontent.com/yongding-tao/RL-Data-Contamination"
COMMIT = "602d6293f203f95cc3fc93733e16ad8025d9d1dd"
SECONDS = 60
"""Most seconds without an answer."""

_PARQUET = b"PAR1"


def fetch_file(upstream: str, path: Path) -> Path:
    """Fetch a Parquet file of the repository to `path`, and return that.

    Raises:
        BadInput: It cannot be had or kept, or is no Parquet file; nothing is left behind.
    """
    url = f"{REPOSITORY}/{COMMIT}/{quote(upstream)}"
    by_hand = f"Check the network, or bring the file to {path} by hand."
    try:
        with urlopen(url, timeout=SECONDS) as answer:
            data = answer.read()
    except (URLError, OSError) as error:
        raise BadInput(f"{url}: the file cannot be fetched ({error}).\n{by_hand}") from None
    if not data.startswith(_PARQUET) or not data.endswith(_PARQUET):
        raise BadInput(f"{url}: what came is no Parquet file: {data[:40]!r}.\n{by_hand}")
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: the file cannot be written ({error.strerror}).") from None
    return path
