"""The terminal shows an audit by whatever detector the verdict rests on."""

from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from handmade import context, scored
from wellworn.detectors import DETECTORS, Options, load
from wellworn.records import chat
from wellworn.report.sides import Side
from wellworn.report.summary import summarize
from wellworn.report.terminal import show


def side(name, detector, values):
    prompts = [chat(f"{name} {i}") for i in range(len(values))]
    parameters = detector.parameters(Options(), 8) | {"model": "m"}
    scores = [
        replace(scored(p, 0.5), value=v, score=detector.score(v), parameters=parameters)
        for p, v in zip(prompts, values, strict=True)
    ]
    return Side(name, prompts, scores)


@pytest.mark.parametrize("name", DETECTORS)
@pytest.mark.parametrize("values", [[0.2, 0.4, 0.6], [3.0, 40.0, 900.0], [-4.0, -2.5, -2.5]])
def test_every_detector_and_every_range(name, values):
    detector = load(name)
    sides = [side(each, detector, values) for each in ("suspects", "references")]
    asked = context(detector=name, orientation=detector.orientation, paper=detector.paper)
    console = Console(width=100, record=True, quiet=False, file=StringIO())
    show(summarize(*sides, asked), console)
    text = console.export_text()
    assert name in text
    assert "suspects with the highest scores" in text
    assert f"{min(values):.4g}" in text or "0 " in text
