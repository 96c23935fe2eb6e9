"""The JSON schema of report.json, from its types: `python -m wellworn.report.schema`.

msgspec makes the schema; what the fields mean is taken from the text below each of them.
"""

import ast
import inspect
import json
from typing import Any

import msgspec

from wellworn import records
from wellworn.report import summary
from wellworn.statistics import comparison, verdict


def report_schema() -> str:
    """Return the schema as JSON text."""
    schema = msgspec.json.schema(summary.Summary)
    for module in (records, comparison, verdict, summary):
        for (type_, field), text in _field_texts(inspect.getsource(module)).items():
            properties: dict[str, Any] = schema["$defs"].get(type_, {}).get("properties", {})
            if field in properties:
                properties[field]["description"] = text
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _field_texts(source: str) -> dict[tuple[str, str], str]:
    """Return the text below each field of each class of a module, by class and field."""
    texts = {}
    for type_ in ast.walk(ast.parse(source)):
        if not isinstance(type_, ast.ClassDef):
            continue
        for field, below in zip(type_.body, type_.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                text = inspect.cleandoc(ast.literal_eval(below.value))
                texts[type_.name, ast.unparse(field.target)] = text
    return texts


if __name__ == "__main__":
    print(report_schema(), end="")
