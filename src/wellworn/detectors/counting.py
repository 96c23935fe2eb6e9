"""What can be counted without comparing: how many texts differ, and how long they are.

The share of different texts asks for exact repetition and nothing less. The mean length is a
nuisance measure and no evidence: RL changes how long answers get, easy prompts have short
ones, and a detector that tells the sets apart no better than length does has found length.
"""

from math import fsum
from typing import Any

from wellworn.detectors.base import Detector, Options, falling, of_samples
from wellworn.errors import Unscorable
from wellworn.records import Record, View


def distinct_share(record: Record, *, view: View) -> float:
    """Return the share of different texts among the samples, in (0, 1]."""
    texts = _texts(record, view)
    return len(set(texts)) / len(texts)


def mean_length(record: Record, *, view: View) -> float:
    """Return the mean length of the samples, in characters."""
    texts = _texts(record, view)
    return fsum(map(len, texts)) / len(texts)


def _texts(record: Record, view: View) -> list[str]:
    """Return the texts of the samples.

    Raises:
        Unscorable: There are fewer than two, all are blank, or the view is hidden.
    """
    texts = [sample.view(view) for sample in record.completions("sample")]
    if len(texts) < 2:
        raise Unscorable(f"a comparison needs 2 completions; this prompt has {len(texts)}")
    if not any(text.strip() for text in texts):
        raise Unscorable(f"all {len(texts)} completions are empty in the {view} view")
    return texts


def _parameters(options: Options, m: int) -> dict[str, Any]:
    return {"view": options.view}


DISTINCT = Detector(
    name="distinct-share",
    summary="share of different texts among m samples",
    paper="ours",
    measure=distinct_share,
    score=lambda share: 1 - share,
    orientation="1 - value",
    parameters=_parameters,
    needs=of_samples,
)
LENGTH = Detector(
    name="mean-length",
    summary="mean characters of m samples; a nuisance measure, no evidence",
    paper="ours",
    measure=mean_length,
    score=falling,
    orientation="-value",
    parameters=_parameters,
    needs=of_samples,
)
