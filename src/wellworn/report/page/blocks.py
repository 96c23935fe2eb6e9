"""Data inside the page: JSON, compressed, in letters that no markup is made of.

A completion may hold anything: `</script>`, `<!--`, lone surrogates. As base64 of gzip of ASCII
JSON none of it is there for a parser of HTML to see; the browser unpacks it when it is asked for.
"""

import gzip
import json
from base64 import b64encode
from typing import Any

import msgspec


def packed(value: Any) -> str:
    """Return a value as text of letters, digits, `+`, `/` and `=`; equal values alike."""
    plain = msgspec.to_builtins(value)
    text = json.dumps(plain, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return b64encode(gzip.compress(text.encode("ascii"), mtime=0)).decode("ascii")
