"""What a plan says, and which sizes it takes."""

import json

import pytest


def test_sizes_as_numbers(wellworn):
    code, out, _ = wellworn("plan", "--suspects", "15", "--references", "15")
    assert code == 0
    assert "15 suspects against 15 references cannot see an AUC below about 0.80" in out
    assert "of a single prompt, 0.062" in out


def test_sizes_as_files(wellworn, tmp_path):
    (tmp_path / "a.txt").write_text("a\nb\nc\n")
    _, out, _ = wellworn("plan", "--prompts", tmp_path / "a.txt", "--references", "20", "--json")
    found = json.loads(out)
    assert (found["suspects"], found["references"], found["possible"]) == (3, 20, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suspects", "9"], "Give --references N or --reference FILE, and not both."),
        (["--suspects", "1", "--references", "9"], "--suspects is 1; a comparison needs 2 or more"),
    ],
)
def test_what_is_no_size_is_refused(wellworn, arguments, message):
    code, _, err = wellworn("plan", *arguments)
    assert code == 2
    assert message in err
