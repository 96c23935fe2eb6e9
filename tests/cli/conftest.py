"""The command line in a folder with a scripted model and two sets of prompts."""

import json

import pytest

from wellworn.cli import main

SCRIPT = {
    "answers": {
        "What is 2 + 2?": ["Two and two make four.", "Two and two make four!", "4", "Four."],
        "Name a bird.": ["A wren.", "An owl, perhaps?", "Puffins are birds", "the crow"],
        "Name a city.": ["Rome", "It is Oslo.", "I like Lima a lot", "Perth!"],
        "Name a tree.": ["Oak", "A tall pine tree", "birch, or maybe elm", "Yew."],
    },
}


@pytest.fixture
def wellworn(monkeypatch, capsys, tmp_path):
    """Run the command line in a folder with a script and two sets of prompts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "model.json").write_text(json.dumps(SCRIPT))
    (tmp_path / "suspects.jsonl").write_text(
        '{"prompt": "What is 2 + 2?"}\n{"prompt": "Name a bird."}'
    )
    (tmp_path / "fresh.txt").write_text("Name a city.\nName a tree.\n")

    def run(*arguments):
        with pytest.raises(SystemExit) as exit_:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return exit_.value.code or 0, out, err

    return run
