"""The reader that docs/extending.md shows works as it stands there."""

import re
import sys
from pathlib import Path
from types import ModuleType

from sample_logs import error_of, jsonl, texts
from wellworn import readers
from wellworn.readers import read_completions

DOCS = Path(__file__).resolve().parents[2] / "docs" / "extending.md"


def test_the_reader_of_the_docs_reads(tmp_path, monkeypatch):
    section = DOCS.read_text(encoding="utf-8").split("## A reader, whole")[1]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    module = ModuleType("sometool")
    monkeypatch.setitem(sys.modules, "sometool", module)
    exec(compile(code, str(DOCS), "exec"), module.__dict__)
    monkeypatch.setattr(readers, "READERS", {"sometool": ("sometool:SOMETOOL", "attempts")})
    row = {"task": "t", "question": "q", "tries": ["a", None, "b"], "temp": 0.7}
    reading = read_completions([jsonl(tmp_path, row)])
    assert texts(reading) == [("q", ["a", "b"])]
    assert reading.generation.temperature == 0.7
    path = jsonl(tmp_path, row | {"tries": "a"})
    assert "the row is not as this tool writes it: Expected `array`, got `str`" in error_of(path)
