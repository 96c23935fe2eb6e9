"""What `wellworn demo` audits: small models of our own, of which the truth is known.

`wellworn.demo.making` trains them and writes the files of this folder.
"""

import msgspec

TRUTH = "truth.json"


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """What was done to the models."""

    task: str
    algorithm: str
    steps: int
    epochs: float
    """Times that a suspect was drawn, on average."""
    max_tokens: int
    """Of an answer, in the demo."""
