"""How completions end, and chains of thought that stand inline, between tags."""

import re

_TAGS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)
"""Opening and closing tags of the models that write them."""

_OPENING = re.compile("|".join(re.escape(opening) for opening, _ in _TAGS))
_ENDS = tuple(end for _, end in _TAGS)
_STEMS = tuple({end[0] for end in _ENDS})
_CLOSING = re.compile(r"(?<![`'\"])(?:" + "|".join(re.escape(end) for _, end in _TAGS) + ")")

_FILTERED = {"content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
_CUT = {"length", "max_tokens", "max_output_tokens", "model_length", "max_length"}


def finish_reason(raw: str | None) -> str | None:
    """Return why a completion ended, in OpenAI's words where others mean the same.

    >>> finish_reason("MAX_TOKENS"), finish_reason("STOP"), finish_reason(None)
    ('length', 'stop', None)
    """
    if raw is None:
        return None
    word = raw.lower()
    if word in _FILTERED or word == "refusal":
        return "content_filter"
    return "length" if word in _CUT else word


def _closes(text: str) -> bool:
    """Tell whether a text may hold a closing tag; most lack even its first character.

    One character is found forty times as quickly as a longer string.
    """
    begun = [stem for stem in _STEMS if stem in text]
    return bool(begun) and any(end in text for end in _ENDS if end[0] in begun)


def split_reasoning(text: str) -> tuple[str | None, str]:
    r"""Return the reasoning of a completion, or None, and the answer that follows it.

    The reasoning begins with the text. Some chat templates write the opening tag into the
    prompt, so that only the closing one is there; one in quotes is spoken of and closes
    nothing. A text cut off while thinking has an empty answer. White space around both
    parts is dropped, as servers that set the reasoning apart do.

    >>> split_reasoning("<think>2 + 2 is 4</think>\n\nFour.")
    ('2 + 2 is 4', 'Four.')
    >>> split_reasoning("2 + 2 is 4</think>Four.")
    ('2 + 2 is 4', 'Four.')
    >>> split_reasoning("<think>2 + 2")
    ('2 + 2', '')
    >>> split_reasoning("Four.")
    (None, 'Four.')
    >>> split_reasoning("Drop it by re.sub('<think>.*</think>', '', text).")
    (None, "Drop it by re.sub('<think>.*</think>', '', text).")
    """
    opening = _OPENING.match(text.lstrip())
    if opening is None and not _closes(text):
        return None, text
    body = text.lstrip()[opening.end() :] if opening else text
    closing = _CLOSING.search(body)
    if closing is None:
        return (body.strip(), "") if opening else (None, text)
    if opening is None and _OPENING.search(body, 0, closing.start()):
        return None, text
    return body[: closing.start()].strip(), body[closing.end() :].strip()
