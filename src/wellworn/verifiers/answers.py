"""Where a completion says its answer: in answer tags, or in a LaTeX box."""

import re

_OPENED = re.compile("<answer>", re.IGNORECASE)
_CLOSED = re.compile("</answer>", re.IGNORECASE)
_BOX = re.compile(r"\\f?box(?:ed)?\s{0,9}\{")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def last_block(text: str) -> str | None:
    """Return what the last <answer> tag holds, up to its end or that of the text.

    >>> last_block("<answer> 3 </answer>, no: <answer> 4 </answer>")
    ' 4 '
    """
    *before, rest = _OPENED.split(text)
    return _CLOSED.split(rest, maxsplit=1)[0] if before else None


def in_tags(text: str) -> bool:
    """Tell whether the last <answer> tag is closed."""
    *before, rest = _OPENED.split(text)
    return bool(before) and _CLOSED.search(rest) is not None


def last_boxed(text: str) -> str | None:
    r"""Return what the last \boxed{…} holds; empty if it is never closed, None without a box.

    >>> last_boxed(r"\boxed{3}, so \boxed{\frac{1}{2}}.")
    '\\frac{1}{2}'
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return None
    start, depth = boxes[-1].end(), 1
    for mark in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0:
            return text[start : mark.start()]
    return ""


def in_box(text: str) -> bool:
    """Tell whether the last box is closed, and not empty."""
    return bool(last_boxed(text))
