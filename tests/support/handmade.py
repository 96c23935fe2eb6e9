"""Audits that the tests of reports show, made by hand."""

from wellworn.records import Counts, Score, chat
from wellworn.report.sides import Side
from wellworn.report.summary import Context

PARAMETERS = {
    "samples": 8,
    "k": 3,
    "unit": "char",
    "view": "full",
    "model": "openai/m",
    "temperature": 0.7,
    "top_p": 0.95,
    "max_tokens": 64,
    "extra": {},
}
FULL = Counts(completions=8, distinct=8)


def context(**changes):
    """Return what a summary says beside the scores, with some of it changed."""
    plain = Context(
        "runs/a", None, "min-knn", "arXiv 2602.11792", "1 - value", subset=False, notes=()
    )
    return plain._replace(**changes)


def scored(prompt, value, counts=FULL, **parameters):
    """Return the score of a prompt; none, for a reason, where `value` is a text."""
    reason = value if isinstance(value, str) else None
    number = None if reason else value
    return Score(
        prompt_id=prompt.id,
        detector="min-knn",
        value=number,
        score=None if number is None else 1 - number,
        reason=reason,
        counts=counts,
        parameters=PARAMETERS | parameters,
    )


def side(name, values, counts=FULL, prompts=None, **parameters):
    """Return a set whose prompts have these values, in order."""
    prompts = prompts or [chat(f"{name} {i}") for i in range(len(values))]
    return Side(
        name,
        prompts,
        [scored(p, v, counts, **parameters) for p, v in zip(prompts, values, strict=True)],
    )
