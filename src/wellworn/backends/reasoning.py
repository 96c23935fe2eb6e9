"""Chains of thought that stand inline, between think tags."""

import re

_OPENING = re.compile(r"<think(?:ing)?>")
_CLOSING = re.compile(r"</think(?:ing)?>")


def split_reasoning(text: str) -> tuple[str | None, str]:
    r"""Return the reasoning of a completion, or None, and the answer that follows it.

    Some chat templates write the opening tag into the prompt, so that only the closing
    one is in the text. A text cut off while thinking has an empty answer. White space
    around both parts is dropped, as servers that set the reasoning apart do.

    >>> split_reasoning("<think>2 + 2 is 4</think>\n\nFour.")
    ('2 + 2 is 4', 'Four.')
    >>> split_reasoning("2 + 2 is 4</think>Four.")
    ('2 + 2 is 4', 'Four.')
    >>> split_reasoning("<think>2 + 2")
    ('2 + 2', '')
    >>> split_reasoning("Four.")
    (None, 'Four.')
    """
    closing = _CLOSING.search(text)
    opening = _OPENING.search(text, 0, closing.start() if closing else len(text))
    if closing:
        start, before = (opening.end(), text[: opening.start()]) if opening else (0, "")
        return text[start : closing.start()].strip(), (before + text[closing.end() :]).strip()
    if opening and not text[: opening.start()].strip():
        return text[opening.end() :].strip(), ""
    return None, text
