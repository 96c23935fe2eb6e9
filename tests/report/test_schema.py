"""docs/report.schema.json is what the types say, and a report is what the schema says."""

import json
from pathlib import Path

import msgspec
import pytest

from handmade import context, side
from wellworn.report.schema import report_schema
from wellworn.report.summary import Summary, summarize

DOCUMENTED = Path(__file__).parents[2] / "docs" / "report.schema.json"
SCHEMA = json.loads(report_schema())

AUDITS = {
    "compared": (side("suspects", [0.1, 0.2, 0.3, 0.4]), side("references", [0.3, 0.5, 0.6, 1])),
    "alone": (side("suspects", [0.1, "why"]), None),
    "unscored": (side("suspects", ["why"]), side("references", ["why"])),
}
every_audit = pytest.mark.parametrize("sides", AUDITS.values(), ids=AUDITS)

KINDS = {
    "array": list,
    "object": dict,
    "string": str,
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


def faults(value, schema, place="report"):
    """Yield where a value breaks a schema, by the few keywords that ours is made of.

    Stricter than JSON Schema in one thing: an object has no fields that are not named.
    """
    if "$ref" in schema:
        yield from faults(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    if "anyOf" in schema and all(any(faults(value, each, place)) for each in schema["anyOf"]):
        yield f"{place} fits none of {len(schema['anyOf'])}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {value!r}"
    if "type" in schema and not isinstance(value, KINDS[schema["type"]]):
        yield f"{place} is {value!r}, no {schema['type']}"
    elif isinstance(value, dict):
        yield from _faults_of_object(value, schema, place)
    elif isinstance(value, list):
        yield from _faults_of_array(value, schema, place)


def _faults_of_object(value, schema, place):
    known = schema.get("properties", {})
    yield from (f"{place} lacks {name}" for name in schema.get("required", ()) if name not in value)
    yield from (f"{place} has {name}" for name in value if known and name not in known)
    for name in known.keys() & value.keys():
        yield from faults(value[name], known[name], f"{place}.{name}")


def _faults_of_array(value, schema, place):
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        yield f"{place} has {len(value)} entries"
        return
    each = schema.get("prefixItems") or [schema.get("items") or {}] * len(value)
    for number, (entry, kind) in enumerate(zip(value, each, strict=True)):
        yield from faults(entry, kind, f"{place}[{number}]")


def test_the_documented_schema_is_that_of_the_types():
    assert DOCUMENTED.read_text(encoding="utf-8") == report_schema(), "run `make docs`"


@every_audit
def test_a_report_comes_back_from_json_as_it_was(sides):
    summary = summarize(*sides, context(notes=["a"]))
    assert msgspec.json.decode(msgspec.json.encode(summary), type=Summary) == summary


@every_audit
def test_a_report_fits_its_schema(sides):
    report = json.loads(msgspec.json.encode(summarize(*sides, context(notes=["a"]))))
    assert list(faults(report, SCHEMA)) == []


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("schema_version", "1", "report.schema_version is '1', no integer"),
        ("verdict", {"level": "guilty", "sentence": ""}, "report.verdict.level is 'guilty'"),
        ("items", [{}], "report.items[0] lacks prompt_id"),
        ("surplus", 1, "report has surplus"),
        ("comparison", {"auc": 1}, "report.comparison fits none of 2"),
    ],
)
def test_that_check_sees_a_report_that_does_not_fit(name, value, fault):
    report = json.loads(msgspec.json.encode(summarize(*AUDITS["compared"], context())))
    assert fault in faults(report | {name: value}, SCHEMA)
