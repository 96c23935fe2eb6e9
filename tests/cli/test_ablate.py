"""`wellworn ablate` as a user meets it."""

import json

import pytest

ROWS = {
    "p1": ("aaaa", "aaaa", "bbbb", "cccc"),
    "p2": ("aaaa", "aaab", "aabb", "abbb"),
    "p3": ("aaaa", "aabb", "cccc", "ccdd"),
    "p4": ("aaaa", "aaab", "cccc", "dddd"),
}


@pytest.fixture
def imported(wellworn, tmp_path):
    """Return the command line in a folder with a run and the labels of its prompts."""
    rows = [{"prompt": prompt, "completions": list(texts)} for prompt, texts in ROWS.items()]
    (tmp_path / "log.json").write_text(json.dumps({"temperature": 0.6, "results": rows}))
    (tmp_path / "labels.csv").write_text("prompt,member,odd\np1,1,1\np2,1,0\np3,0,1\np4,0,0\n")
    wellworn("import", "log.json", "-o", "a")
    return wellworn


def test_tables_and_a_folder_of_results(imported, tmp_path):
    code, out, err = imported("ablate", "a", "--labels", "labels.csv", "--axes", "k, m")
    assert code == 0
    assert "min-knn, m = 4, k = 1, unit = char, view = full\n2 members, 2 non-members\n" in out
    assert "k, nearest neighbours that are averaged" in out
    assert "m, completions of each prompt" in out
    assert err == "7 files were written to a/ablation.\n"
    numbers = json.loads((tmp_path / "a/ablation/ablation.json").read_text())
    assert [point["auc"] for point in numbers["axes"][0]["points"]] == [0.875, 0.875, 1.0, 0.875]
    assert (tmp_path / "a/ablation/k.svg").is_file()


def test_json_goes_to_stdout_alone_and_files_to_another_folder(imported, tmp_path):
    chosen = ("--labels", "labels.csv", "--label-field", "odd", "--axes", "k", "--k", "3")
    code, out, _ = imported("ablate", "a", *chosen, "-o", "b", "--json")
    assert code == 0
    assert json.loads(out)["default"]["parameters"]["k"] == 3
    # p1 and p3 against p2 and p4, values 1/3 and 1/2 against 1/4 and 1/2
    assert json.loads(out)["default"]["auc"] == 0.375
    assert json.loads(out) == json.loads((tmp_path / "b/ablation.json").read_text())
    assert not (tmp_path / "a/ablation").exists()


def test_prompts_without_a_score_exit_with_1(imported):
    code, out, _ = imported(
        "ablate", "a", "--labels", "labels.csv", "--axes", "m", "--unit", "token"
    )
    assert code == 1
    assert "4 prompts without a score" in " ".join(out.split())


def test_mistakes_are_said(imported):
    assert imported("ablate", "--labels", "labels.csv")[::2] == (
        2,
        "wellworn: error: no run was named.\nGive its folder: `wellworn ablate RUN --labels …`.\n",
    )
    code, _, err = imported("ablate", "a", "--labels", "labels.csv", "--axes", "k,q")
    assert (code, err) == (
        2,
        "wellworn: error: unknown axis 'q'.\nKnown: k, m, temperature, top-k, unit, view.\n",
    )
    assert imported("ablate", "none", "--labels", "labels.csv")[0] == 2
    assert imported("ablate", "a", "--labels", "labels.csv", "--detector", "min-kn")[0] == 2
