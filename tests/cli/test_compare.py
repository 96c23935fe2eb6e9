"""Two runs, compared on the command line."""

import json

from small_runs import run

FREE, NEAR, WORN = ["abcd", "efgh"], ["abcd", "abch"], ["abcd", "abcd"]


def test_the_command_prints_and_writes_json(tmp_path, wellworn):
    first = run(tmp_path / "base", [FREE, FREE, NEAR], [FREE, NEAR])
    second = run(tmp_path / "tuned", [WORN, NEAR, NEAR], [FREE, NEAR])
    code, out, _ = wellworn("compare", first, second, "--k", "2")
    assert code == 0
    assert "+0.583" in out
    assert "2 of 3" in out
    assert "no finding of exposure" in " ".join(out.split())
    code, out, _ = wellworn("compare", first, second, "--json")
    assert json.loads(out)["suspects"]["rose"] == 2


def test_the_result_is_kept_as_json_and_as_a_page(tmp_path, wellworn):
    first = run(tmp_path / "base", [FREE, FREE, NEAR], [FREE, NEAR])
    second = run(tmp_path / "tuned", [WORN, NEAR, NEAR], [FREE, NEAR])
    _, out, err = wellworn("compare", first, second, "--json")
    assert (second / "compare.json").read_text() == out
    assert f"Comparison: {second}/compare.html" in err
    page = (second / "compare.html").read_text()
    assert f"wellworn compare {first} {second}</code>" in page
    assert 'id="detail-4-second"' in page


def test_the_folder_and_the_options_are_in_the_command(tmp_path, wellworn):
    first = run(tmp_path / "base", [FREE, FREE])
    second = run(tmp_path / "tuned", [WORN, NEAR])
    folder = tmp_path / "made" / "for it"
    code, _, err = wellworn("compare", first, second, "--k", "2", "--unit", "word", "-o", folder)
    assert code == 0
    assert f"Comparison: {folder}/compare.html" in err
    command = f"wellworn compare {first} {second} --k 2 --unit word -o &#39;{folder}&#39;"
    assert command in (folder / "compare.html").read_text()
    assert not (second / "compare.html").exists()


def test_a_folder_that_cannot_be_made_is_a_mistake_of_the_user(tmp_path, wellworn):
    first, second = (run(tmp_path / name, [FREE, FREE]) for name in ("base", "tuned"))
    (tmp_path / "file").write_text("")
    code, _, err = wellworn("compare", first, second, "-o", tmp_path / "file")
    assert code == 2
    assert "the run's folder cannot be made (File exists)" in err
