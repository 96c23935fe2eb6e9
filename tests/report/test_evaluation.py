"""The evaluation in a terminal: every number, what is missing and why, in 80 columns."""

import io

import numpy as np
import pytest
from msgspec.structs import replace
from rich.console import Console

from wellworn.report.evaluation import show
from wellworn.statistics import comparison
from wellworn.statistics.blind import baselines
from wellworn.statistics.evaluation import Common, Evaluation, Row, metrics_of
from wellworn.statistics.paired import compare_pairs

LABELS = np.array([True] * 10 + [False] * 20)
SCORES = np.array([20, 19, 18, 17, 16, 15, 14, 13, 3, 2, *range(10), *range(10)], dtype=float)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", 500)


def row(detector, scores=SCORES, **changes):
    plain = Row(
        detector=detector,
        parameters={},
        members=10,
        non_members=20,
        left_out=0,
        metrics=metrics_of(LABELS, scores, published=True),
    )
    return replace(plain, **changes)


def evaluation(detectors, **changes):
    """Return an evaluation of detectors that score everything, with some of it changed."""
    named = {each.detector: SCORES + i * (SCORES == 3) * 9 for i, each in enumerate(detectors)}
    blind = baselines(LABELS, {"characters": SCORES // 20, "commas": SCORES * 0 - LABELS})
    common = Common(
        members=10,
        non_members=20,
        detectors=tuple(detectors),
        pairs=compare_pairs(LABELS, named),
        blind=blind,
    )
    plain = Evaluation(
        wellworn="0",
        created="now",
        run="runs/a",
        members=10,
        non_members=20,
        unlabelled=0,
        unmatched=0,
        detectors=tuple(detectors),
        blind=blind,
        common=common,
        warnings=(),
        notes=(),
    )
    return replace(plain, **changes)


def shown(found, width=80):
    file = io.StringIO()
    show(found, Console(file=file, width=width))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def cells(lines, name):
    """Return what stands after a name, row by row."""
    return [line.split()[1:] for line in lines if line.split()[:1] == [name]]


def words(lines):
    return " ".join(" ".join(lines).replace("│", " ").split())


def test_the_numbers_of_a_detector_by_hand():
    """8 of 10 members are above all others; the two last win 3.5 and 2.5 of 10 pairs each."""
    found = evaluation([row("d")])
    main, rates, published = cells(shown(found), "d")
    auc = found.detectors[0].metrics.comparison
    assert auc.auc == pytest.approx((8 + 0.35 + 0.25) / 10)
    assert main[:3] == ["10", "20", "0.86"]
    assert main[3:5] == [f"[{auc.low:.2f},", f"{auc.high:.2f}]"]
    assert main[5] == f"{2 * 8 / (8 + 10):.2f}"
    assert main[6] == f"{found.detectors[0].metrics.cross_fitted.f1:.2f}"
    assert rates == ["-", "0.80", "[0.44,", "0.97]", "0.80", "[0.44,", "0.97]"]
    assert published == ["0.86", "0.89", "0.93", "0.89", "0.93", "0.80"]


def test_a_level_that_is_not_given_says_why():
    text = words(shown(evaluation([row("d")])))
    assert "TPR at 1 % FPR is not given: it needs 100 non-members; there are 20." in text


def test_blind_baselines_stand_beside_with_their_flags():
    lines = shown(evaluation([row("d")]))
    [characters], [commas] = cells(lines, "characters"), cells(lines, "commas")
    assert characters[0] == "0.55"
    assert characters[-1] == "0.05"
    assert commas == ["0.00", "[0.00,", "0.31]", "0.50", "separates,", "reversed"]


def test_a_warning_comes_first():
    lines = shown(evaluation([row("d")], warnings=("Text tells.",)))
    assert "WARNING" in lines[0]
    assert words(lines[:3]).count("Text tells.") == 1


def test_one_set_of_tables_where_all_score_all_and_two_where_not():
    assert words(shown(evaluation([row("d")]))).count("Blind baselines") == 1
    fewer = evaluation([row("d")])
    fewer = replace(fewer, common=replace(fewer.common, members=9))
    text = words(shown(fewer))
    assert text.count("Blind baselines") == 2
    assert "Detectors: each on what it scores of 10 members, 20 non-members" in text
    assert "Detectors: 9 members, 20 non-members that all score" in text


def test_a_detector_without_numbers_is_listed_with_the_reason():
    lone = row("lone", metrics=None, members=1, left_out=9, reason="too few [bold]")
    lines = shown(evaluation([lone], common=None))
    assert cells(lines, "lone") == [["1", "20", "-", "-", "-", "-"]]
    assert "• lone: too few [bold]." in lines
    assert not cells(lines, "-")


def test_pairs_are_listed_by_p_value_and_what_was_not_tested_says_why():
    found = evaluation([row("a"), row("b"), row("c")])
    first = min(found.common.pairs, key=lambda pair: pair.delong_p or 1)
    lines = shown(found)
    listed = [line.split()[:3] for line in lines if line.startswith((" a - ", " b - "))]
    assert listed[0] == [first.first, "-", first.second]
    assert len(listed) == 3
    same = replace(found.common.pairs[0], delong_p=None, reason="they are one")
    text = words(shown(replace(found, common=replace(found.common, pairs=(same,)))))
    assert "a - b: not tested, since they are one." in text


def test_only_so_many_pairs_are_listed():
    found = evaluation([row(name) for name in "abcdefg"])
    assert len(found.common.pairs) == 21
    assert "• 6 pairs of detectors more: evaluation.json." in shown(found)


def test_what_was_left_out_is_counted():
    found = evaluation([row("d")], unlabelled=3, unmatched=1, notes=("d: 2 without.",))
    lines = shown(found)
    assert "• 3 prompts of the run without a label, left out." in lines
    assert "• 1 label of prompts that the run does not have." in lines
    assert "• d: 2 without." in lines


@pytest.mark.parametrize("name", ["d", "a-detector-with-a-very-long-name-as-published", "[red]"])
def test_it_fits_into_80_columns(name):
    lines = shown(evaluation([row(name), row("other")], warnings=("Text tells. " * 20,)))
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
