"""An ablation in the terminal and as a folder."""

import json
from io import StringIO

import msgspec
import pytest
from rich.console import Console

from wellworn.errors import BadInput
from wellworn.records import Generation
from wellworn.report.ablation import Ablation, Axis, Point, show
from wellworn.report.ablation_charts import write_ablation
from wellworn.report.encoding import to_json

READ = {"samples": 8, "k": 3, "unit": "char", "view": "full", "model": "openai/m", "seed": 1}
DEFAULT = Point(
    at=8,
    default=True,
    parameters=READ,
    auc=0.75,
    low=0.6,
    high=0.9,
    draws=1,
    members=20,
    non_members=30,
)
FEWER = msgspec.structs.replace(
    DEFAULT,
    at=4,
    default=False,
    parameters=READ | {"samples": 4, "k": 1},
    auc=0.6254,
    draws=20,
    spread=(0.55, 0.7),
    members=19,
    lacking="1 prompt without a score: why",
)
WORD = msgspec.structs.replace(
    DEFAULT, at="word", default=False, parameters=READ | {"unit": "word"}
)
NONE = Point(at="token", reason="50 prompts without a score: no token ids")
ABLATION = Ablation(
    wellworn="0",
    created="2026-02-12T00:00:00+00:00",
    runs=("runs/a",),
    detector="min-knn",
    paper="arXiv 2602.11792",
    orientation="1 - value",
    setting=Generation(model="openai/m"),
    members=20,
    non_members=30,
    unlabelled=2,
    unmatched=1,
    default=msgspec.structs.replace(DEFAULT, at="default"),
    axes=(
        Axis(
            name="m", label="completions", scale="log", points=(FEWER, DEFAULT), notes=("A note.",)
        ),
        Axis(name="unit", label="what an edit changes", scale="words", points=(WORD, NONE)),
        Axis(name="view", label="what is read", scale="words", points=(NONE,)),
    ),
    notes=("The axis k is left out.",),
)


def test_the_terminal_has_a_table_for_each_axis():
    out = StringIO()
    show(ABLATION, Console(file=out, width=100))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert lines[:2] == [
        "min-knn, m = 8, k = 3, unit = char, view = full",
        "20 members, 30 non-members",
    ]
    assert "m AUC 95 % 5-95 % of draws members others" in lines
    assert "4 0.625 0.60-0.90 0.55-0.70 19 30 k = 1; 1 prompt without a score: why" in lines
    assert "8 0.750 0.60-0.90 - 20 30 default" in lines
    assert "• A note." in lines
    assert "unit AUC 95 % members others" in lines
    assert "word 0.750 0.60-0.90 20 30" in lines
    assert "token - - 0 0 50 prompts without a score: no token ids" in lines
    assert lines[-3:] == [
        "• 2 prompts without a label, left out.",
        "• 1 label of prompts that no run has.",
        "• The axis k is left out.",
    ]


def test_the_folder_has_the_numbers_and_a_chart_of_each_axis_with_an_auc(tmp_path):
    folder = tmp_path / "new" / "ablation"
    files = write_ablation(ABLATION, folder)
    assert [file.name for file in files] == [
        "ablation.json",
        *("m.vl.json", "m.svg", "m.png"),
        *("unit.vl.json", "unit.svg", "unit.png"),
    ]
    assert sorted(folder.iterdir()) == sorted(files)
    assert msgspec.json.decode(files[0].read_bytes(), type=Ablation) == ABLATION
    assert files[0].read_text() == to_json(ABLATION)


def test_charts_say_what_was_measured_and_what_is_missing(tmp_path):
    write_ablation(ABLATION, tmp_path)
    titles = [
        json.loads((tmp_path / f"{name}.vl.json").read_text())["title"] for name in ("m", "unit")
    ]
    assert titles[0] | {"anchor": None} == {
        "anchor": None,
        "text": "AUC over m",
        "subtitle": [
            "min-knn, k = 1-3, unit = char, view = full",
            "19-20 members against 30 non-members",
            "band: 95 % interval over prompts; orange: 5 % to 95 % of 20 draws; open: default",
        ],
    }
    assert (titles[1]["text"], titles[1]["subtitle"]) == (
        "AUC by unit",
        [
            "min-knn, m = 8, k = 3, view = full",
            "20 members against 30 non-members",
            "bar: 95 % interval over prompts",
            "no AUC at token",
        ],
    )


def test_a_file_in_the_way_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot be made"):
        write_ablation(ABLATION, tmp_path / "file")
