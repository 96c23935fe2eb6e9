"""The JSON schema of report.json, from its types: `python -m wellworn.report.schema`."""

import json

import msgspec

from wellworn.report.summary import Summary


def report_schema() -> str:
    """Return the schema as JSON text."""
    return json.dumps(msgspec.json.schema(Summary), indent=2) + "\n"


if __name__ == "__main__":
    print(report_schema(), end="")
