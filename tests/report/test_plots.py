"""Charts: what Vega-Lite is told to draw, and the three files of each."""

import json

import pytest

from wellworn.report.plots import HEIGHT, WIDTH, Mark, Wording, auc_chart, write_chart

MARKS = (
    Mark(2, 0.55, 0.45, 0.65, spread=(0.5, 0.6)),
    Mark(8, 0.6, 0.5, 0.7, spread=(0.55, 0.65)),
    Mark(32, 0.75, 0.65, 0.85, default=True),
)
WORDING = Wording("AUC over m", "m, completions of each prompt", ("first line", "second line"))


def drawn(marks=MARKS, scale="log"):
    return auc_chart(marks, WORDING, scale).to_dict()


def layers(chart, mark):
    """Return the layers of a kind of mark, also those within layers."""
    flat = [deep for layer in chart["layer"] for deep in layer.get("layer", [layer])]
    return [layer for layer in flat if layer["mark"]["type"] == mark]


def test_all_numbers_are_in_the_specification():
    rows = drawn()["data"]["values"]
    assert rows[0] == {
        "x": 2, "auc": 0.55, "low": 0.45, "high": 0.65, "from": 0.5, "to": 0.6, "default": False
    }  # fmt: skip
    assert (rows[2]["from"], rows[2]["to"], rows[2]["default"]) == (None, None, True)


def test_titles_and_axes_are_named():
    chart = drawn()
    assert chart["title"]["text"] == "AUC over m"
    assert chart["title"]["subtitle"] == ["first line", "second line"]
    [line] = layers(chart, "line")
    assert line["encoding"]["x"]["axis"]["title"] == "m, completions of each prompt"
    assert line["encoding"]["x"]["axis"]["values"] == [2, 8, 32]
    assert line["encoding"]["x"]["scale"]["type"] == "log"
    assert line["encoding"]["y"]["title"] == "AUC"
    assert (chart["width"], chart["height"]) == (WIDTH, HEIGHT)


@pytest.mark.parametrize(
    ("low", "spread", "floor"),
    [
        (0.95, None, 0.4),
        (0.45, None, 0.4),
        (0.39, None, 0.3),
        (0.45, (0.1, 0.5), 0.1),
        (0, None, 0),
    ],
)
def test_the_axis_holds_chance_and_all_that_is_drawn(low, spread, floor):
    [line] = layers(drawn([Mark(1, 0.97, low, 1.0, spread), MARKS[2]]), "line")
    assert line["encoding"]["y"]["scale"]["domain"] == [floor, 1]


def test_words_stand_side_by_side_and_are_not_joined():
    chart = drawn([Mark("char", 0.6, 0.5, 0.7, default=True), Mark("ast", 0.5, 0.4, 0.6)], "words")
    assert layers(chart, "line") == layers(chart, "area") == []
    assert layers(chart, "point")[0]["encoding"]["x"]["sort"] == ["char", "ast"]


def test_one_point_alone_has_a_bar():
    chart = drawn([MARKS[2]])
    assert layers(chart, "line") == layers(chart, "area") == []


def test_a_chart_is_written_in_three_formats(tmp_path):
    files = write_chart(auc_chart(MARKS, WORDING, "log"), tmp_path, "m")
    assert [file.name for file in files] == ["m.vl.json", "m.svg", "m.png"]
    assert json.loads(files[0].read_text())["$schema"].startswith("https://vega.github.io/schema/")
    picture = files[1].read_text()
    for text in ("AUC over m", "second line", "chance", "m, completions of each prompt"):
        assert text in picture
    png = files[2].read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) > 2 * WIDTH  # pixels across
