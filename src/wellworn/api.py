"""The Python interface: what the command line does, as functions that return values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellworn.audits import audit_model
from wellworn.backends import Target
from wellworn.detectors import Options
from wellworn.detectors.min_knn import default_k
from wellworn.distance import min_knn_distance
from wellworn.errors import BadInput
from wellworn.judging import Scoring, current_setting
from wellworn.pipeline import Plan
from wellworn.prompts import PromptSet
from wellworn.records import Prompt, Record, Score, chat
from wellworn.report.frames import rows
from wellworn.report.summary import Summary
from wellworn.sampler import Sampling
from wellworn.store import Store

if TYPE_CHECKING:
    import pandas
    import polars

Prompts = str | Path | Iterable[str | Prompt]


def audit(
    prompts: Prompts,
    reference: Prompts | None = None,
    *,
    model: str | Target,
    run: str | Path,
    sampling: Sampling | None = None,
    options: Options | None = None,
) -> Summary:
    """Audit a model for `prompts` against `reference`, and return the summary.

    Args:
        prompts: The suspects: a file, or prompts; a plain string in a list is a user's turn.
        reference: Prompts that cannot have been trained on. Without them no claim follows.
        model: provider/name, or a `Target` that says more, such as the server's address.
        run: The folder that keeps everything. The same call goes on from what it holds.
        sampling: How completions are drawn; by default as the Min-kNN paper does.
        options: How they are measured.

    Raises:
        BadInput: A file, an option or the run is not as it should be.
        BackendError: The model cannot be reached, or refuses everything.
    """
    plan = Plan(
        target=model if isinstance(model, Target) else Target(model=model),
        prompts=_prompt_set(prompts),
        reference=None if reference is None else _prompt_set(reference),
        run=run,
        sampling=sampling or Sampling(),
    )
    return audit_model(plan, Scoring(), options or Options())


def min_knn(texts: Sequence[str], k: int | None = None) -> float:
    """Return the Min-kNN Distance of one prompt's completions, in [0, 1].

    Args:
        texts: Two completions or more; the paper has 32.
        k: How many nearest-neighbour distances to average; by default 10 of 32, or the
            same share. With fewer than k texts, all are averaged.

    Raises:
        BadInput: There are fewer than two texts, one text is given in place of several, or
            k is below 1.

    >>> min_knn(["the same", "the same", "the same", "another"], k=2)
    0.0
    """
    if isinstance(texts, str):
        raise BadInput(f"min_knn compares several texts; it was given one: {texts!r:.60}.")
    return min_knn_distance(texts, default_k(len(texts)) if k is None else k)


def load_records(run: str | Path) -> list[Record]:
    """Return the prompts of a run with their completions, of its latest setting.

    Raises:
        BadInput: There is no run, or it holds no completions.
    """
    with Store(run) as store:
        return list(store.records(current_setting(store)))


def to_pandas(results: Summary | Iterable[Score]) -> pandas.DataFrame:
    """Return one row an item, as a pandas data frame.

    Raises:
        BadInput: pandas is not installed.
    """
    pandas = _library("pandas")
    return pandas.DataFrame(rows(results))


def to_polars(results: Summary | Iterable[Score]) -> polars.DataFrame:
    """Return one row an item, as a Polars data frame.

    Raises:
        BadInput: Polars is not installed.
    """
    polars = _library("polars")
    return polars.DataFrame(rows(results), infer_schema_length=None)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise BadInput(f"{name} is not installed.\nInstall it with `pip install {name}`.") from None


def _prompt_set(prompts: Prompts) -> str | PromptSet:
    if isinstance(prompts, str | Path):
        return str(prompts)
    found = [prompt if isinstance(prompt, Prompt) else chat(prompt) for prompt in prompts]
    return PromptSet(prompts=tuple({prompt.id: prompt for prompt in found}.values()), notes=())
