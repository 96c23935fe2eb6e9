"""The command line as a user meets it: what it prints where, and how it exits."""

import json

import pytest

from wellworn.cli import COMMANDS
from wellworn.distance import engine_name
from wellworn.store import Store

MODEL = ("--model", "fake/model.json", "--samples", "4")
SETS = ("--prompts", "suspects.jsonl", "--reference", "fresh.txt")


def test_an_audit_prints_a_verdict_and_where_the_report_is(wellworn, tmp_path):
    code, out, err = wellworn("audit", *MODEL, *SETS, "-o", "runs/a")
    assert code == 0
    assert "INSUFFICIENT DATA" in out
    assert "Sets of 2 and 2 are too small" in out
    assert "min-knn, k = 1 of m = 4" in out
    assert err == "Report: runs/a/report.html\n"
    report = json.loads((tmp_path / "runs/a/report.json").read_text())
    assert report["items"][0]["value"] == pytest.approx(1 / 22)
    assert report["items"][0]["score"] == pytest.approx(21 / 22)


def test_the_stages_give_what_the_audit_gives(wellworn, tmp_path):
    wellworn("audit", *MODEL, *SETS, "-o", "whole")
    assert wellworn("sample", *MODEL, *SETS, "-o", "parts") == (
        0,
        "",
        "16 completions were added to parts.\n",
    )
    code, out, err = wellworn("score", "parts")
    assert code == 0
    assert len(out.splitlines()) == 4
    assert out.splitlines()[0].endswith("  0.0455  What is 2 + 2?")
    assert err == "4 of 4 prompts have a score.\n"
    wellworn("report", "parts")
    whole, parts = (
        json.loads((tmp_path / run / "report.json").read_text()) for run in ("whole", "parts")
    )
    for report in (whole, parts):
        del report["run"], report["created"]
    assert whole == parts
    assert wellworn("sample", *MODEL, *SETS, "-o", "parts")[2].startswith("0 completions")


def test_json_goes_to_stdout_alone(wellworn):
    code, out, _ = wellworn("audit", *MODEL, *SETS, "-o", "a", "--json")
    assert code == 0
    assert json.loads(out)["verdict"]["level"] == "insufficient data"
    assert len(json.loads(wellworn("score", "a", "--json")[1])) == 4
    assert json.loads(wellworn("report", "a", "--json")[1])["suspects"]["prompts"] == 2
    assert json.loads(wellworn("doctor", *MODEL[:2], "--json")[1])["model"] == "fake/model.json"


def test_a_failed_item_exits_with_1_and_says_why(wellworn, tmp_path):
    with (tmp_path / "suspects.jsonl").open("a") as file:
        file.write('\n{"prompt": "Unheard of?"}')
    code, _, err = wellworn("sample", *MODEL, *SETS, "-o", "a")
    assert code == 1
    assert "16 completions were added to a." in err
    assert "4 could not be had; the same command asks for them again." in err
    code, out, _ = wellworn("audit", *MODEL, *SETS, "-o", "a")
    assert code == 1
    assert "0 of 4 completions are there (sample)" in " ".join(out.split())
    assert "the script has no answer to 'Unheard of?'" in " ".join(out.split())


def test_a_limit_is_said_aloud(wellworn):
    code, out, err = wellworn("audit", *MODEL, *SETS, "-o", "a", "--limit", "1")
    assert code == 0
    assert "A random subset was audited (--limit): this is no valid audit." in err
    assert "Only a random subset was audited (--limit): this is no valid audit." in " ".join(
        out.replace("│", " ").split()
    )
    with Store("a") as store:
        assert len(store.prompt_ids()) == 2


def test_a_limit_that_leaves_nothing_out_is_none(wellworn):
    _, out, _ = wellworn("audit", *MODEL, *SETS, "-o", "a", "--limit", "99", "--json")
    assert not any("--limit" in reason for reason in json.loads(out)["verdict"]["reasons"])


def test_a_refused_audit_changes_no_later_report(wellworn, tmp_path):
    wellworn("audit", *MODEL, *SETS, "-o", "a")
    wellworn("audit", *MODEL, "--prompts", "fresh.txt", "-o", "b", "--temperature", "1")
    assert wellworn("audit", "--run", "a", "--reference-run", "b")[0] == 2
    assert wellworn("report", "a")[0] == 0


def many(folder, name, answers):
    """Write 8 prompts that all get these answers; return the answers by prompt."""
    prompts = [f"{name} {number}" for number in range(8)]
    (folder / f"{name}.txt").write_text("\n".join(prompts))
    return dict.fromkeys(prompts, answers)


def test_fail_on_exits_with_3(wellworn, tmp_path):
    alike = many(tmp_path, "alike", ["The same.", "The same.", "The same!", "The same?"])
    apart = many(tmp_path, "apart", ["One", "another thing", "nothing like it", "42"])
    (tmp_path / "m.json").write_text(json.dumps({"answers": alike | apart}))
    audit = ("audit", "--model", "fake/m.json", "--samples", "4", "-o", "a")
    sets = ("--prompts", "alike.txt", "--reference", "apart.txt")
    code, out, _ = wellworn(*audit, *sets)
    assert code == 0
    assert "CONVERGED, NOT ATTRIBUTABLE" in out
    assert "So this is no finding of exposure." in out
    assert wellworn(*audit, *sets, "--fail-on", "converged-not-attributable")[0] == 3
    assert wellworn("report", "a", "--fail-on", "consistent-with-rl-exposure")[0] == 0


def test_stored_runs_are_judged_without_a_model(wellworn, tmp_path):
    rows = [
        {"prompt": f"p{i}", "completions": [f"{word} {i}" for word in ("a", "b", "c", "d")]}
        for i in range(6)
    ]
    (tmp_path / "log.json").write_text(json.dumps({"temperature": 0.6, "results": rows[:3]}))
    (tmp_path / "ref.json").write_text(json.dumps({"temperature": 0.6, "results": rows[3:]}))
    code, out, err = wellworn("import", "log.json", "-o", "sus")
    assert (code, out) == (0, "")
    assert "rows: results (3)" in err
    assert "temperature: 0.6 from the file" in err
    assert err.endswith("12 completions of 3 prompts were added to sus.\n")
    _, _, err = wellworn("import", "log.json", "-o", "sus")
    assert "log.json: imported before (as log.json); it was passed over." in err
    assert err.endswith("0 completions of 0 prompts were added to sus.\n")
    wellworn("import", "ref.json", "-o", "ref")
    code, out, _ = wellworn("audit", "--run", "sus", "--reference-run", "ref", "--json")
    assert code == 0
    report = json.loads(out)
    assert [item["set"] for item in report["items"]] == ["suspects"] * 3 + ["references"] * 3
    assert report["parameters"]["temperature"] == 0.6
    again = json.loads(wellworn("report", "sus", "--json")[1])
    assert again["comparison"] == report["comparison"]


def test_the_references_of_a_run_are_never_taken_as_suspects(wellworn, tmp_path):
    wellworn("audit", *MODEL, *SETS, "-o", "one")
    wellworn("audit", *MODEL, "--prompts", "fresh.txt", "-o", "two")
    code, out, _ = wellworn("audit", "--run", "one", "--reference-run", "two", "--json")
    assert code == 0
    report = json.loads(out)
    found = [(item["set"], item["prompt"]) for item in report["items"]]
    assert found == [
        ("suspects", "What is 2 + 2?"),
        ("suspects", "Name a bird."),
        ("references", "Name a city."),
        ("references", "Name a tree."),
    ]
    assert report["reference_run"].endswith("two")


def test_judging_a_run_changes_no_other(wellworn, tmp_path):
    wellworn("audit", *MODEL, *SETS, "-o", "one")
    wellworn("audit", *MODEL, "--prompts", "fresh.txt", "-o", "two")
    with Store("two") as store:
        before = store.scores("min-knn")
    wellworn("audit", "--run", "one", "--reference-run", "two", "--m", "3", "--k", "2")
    with Store("two") as store:
        assert store.scores("min-knn") == before


def test_a_report_is_refused_once_more_was_sampled(wellworn):
    wellworn("audit", *MODEL, *SETS, "-o", "a")
    wellworn("sample", *MODEL, *SETS, "-o", "a", "--temperature", "1")
    code, _, err = wellworn("report", "a")
    assert code == 2
    assert "a: not scored yet. Run `wellworn score a`." in err


def test_a_bug_of_ours_is_no_failed_item(wellworn, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("wellworn.cli.report.report_run", broken)
    code, _, err = wellworn("report", "a")
    assert code == 70
    assert "ZeroDivisionError" in err


def test_runs_of_different_settings_do_not_compare(wellworn, tmp_path):
    for name, temperature in (("one", 0.6), ("two", 1.0)):
        rows = [{"prompt": name, "completions": ["a", "b"]}]
        (tmp_path / f"{name}.json").write_text(json.dumps({"temperature": temperature, "r": rows}))
        wellworn("import", f"{name}.json", "-o", name)
    code, _, err = wellworn("audit", "--run", "one", "--reference-run", "two")
    assert code == 2
    assert err == (
        "wellworn: error: the scores do not compare: 'temperature' is 0.6 for some prompts and "
        "1.0 for others.\nSample and score suspects and references with the same settings.\n"
    )


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_an_exported_run_can_be_imported_again(wellworn, ending):
    wellworn("audit", *MODEL, *SETS, "-o", "a")
    code, _, err = wellworn("export", "a", f"out.{ending}")
    assert (code, err) == (0, f"16 rows were written to out.{ending}.\n")
    wellworn("import", f"out.{ending}", "-o", "b")
    wellworn("score", "b")
    with Store("a") as a, Store("b") as b:
        first, second = a.scores("min-knn"), b.scores("min-knn")
    assert [(s.prompt_id, s.value) for s in first] == [(s.prompt_id, s.value) for s in second]


def test_scores_can_be_exported(wellworn, tmp_path):
    wellworn("audit", *MODEL, *SETS, "-o", "a")
    wellworn("export", "a", "scores.jsonl", "--what", "scores")
    rows = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert [row["set"] for row in rows] == ["suspects"] * 2 + ["references"] * 2
    assert rows[0]["prompt"] == [{"role": "user", "content": "What is 2 + 2?"}]
    assert rows[0]["counts.distinct"] == 4
    assert rows[0]["parameters.k"] == 1


def test_a_set_can_be_exported_alone(wellworn, tmp_path):
    wellworn("audit", *MODEL, *SETS, "-o", "a")
    assert wellworn("export", "a", "r.jsonl", "--set", "references")[2].startswith("8 rows")
    wellworn("import", "r.jsonl", "-o", "b", "--as", "references")
    with Store("a") as a, Store("b") as b:
        assert b.set_ids("references") == a.set_ids("references")


def test_changed_parameters_never_mix(wellworn):
    wellworn("audit", *MODEL, *SETS, "-o", "a")
    code, out, _ = wellworn("audit", *MODEL, *SETS, "-o", "a", "--temperature", "1", "--json")
    assert code == 0
    report = json.loads(out)
    assert report["parameters"]["temperature"] == 1
    with Store("a") as store:
        cold, hot = store.generations()
    assert any(f"{cold.id} (fake/model.json, T = 0.7" in note for note in report["notes"])
    assert (cold.temperature, hot.temperature) == (0.7, 1)
    scores = json.loads(wellworn("score", "a", "--setting", cold.id, "--json")[1])
    assert scores[0]["parameters"]["temperature"] == 0.7


def test_options_come_from_the_environment_and_from_a_file(wellworn, monkeypatch, tmp_path):
    (tmp_path / "audit.toml").write_text(
        'model = "fake/model.json"\nsamples = 4\nmax_tokens = 99\nk = 2\nprompts = "suspects.jsonl"'
    )
    monkeypatch.setenv("WELLWORN_MAX_TOKENS", "77")
    monkeypatch.setenv("WELLWORN_REFERENCE", "fresh.txt")
    code, out, err = wellworn("audit", "--config", "audit.toml", "-o", "a", "--k", "3", "--json")
    assert code == 0, err
    parameters = json.loads(out)["parameters"]
    assert (parameters["max_tokens"], parameters["k"]) == (77, 3)
    assert (
        json.loads(wellworn("score", "a", "--config", "audit.toml", "--json")[1])[0]["parameters"][
            "k"
        ]
        == 2
    )


@pytest.mark.parametrize("kind", ["detectors", "backends", "readers"])
def test_tables_are_listed(wellworn, kind):
    rows = json.loads(wellworn("list", kind, "--json")[1])
    _, out, _ = wellworn("list", kind)
    assert rows
    for row in rows:
        assert row["name"] in out
        assert row["what"]


def test_every_command_has_help(wellworn):
    for command in COMMANDS:
        code, out, err = wellworn(command, "--help")
        assert (code, err) == (0, "")
        assert f"Usage: wellworn {command}" in out
    assert all(command in wellworn("--help")[1] for command in COMMANDS)


def test_doctor_says_which_detectors_can_run(wellworn):
    code, out, _ = wellworn("doctor", "--model", "fake/model.json")
    assert code == 0
    assert "can run: min-knn" in " ".join(out.split())
    assert f"distances are computed by: {engine_name()}" in out


def test_the_version(wellworn):
    assert wellworn("--version")[1].strip() == "0.1.0"
