"""Was this prompt in a language model's RL (RLVR) training data?

The flow, which is also the order of imports:

    prompts ─▶ probes ─▶ sampler ─▶ store ─▶ detectors ─▶ scoring ─▶ statistics ─▶ report
                           ▲          ▲
                       backends    readers

    >>> import wellworn
    >>> wellworn.min_knn(["aaaa", "aaab", "abbb", "cccc"], k=2)
    0.25

`wellworn.audit` does the whole line, `wellworn.score` measures records, and
`wellworn.to_pandas` or `wellworn.to_polars` makes a table of what either returns. Nothing
heavy is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellworn.api import audit, load_records, min_knn, to_pandas, to_polars
    from wellworn.audits import Stored, audit_model, audit_runs
    from wellworn.backends import Target
    from wellworn.detectors.base import Options
    from wellworn.errors import BackendError, BadInput, WellwornError
    from wellworn.judging import Scoring
    from wellworn.pipeline import Plan
    from wellworn.records import Completion, Generation, Prompt, Record, Score, chat
    from wellworn.report.summary import Summary
    from wellworn.sampler import Sampling
    from wellworn.scoring import score

__all__ = [
    "BackendError",
    "BadInput",
    "Completion",
    "Generation",
    "Options",
    "Plan",
    "Prompt",
    "Record",
    "Sampling",
    "Score",
    "Scoring",
    "Stored",
    "Summary",
    "Target",
    "WellwornError",
    "audit",
    "audit_model",
    "audit_runs",
    "chat",
    "load_records",
    "min_knn",
    "score",
    "to_pandas",
    "to_polars",
]

_HOMES = {
    "wellworn.api": ("audit", "load_records", "min_knn", "to_pandas", "to_polars"),
    "wellworn.audits": ("Stored", "audit_model", "audit_runs"),
    "wellworn.backends": ("Target",),
    "wellworn.detectors.base": ("Options",),
    "wellworn.errors": ("BackendError", "BadInput", "WellwornError"),
    "wellworn.judging": ("Scoring",),
    "wellworn.pipeline": ("Plan",),
    "wellworn.records": ("Completion", "Generation", "Prompt", "Record", "Score", "chat"),
    "wellworn.report.summary": ("Summary",),
    "wellworn.sampler": ("Sampling",),
    "wellworn.scoring": ("score",),
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'wellworn' has no attribute '{name}'")
