"""Between texts and tokens: chats to what a local model continues, and tokens to answers."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from wellworn.backends import Request
from wellworn.backends.reasoning import split_reasoning
from wellworn.errors import Refused, TooLong
from wellworn.records import Prompt

T = TypeVar("T")


class Tokens:
    """A transformers tokenizer, with the limits and the name of its model."""

    def __init__(self, tokenizer: Any, model: str, context: int | None) -> None:
        self.template = str(tokenizer.chat_template or "")
        self.padding: int = tokenizer.pad_token_id or 0
        self._tokenizer = tokenizer
        self._model = model
        self._context = context
        self._hidden = _hidden(tokenizer)

    def rendered(self, request: Request) -> str:
        """Return the text that the model continues.

        Raises:
            Refused: The prompt is a chat, and the chat template is missing or refuses it.
        """
        prompt = request.prompt
        if prompt.text is not None:
            return prompt.text
        if not self.template:
            raise Refused(
                f"{self._place(prompt)} is a chat, and the model has no chat template.\n"
                f"Ask this model with raw texts (a 'text' in place of messages)."
            )
        turns = [{"role": turn.role, "content": turn.content} for turn in prompt.messages]
        options = request.generation.extra.get("chat_template_kwargs", {})
        render = self._tokenizer.apply_chat_template
        try:
            return str(render(turns, add_generation_prompt=True, tokenize=False, **options))
        except Exception as error:  # a template is a program, and raises what it likes
            raise Refused(
                f"{self._place(prompt)}: the model's chat template refuses it: "
                f"{first_line(error)}\nChange its roles or their order, or leave the prompt out."
            ) from error

    def encoded(self, limit: int, text: str, request: Request) -> list[int]:
        """Return the tokens of a rendered prompt.

        A raw text gets what the tokenizer puts before every text, such as a BOS token; a
        chat has what its template wrote.

        Raises:
            Refused: The text is empty, or is no Unicode.
            TooLong: It leaves less than `limit` tokens of the context.
        """
        ids = self._ids(text, request)
        if not ids:
            raise Refused(
                f"{self._place(request.prompt)} is empty, and nothing can be continued.\n"
                f"Leave it out."
            )
        if self._context is not None and len(ids) > self._context - limit:
            raise TooLong(
                f"{self._place(request.prompt)} has {len(ids)} tokens; the model's context of "
                f"{self._context} has room for {max(0, self._context - limit)} before {limit} "
                f"new ones.\nLower --max-tokens, or leave the prompt out."
            )
        return ids

    def read(self, text: str, request: Request) -> tuple[list[int], int]:
        """Return the tokens of a rendered prompt and what is read after it, and where that begins.

        What is read begins with the token that its first character is in. The first token of
        all, which nothing comes before, is not read.

        Raises:
            Refused: A text is no Unicode, or nothing is left to be read.
            TooLong: They do not fit into the context.
        """
        whole, start = self._split(text, request)
        if start >= len(whole):
            raise Refused(f"{self._place(request.prompt)}: nothing is left to be read.")
        if self._context is not None and len(whole) > self._context:
            raise TooLong(
                f"{self._place(request.prompt)} and what is read after it have {len(whole)} "
                f"tokens; the model's context has {self._context}."
            )
        return whole, start

    def _split(self, text: str, request: Request) -> tuple[list[int], int]:
        """Return all tokens, and which is the first that reaches into what is read.

        A token may hold characters of both, so it is where the texts part that counts, where
        the tokenizer says which characters a token is of.
        """
        encoded = self._encoded(text + (request.reads or ""), request, offsets=True)
        whole, offsets = encoded["input_ids"], encoded.get("offset_mapping")
        if offsets is not None:
            found = (i for i, (begin, end) in enumerate(offsets) if end > max(begin, len(text)))
            return whole, max(1, next(found, len(whole)))
        before = self._ids(text, request)
        pairs = enumerate(zip(whole, before, strict=False))
        return whole, max(1, next((i for i, (a, b) in pairs if a != b), len(before)))

    def _ids(self, text: str, request: Request) -> list[int]:
        ids: list[int] = self._encoded(text, request)["input_ids"]
        return ids

    def _encoded(self, text: str, request: Request, *, offsets: bool = False) -> Any:
        """Return the tokens of a text, with `offsets` their characters too, where those are known.

        Raises:
            Refused: The text is no Unicode.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Refused(
                f"{self._place(request.prompt)}: character {error.start + 1} is half of one "
                f"({text[error.start]!r}), which no tokenizer reads.\n"
                f"Mend the text, or leave the prompt out."
            ) from None
        asked = {"return_offsets_mapping": True} if offsets and self._tokenizer.is_fast else {}
        raw = request.prompt.text is not None
        return self._tokenizer(text, add_special_tokens=raw, **asked)

    def answer(self, prompt: str, ids: Sequence[int]) -> tuple[str | None, str]:
        """Return the reasoning, or None, and the answer that `ids` spell after a `prompt`.

        Special tokens are left out. Where the template ends with an opening think tag, a
        chain of thought that was cut off has no tag of its own.
        """
        shown = [token for token in ids if token not in self._hidden]
        text = self._tokenizer.decode(shown, clean_up_tokenization_spaces=False)
        opened = prompt.rstrip().endswith(("<think>", "<thinking>"))
        return split_reasoning(f"<think>{text}" if opened else text)

    def _place(self, prompt: Prompt) -> str:
        return f"{self._model}: {prompt.source or f'prompt {prompt.id}'}"


def all_fitting(
    make: Callable[[str, Request], T], texts: Sequence[str], requests: Sequence[Request]
) -> list[T]:
    """Return what `make` makes of each rendered prompt and its request.

    Raises:
        TooLong: Some do not fit into the context; it says which.
    """
    made, long = [], {}
    for position, (text, request) in enumerate(zip(texts, requests, strict=True)):
        try:
            made.append(make(text, request))
        except TooLong as error:
            long[position] = str(error)
    if long:
        raise TooLong(next(iter(long.values())), long)
    return made


def first_line(error: Exception) -> str:
    """Return the first line of what an error says, or its kind where it says nothing."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _hidden(tokenizer: Any) -> frozenset[int]:
    """Return the special tokens, which no text shows, except for think tags."""
    added = tokenizer.added_tokens_decoder
    special = {i for i, token in added.items() if token.special} | set(tokenizer.all_special_ids)
    return frozenset(i for i in special if "think" not in tokenizer.convert_ids_to_tokens(i))
