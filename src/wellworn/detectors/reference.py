"""docs/detectors.md, from the table and the docstrings: `python -m wellworn.detectors.reference`.

The same rows are what `wellworn list detectors` shows.
"""

import inspect
from importlib import import_module
from types import ModuleType

from wellworn.detectors import DETECTORS, entropies, load, syntax
from wellworn.detectors.base import Detector, Options
from wellworn.probes import PROBES, union

M = 32
"""Samples a prompt, where a detector reads samples."""

_HEAD = """# Detectors

What each detector of `wellworn list detectors` measures, when to use it, and what is wrong with
it. This page is generated from the source (`make docs`).

Every `score` is *higher = more likely trained on*; `value` is the number as its paper defines it.
Those whose name ends in `-published` give the numbers of published code, and their scores follow
the direction of that code. A detector reads the answers to its probes and the prompt, and nothing
else: no label and no metadata. Where it cannot say anything there is a reason and no number. What
a number depends on is recorded with it, and scores compare only where all of that is equal.

None of them is evidence alone. Easy prompts converge, are answered surely and have short answers,
trained on or not: see [statistics.md](statistics.md) for what may be claimed, and
[footguns.md](footguns.md) for what misleads.

Needs are for 32 samples a prompt and default options. One greedy answer serves all detectors that
read it, so several of them cost little more than one.
"""


def rows() -> list[dict[str, str]]:
    """Return what is to be known of every detector, in the order of the table."""
    return [row_of(load(name)) for name in DETECTORS]


def row_of(detector: Detector) -> dict[str, str]:
    """Return what is to be known of a detector, by heading."""
    asked = union(detector.needs(Options(), M)).values()
    return {
        "name": detector.name,
        "what": detector.summary,
        "needs": ", ".join(f"{need.probe} x {need.completions}" for need in asked),
        "calls an item": str(sum(need.completions for need in asked)),
        "log-probabilities": log_probabilities(detector),
        "score": detector.orientation,
        "paper": detector.paper,
    }


def log_probabilities(detector: Detector) -> str:
    """Return which log-probabilities a detector needs, in a word or two."""
    needs = detector.needs(Options(), M)
    if any(PROBES[need.probe].reads for need in needs):
        return "of a text it reads"
    if not any(need.signals for need in needs):
        return "none"
    if "whole distributions" in detector.requires:
        return "whole distributions"
    return "top tokens" if "top log-probabilities" in detector.requires else "chosen tokens"


def page() -> str:
    """Return docs/detectors.md."""
    families: dict[str, list[Detector]] = {}
    for name, place in DETECTORS.items():
        families.setdefault(place.partition(":")[0], []).append(load(name))
    sections = [_section(import_module(module), found) for module, found in families.items()]
    shared = [_text(module) for module in (entropies, syntax)]
    return "\n\n".join([_HEAD + "\n" + _table(rows(), "name", "what", "paper"), *sections, *shared])


def _section(module: ModuleType, detectors: list[Detector]) -> str:
    table = [row_of(detector) | {"parameters": _parameters(detector)} for detector in detectors]
    headings = ("name", "needs", "log-probabilities", "parameters", "score")
    return f"{_text(module)}\n\n{_table(table, *headings)}"


def _parameters(detector: Detector) -> str:
    settled = detector.parameters(Options(), M)
    return ", ".join(f"{name} = {value}" for name, value in settled.items()).replace("None", "all")


def _text(module: ModuleType) -> str:
    """Return the docstring of a module; its first line is the heading."""
    heading, _, text = inspect.cleandoc(module.__doc__ or "").partition("\n")
    return f"## {heading.rstrip('.')}\n\n{text.strip()}"


def _table(table: list[dict[str, str]], *headings: str) -> str:
    lines = [headings, ("---",) * len(headings)]
    lines += [tuple(_cell(row, heading) for heading in headings) for row in table]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(row: dict[str, str], heading: str) -> str:
    return f"`{row[heading]}`" if heading in ("name", "score") else row[heading]


if __name__ == "__main__":
    print(page())
