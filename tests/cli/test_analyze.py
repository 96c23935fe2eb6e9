"""`wellworn analyze` on the command line."""

import html
import json
import re
import shlex
import sys

from small_runs import run

FREE = ["2 + 2 = 4, so x = 4", "no idea at all, sorry", "count it: 1 then 3", "\\frac{8}{2} it is"]
WORN = ["2 + 2 = 4, so x = 4"] * 4


def test_one_run(wellworn, tmp_path):
    folder = run(tmp_path / "a", [WORN, FREE], [FREE, FREE])
    code, out, err = wellworn("analyze", folder)
    assert code == 0
    assert "suspects: means over prompts" in out
    assert "suspects less references" in out
    assert "no evidence of training by itself" in " ".join(out.split())
    assert f"Analysis: {folder}/analysis.html" in err
    assert (folder / "analysis.html").exists()


def test_a_series_with_labels_and_json(wellworn, tmp_path):
    folders = [run(tmp_path / f"r{i}", [WORN[:i] + FREE[i:], WORN, FREE]) for i in range(1, 4)]
    (tmp_path / "l.csv").write_text("prompt,member\nsus 00,1\nsus 01,1\nsus 02,0\n")
    code, out, _ = wellworn("analyze", *folders, "--labels", "l.csv", "--json", "-o", "out")
    assert code == 0
    assert out == (tmp_path / "out" / "analysis.json").read_text()
    found = json.loads(out)
    assert found["groups"] == ["members", "non-members"]
    assert len(found["checkpoints"]) == 3
    assert found["course"]["edit"]["groups"]["members"]["mean"] < 0
    page = (tmp_path / "out" / "analysis.html").read_text()
    assert "--labels l.csv -o out" in page


def test_a_labeller_and_a_prompt_that_fails(wellworn, tmp_path):
    folder = run(tmp_path / "a", [WORN, FREE, FREE[:2]])
    (tmp_path / "m.json").write_text('{"answers": {}, "default": ["symbolic"]}')
    code, out, _ = wellworn("analyze", folder, "--m", "4", "--labeller", "fake/m.json")
    text = " ".join(out.split())
    assert code == 1
    assert "fake/m.json agrees with the rules on" in text
    assert "Below 200 that means little." in text
    assert "1 prompt not measured: 2 of 4 completions are there." in text


def test_mistakes(wellworn, tmp_path):
    assert "no run was named" in wellworn("analyze")[2]
    assert "no run is there" in wellworn("analyze", "nowhere")[2]
    folder = run(tmp_path / "a", [WORN])
    code, _, err = wellworn("analyze", folder, "--cut", "2")
    assert (code, "--cut is 2.0; distances lie from 0 to 1." in err) == (2, True)


def test_the_page_says_the_whole_command(wellworn, tmp_path):
    folder = run(tmp_path / "a", [WORN, FREE])
    (tmp_path / "l.csv").write_text("prompt,seen\nsus 00,1\nsus 01,0\n")
    given = ["--labels", "l.csv", "--label-field", "seen", "--m", "3", "--view", "answer"]
    given += ["--n", "2", "--share", "0.3", "--feature", "edit", "--linkage", "single"]
    given += ["--cut", "0.55", "--vocabulary", "1000", "--tokens", "words", "-o", "out"]
    assert wellworn("analyze", folder, *given, "--jobs", "1")[0] == 0
    page = (tmp_path / "out" / "analysis.html").read_text()
    [command] = re.findall(r'<p class="command"><code>(.*?)</code>', page)
    assert command.startswith(f"wellworn analyze {folder} --labels l.csv --label-field seen")
    first = json.loads((tmp_path / "out" / "analysis.json").read_text())
    assert wellworn(*shlex.split(html.unescape(command))[1:])[0] == 0
    again = json.loads((tmp_path / "out" / "analysis.json").read_text())
    assert first | {"created": ""} == again | {"created": ""}


def test_half_an_installation_is_no_traceback(wellworn, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    code, _, err = wellworn("analyze", run(tmp_path / "a", [WORN, FREE]))
    assert code == 2
    assert "the package 'sacrebleu' is missing.\nInstall wellworn with all that it needs" in err
    assert "Traceback" not in err


def test_a_last_run_of_which_nothing_is_measured(wellworn, tmp_path):
    base, last = run(tmp_path / "a", [WORN, FREE]), run(tmp_path / "b", [[""] * 4, [""] * 4])
    code, out, _ = wellworn("analyze", base, last)
    assert code == 1
    assert "2 prompts not measured: 4 of 4 completions are empty" in " ".join(out.split())
    assert (last / "analysis.html").exists()


def test_numbers_stay_whole_in_a_narrow_terminal(wellworn, tmp_path, monkeypatch):
    folders = [run(tmp_path / f"checkpoint-{i:05}", [WORN, FREE]) for i in range(6)]
    for width, runs in (("80", 2), ("100", 4), ("160", 6)):
        monkeypatch.setenv("COLUMNS", width)
        out = wellworn("analyze", *folders)[1]
        [line] = [line for line in out.splitlines() if line.startswith(" mean edit distance")]
        assert len(re.findall(r"0\.\d{3}", line.split("[")[0])) == runs + 1  # and the change
        assert all(len(line) <= int(width) for line in out.splitlines())
        assert (f"; {6 - runs} runs between on the page" in out) == (runs < 6)
