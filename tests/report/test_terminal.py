"""The terminal report: what it says, that it fits in 80 columns, and that text stays text."""

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from handmade import context, side
from wellworn.records import Counts, chat
from wellworn.report.summary import summarize
from wellworn.report.terminal import show

SUSPECTS = [0.1, 0.2, 0.3, 0.4]
REFERENCES = [0.25, 0.5, 0.6, 0.7, 0.8]


def summary_of(suspects=None, references=None, **changes):
    return summarize(
        suspects or side("suspects", SUSPECTS),
        references or side("references", REFERENCES),
        context(**changes),
    )


def shown(summary, width=80, **options):
    """Return the lines that a terminal of this width gets, without trailing blanks."""
    file = io.StringIO()
    show(summary, Console(file=file, width=width, **options))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def row(lines, name):
    [found] = [line.split()[1:] for line in lines if line.split()[:1] == [name] and "%" in line]
    return found


def words(lines):
    """Return the text without the lines of boxes and breaks."""
    return " ".join(" ".join(lines).replace("│", " ").split())


def test_the_verdict_comes_first_with_all_its_reasons():
    summary = summary_of(side("suspects", [0.1] * 8), side("references", [0.8] * 8))
    lines = shown(summary)
    assert " CONVERGED, NOT ATTRIBUTABLE " in lines[0]
    text = words(lines)
    assert summary.verdict.sentence in text
    for reason in summary.verdict.reasons:
        assert reason in text
    assert text.index(summary.verdict.sentence) < text.index("AUC")


def test_the_numbers_by_hand():
    lines = shown(summary_of())
    assert row(lines, "suspects") == ["4", "4", "0.250", "0.18-0.32", "0%", "0%", "0%"]
    assert row(lines, "references") == ["5", "5", "0.600", "0.50-0.70", "0%", "0%", "0%"]
    assert "min-knn, k = 3 of m = 8, T = 0.7, top-p = 0.95 openai/m" in words(lines)


def test_the_comparison_in_one_sentence():
    summary = summary_of()
    found = summary.comparison
    assert (
        f"AUC 0.90 [{found.low:.2f}, 1.00], one-sided p = 0.032 (exact); "
        f"an AUC of 1.00 would be seen in 80 % of such audits." in words(shown(summary))
    )


def test_without_references_there_is_no_comparison():
    lines = shown(summarize(side("suspects", SUSPECTS), None, context()))
    assert "INSUFFICIENT DATA" in lines[0]
    assert "No reference set was given" in words(lines)
    assert not [line for line in lines if "references" in line.split()[:1]]
    assert "AUC" not in words(lines)


def test_a_set_without_a_score_is_shown_without_numbers():
    unknown = Counts(completions=8, distinct=8, finish_unknown=8)
    lines = shown(summary_of(side("suspects", ["why"] * 4, unknown)))
    assert row(lines, "suspects") == ["4", "0", "-", "-", "?", "0%", "0%"]


def test_the_nearest_suspects_are_listed_by_distance():
    prompts = [chat(text) for text in ("far", "near", "middle", "x", "y", "z")]
    lines = shown(summary_of(side("suspects", [0.9, 0.1, 0.5, 0.6, 0.7, 0.8], prompts=prompts)))
    start = lines.index("  distance  suspects with the highest scores")
    assert lines[start + 1 : start + 6] == [
        "     0.100  near",
        "     0.500  middle",
        "     0.600  x",
        "     0.700  y",
        "     0.800  z",
    ]
    assert "far" not in words(lines)


def test_what_all_prompts_begin_with_is_left_out():
    template = "Solve this step by step, and put the final answer into a box at the end: number"
    suspects = [chat(f"{template} {i}") for i in range(2)]
    references = [chat(f"{template} x{i}") for i in range(2)]
    text = words(
        shown(
            summary_of(
                side("suspects", [0.1, 0.2], prompts=suspects),
                side("references", [0.5, 0.6], prompts=references),
            )
        )
    )
    assert "0.100 0 0.200 1" in text
    assert "Solve" not in text


def test_items_that_were_left_out_of_the_comparison_are_not_listed_as_nearest():
    blank = Counts(completions=8, empty=2, distinct=7)
    suspects = side("suspects", [0.0, 0.1, 0.2, 0.3, 0.4])
    suspects.scores[0] = side("suspects", [0.0], blank).scores[0]
    lines = shown(summary_of(suspects))
    assert row(lines, "suspects")[:2] == ["5", "4"]
    assert "0.000" not in words(lines)
    assert "1 prompt with two or more empty or filtered completions" in words(lines)


def test_the_bars_show_where_each_set_lies():
    lines = shown(
        summary_of(side("suspects", [0.0, 0.0, 0.5, 0.5]), side("references", [1.0] * 8 + [0.99]))
    )
    scale = next(line for line in lines if line.startswith("  distance  0"))
    suspects, references = lines[lines.index(scale) + 1 : lines.index(scale) + 3]
    assert (scale.index("0"), scale.index("1")) == (12, 12 + 39)
    assert suspects == "  suspects  █" + " " * 19 + "█"
    assert references == "references  " + " " * 39 + "█"


def test_a_single_low_value_beside_many_is_still_seen():
    lines = shown(summary_of(references=side("references", [0.0] + [0.9] * 500)))
    assert any(line.startswith("references  ▁") for line in lines)


@pytest.mark.parametrize(("p", "text"), [(0.5, "0.50"), (0.0321, "0.032"), (0.0001, "0.0001")])
def test_p_values_keep_two_digits(p, text):
    summary = summary_of()
    found = replace(summary, comparison=replace(summary.comparison, p=p))
    assert f"p = {text} (" in words(shown(found))


LONG = "How many of the numbers from 1 to 10,000 are divisible by neither 3 nor 7? " * 3


@pytest.mark.parametrize("width", [80, 100])
def test_it_is_legible_in_a_narrow_terminal(width):
    counts = Counts(completions=8, empty=1, distinct=4, truncated=4)
    suspects = side("suspects", [i / 10_000 for i in range(1234)], counts)
    suspects.prompts[0] = chat(LONG)
    lines = shown(summary_of(suspects, notes=[LONG]), width)
    assert max(map(len, lines)) <= width
    assert row(lines, "suspects") == ["1234", "1234", "0.062", "0.03-0.09", "50%", "12%", "50%"]
    assert any(line.endswith("…") and "How many of the" in line for line in lines)
    assert words([LONG]) in words(lines)  # notes are wrapped, not cut


MARKUP = "[bold] [/red] [link=http://x]y[/] \\[a] :smile: {x} %s"


def test_markup_in_a_prompt_or_a_note_is_text():
    prompts = [chat(f"{i} {MARKUP}") for i in range(4)]
    text = words(shown(summary_of(side("suspects", SUSPECTS, prompts=prompts), notes=[MARKUP])))
    assert text.count(words([MARKUP])) == 5


def test_markup_in_a_reason_is_text():
    text = words(shown(summary_of(side("suspects", [*SUSPECTS, "no [/red] [bold]"]))))
    assert "1 without a score: no [/red] [bold]." in text


@pytest.mark.parametrize("start", ["\x1b[2J\x1b]0;title\x07", "a\r\n\tb\x00c", "\ud800\u202e"])
def test_no_prompt_commands_the_terminal_or_breaks_the_line(start):
    prompts = [chat(f"{i} {start} end") for i in range(4)]
    lines = shown(summary_of(side("suspects", SUSPECTS, prompts=prompts)))
    text = "\n".join(lines)
    assert not any(c in text for c in "\x1b\x07\r\x00\ud800\u202e")
    assert sum(line.endswith("end") for line in lines) == 4
    text.encode()


def test_colours_are_only_for_terminals():
    assert "\x1b" not in "".join(shown(summary_of()))
    assert "\x1b" in "".join(shown(summary_of(), force_terminal=True, color_system="standard"))
