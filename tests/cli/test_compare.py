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
