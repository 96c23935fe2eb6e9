"""Where reasoning ends and the answer begins."""

import pytest

from wellworn.backends.reasoning import finish_reason, split_reasoning


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<think>a</think>b", ("a", "b")),
        ("  <think>\na\n</think>\n\nb\n", ("a", "b")),
        ("a</think>b", ("a", "b")),
        ("<think>a", ("a", "")),
        ("<think></think>b", ("", "b")),
        ("<thinking>a</thinking>b", ("a", "b")),
        ("[THINK]a[/THINK]b", ("a", "b")),
        ("◁think▷a◁/think▷b", ("a", "b")),
        ("b", (None, "b")),
        ("", (None, "")),
        (" b ", (None, " b ")),
        ("Write <think>a</think> yourself.", (None, "Write <think>a</think> yourself.")),
        ("The tag `</think>` ends it.", (None, "The tag `</think>` ends it.")),
        ("<think>the tag '</think>' ends</think>b", ("the tag '</think>' ends", "b")),
    ],
)
def test_the_parts(text, parts):
    assert split_reasoning(text) == parts


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        ("stop", "stop"),
        ("STOP", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("max_output_tokens", "length"),
        ("content_filter", "content_filter"),
        ("SAFETY", "content_filter"),
        ("refusal", "content_filter"),
        (None, None),
    ],
)
def test_why_it_ended(raw, word):
    assert finish_reason(raw) == word
