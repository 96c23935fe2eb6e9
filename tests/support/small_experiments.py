"""Experiments of the lab that take seconds: little is learnt, but every stage is real."""

from pathlib import Path

from wellworn.lab.config import load_config

SMALL = {
    "members": 10,
    "level": "short",
    "model": {"hidden": 48, "layers": 2, "heads": 2, "vocabulary": 320},
    "pools": {"half": 12, "easy": 10},
    "pretraining": {"steps": 300, "batch": 32, "learning_rate": 5e-3},
    "rl": {"steps": 4, "prompts": 5, "completions": 8, "max_tokens": 32},
    "audit": {"every": 2, "samples": 4, "also": ["distinct-share", "perplexity"]},
}


def config(**changes):
    """Return the configuration of a small experiment on Countdown."""
    return load_config("countdown", {**SMALL, **changes})


def toml(folder, text=""):
    """Write the same as a file, with more text at its top, and return its path."""
    lines = ['task = "countdown"', 'level = "short"', text, f"members = {SMALL['members']}"]
    for name in ("model", "pools", "pretraining", "rl", "audit"):
        lines.append(f"[{name}]")
        for key, value in SMALL[name].items():
            lines.append(f"{key} = {str(value).replace(chr(39), chr(34))}")
    path = Path(folder) / "small.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
