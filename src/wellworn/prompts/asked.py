"""The question in a prompt that a log holds as the model saw it, chat template and all.

Templates are known by their marks. Where the marks were dropped, as when a trainer decodes
without special tokens, the names of the roles are left, alone on their lines. The template of
R1-Zero and its kin is plain text: `User: … Assistant:`.
"""

import re

from wellworn.records import Prompt

_TURNS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"<\|im_start\|>user\n(.*?)<\|im_end\|>",
        r"<\|start_header_id\|>user<\|end_header_id\|>(.*?)<\|eot_id\|>",
        r"<\|start\|>user<\|message\|>(.*?)<\|end\|>",
        r"<start_of_turn>user\n(.*?)<end_of_turn>",
        r"<\|user\|>(.*?)(?:<\|end\|>|<\|assistant\|>|<\|endoftext\|>)",
        "<\uff5cUser\uff5c>(.*?)<\uff5cAssistant\uff5c>",
        r"\[INST\](.*?)\[/INST\]",
        r"(?:\A|\n)user\n(.*?)\nassistant(?:\n|\Z)",
        r"\bUser: (.*?)\n?\s*Assistant:",
    )
)
"""What stands around a user's turn: ChatML, Llama 3, gpt-oss, Gemma, Phi, DeepSeek, Mistral,
roles alone on their lines, R1-Zero."""
_SYSTEM = re.compile(r"<<SYS>>.*?<</SYS>>", re.DOTALL)


def user_turn(text: str) -> str | None:
    r"""Return the last turn of the user in a templated text, stripped; None without a template.

    >>> user_turn("<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n<|im_start|>assistant\n")
    'What is 2 + 2?'
    >>> user_turn("system\nBe brief.\nuser\nWhat is 2 + 2?\nassistant\n")
    'What is 2 + 2?'
    >>> user_turn("What is 2 + 2?")
    """
    for turn in _TURNS:
        if found := turn.findall(text):
            return _SYSTEM.sub("", found[-1]).strip()
    return None


def recognisable(prompt: Prompt) -> str:
    """Return what a person recognises a prompt by: its last turn, out of a template if need be."""
    return (prompt.text and user_turn(prompt.text)) or prompt.shown
