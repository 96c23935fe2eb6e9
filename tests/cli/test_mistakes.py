"""What a user can do wrong, and what is said to it: place, fact, way out, exit code 2."""

import json

import pytest

MODEL = ("--model", "fake/model.json", "--samples", "4")
SETS = ("--prompts", "suspects.jsonl", "--reference", "fresh.txt")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("audit",),
            "an audit of a model needs --model, --prompts and -o; missing: --model, --prompts, -o.",
        ),
        (("audit", *MODEL, "-o", "a"), "--model, --prompts and -o; missing: --prompts."),
        (("audit", "--run", "a", "-o", "b"), "--run and --output do not go together"),
        (("audit", "--run", "a", "--prompts", "b"), "--run and --prompts do not go together"),
        (("audit", "--reference-run", "a"), "--model and --reference-run do not go together"),
        (("audit", "--run", "a", *MODEL[:2]), "--model and --run do not go together"),
        (("audit", "--run", "a", "--limit", "3"), "--limit and --run do not go together"),
        (("audit", "--run", "nowhere"), "nowhere: no run is there (run.sqlite is missing)."),
        (("score", "nowhere"), "nowhere: no run is there"),
        (("report", "nowhere"), "nowhere: no run is there"),
        (("export", "nowhere", "x.jsonl"), "nowhere: no run is there"),
        (("audit", *MODEL, *SETS, "-o", "a", "--limit", "0"), "--limit is 0; it must be 1 or more"),
        (
            ("audit", *MODEL[:2], *SETS, "-o", "a", "--samples", "1"),
            "--samples is 1; it must be 2 or more.",
        ),
        (("audit", *MODEL, *SETS, "-o", "a", "--k", "0"), "--k is 0; it must be 1 or more."),
        (
            ("audit", *MODEL, *SETS, "-o", "a", "--detector", "min-kn"),
            "unknown detector 'min-kn'. Did you mean 'min-knn'?",
        ),
        (("sample", "--model", "gpt", *SETS, "-o", "a"), "the model is given as 'gpt', without"),
        (("sample", "--model", "fake/no.json", *SETS, "-o", "a"), "no.json: the script cannot be"),
        (
            ("sample", *MODEL, "--prompts", "suspect.jsonl", "-o", "a"),
            "suspect.jsonl: there is no such file. Did you mean 'suspects.jsonl'?",
        ),
        (
            ("audit", *MODEL, "--prompts", "fresh.txt", "--reference", "fresh.txt", "-o", "a"),
            "suspects and references share 2 prompts, such as 'Name a city.'",
        ),
        (("import", "fresh.txt", "-o", "a"), "fresh.txt: no reader finds prompts and completions"),
        (("import", "none.jsonl", "-o", "a"), "none.jsonl: there is no such file"),
        (("doctor", "--model", "opnai/x"), "unknown provider 'opnai'. Did you mean 'openai'?"),
        (("score", "a", "--config", "none.toml"), "none.toml: the file cannot be read (No such"),
    ],
)
def test_mistakes(wellworn, arguments, said):
    code, out, err = wellworn(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("wellworn: error: ")
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "--modle", "x"), 'Unknown option: "--modle"'),
        (("audit", "--temperature", "hot"), "hot"),
        (("list", "detector"), "detectors"),
        (("audti",), "audit"),
        (("sample",), "--prompts"),
        (("import",), "no run is named"),
        (("import", "--dry-run"), "no file was given"),
    ],
)
def test_usage(wellworn, arguments, said):
    code, out, err = wellworn(*arguments)
    assert code == 2
    assert said.replace('"', "") in (out + err).replace('"', "")
    assert "Traceback" not in err


def test_a_config_file_with_an_unknown_option(wellworn, tmp_path):
    (tmp_path / "a.toml").write_text("tempreture = 1")
    code, _, err = wellworn("sample", "--config", "a.toml", *MODEL, *SETS, "-o", "a")
    assert code == 2
    assert "a.toml: unknown option 'tempreture'. Did you mean 'temperature'?" in err


def test_a_config_file_that_is_no_toml(wellworn, tmp_path):
    (tmp_path / "a.toml").write_text("model =")
    code, _, err = wellworn("sample", "--config", "a.toml", *MODEL, *SETS, "-o", "a")
    assert code == 2
    assert "a.toml: this is no TOML (" in err


def test_a_run_without_completions(wellworn, tmp_path):
    (tmp_path / "m.json").write_text('{"answers": {}}')
    wellworn("sample", "--model", "fake/m.json", *SETS, "-o", "a")
    code, _, err = wellworn("report", "a")
    assert code == 2
    assert "a: not scored yet. Run `wellworn score a`." in err


def test_greedy_completions_are_no_samples(wellworn, tmp_path):
    rows = [{"prompt": "p", "completions": ["a", "a"]}]
    (tmp_path / "log.json").write_text(json.dumps({"temperature": 0, "rows": rows}))
    wellworn("import", "log.json", "-o", "a")
    code, _, err = wellworn("score", "a")
    assert code == 2
    assert "a: the completions are greedy (temperature 0), and min-knn reads samples." in err


@pytest.mark.parametrize("m", ["0", "1", "5"])
def test_an_m_that_no_prompt_has(wellworn, m):
    wellworn("sample", *MODEL, *SETS, "-o", "a")
    code, _, err = wellworn("score", "a", "--m", m)
    assert code == 2
    assert f"a: --m is {m}; it must be from 2 to 4, the most completions that a prompt has." in err


def test_a_config_file_from_the_environment_is_read(wellworn, monkeypatch):
    monkeypatch.setenv("WELLWORN_CONFIG", "none.toml")
    code, _, err = wellworn("score", "a")
    assert code == 2
    assert "none.toml: the file cannot be read" in err


def test_an_unknown_setting(wellworn):
    wellworn("sample", *MODEL, *SETS, "-o", "a")
    code, _, err = wellworn("score", "a", "--setting", "0123")
    assert code == 2
    assert "a: no setting has the id '0123'. The run holds\n" in err


def test_an_ending_that_is_not_written(wellworn):
    wellworn("sample", *MODEL, *SETS, "-o", "a")
    code, _, err = wellworn("export", "a", "out.xlsx")
    assert code == 2
    assert "out.xlsx: the ending '.xlsx' names no format that is written. Known: .jsonl," in err
    code, _, err = wellworn("export", "a", "missing/out.csv")
    assert code == 2
    assert "missing/out.csv: the file cannot be written (No such file or directory)." in err
