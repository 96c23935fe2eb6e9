"""Two runs for the tests of their page: made up, but with the shape of real ones."""

from datetime import UTC, datetime

import numpy as np

import pages
from wellworn.records import Record
from wellworn.report.paired import Paired, PairedItem
from wellworn.statistics.change import change
from wellworn.statistics.comparison import compare

PARAMETERS = {name: value for name, value in pages.PARAMETERS.items() if name != "model"}
COMMAND = "wellworn compare runs/base runs/step200"
REASON = "all 2 completions are empty in the full view"
RISES = {"suspects": 0.2, "references": 0.1}


def item(name, number, first, second):
    """Return a prompt of both runs; without one of the scores it has a reason."""
    known = first is not None and second is not None
    return PairedItem(
        prompt_id=pages.question(name, number).id,
        set=name,
        prompt=pages.question(name, number).shown[:200],
        source=f"{name}.jsonl:{number + 1}",
        first=first,
        second=second,
        change=second - first if known else None,
        reason=None if known else REASON,
    )


def items_of(name, number):
    """Return prompts of a set, most of which rise; the last of nine or more has no change."""
    draw = np.random.default_rng(number if name == "suspects" else number + 1)
    first = draw.uniform(0.2, 0.6, number)
    second = np.clip(first + draw.normal(RISES[name], 0.1, number), 0, 1)
    pairs = [*zip(first.tolist(), second.tolist(), strict=True)]
    if number >= 9:
        pairs[-1] = (pairs[-1][0], None)
    return [item(name, place, *pair) for place, pair in enumerate(pairs)]


def paired_of(items, **fields):
    """Return what the page shows of these prompts."""
    known = {
        name: [each for each in items if each.set == name and each.change is not None]
        for name in ("suspects", "references")
    }
    changes = {
        name: change([i.first for i in each], [i.second for i in each]) if len(each) > 1 else None
        for name, each in known.items()
    }
    both = [[each.change for each in known[name]] for name in known]
    given = {
        "wellworn": "0.1.0",
        "created": datetime(2026, 3, 1, tzinfo=UTC).isoformat(),
        "first_run": "runs/base",
        "second_run": "runs/step200",
        "first_model": "openai/base",
        "second_model": "openai/step200",
        "detector": "min-knn",
        "paper": "arXiv 2602.11792",
        "orientation": "1 - value",
        "parameters": PARAMETERS,
        "difference": compare(*both) if min(map(len, both)) > 1 else None,
        "items": tuple(items),
        "notes": ("1 prompts of runs/step200 are not in runs/base.",),
    }
    return Paired(**given | changes | fields)


def paired(suspects=24, references=16):
    """Return what the page shows of so many made-up prompts."""
    return paired_of(items_of("suspects", suspects) + items_of("references", references))


def records_of(suspects, references):
    """Return the records of both runs: on many paths in the first, on few in the second."""
    return [
        [
            Record(
                prompt=pages.question(name, place),
                probes={"sample": pages.answers(name, place, spread)},
            )
            for name, number in (("suspects", suspects), ("references", references))
            for place in range(number)
        ]
        for spread in (0.9, 0.2)
    ]
