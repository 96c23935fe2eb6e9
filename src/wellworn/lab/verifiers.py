"""The tasks' own checks as verifiers of an audit, so that pass rates are those of training.

A prompt of the lab carries its whole item as the gold answer, in JSON: what a verifier of a
task needs is more than one right answer. Audits name them `wellworn.lab.verifiers:countdown`.
"""

from collections.abc import Callable

import msgspec

from wellworn.lab.tasks import Item, load_task
from wellworn.records import Prompt
from wellworn.verifiers.base import Verifier, gold_of, unverifiable


def gold(item: Item) -> str:
    """Return an item as the gold answer of its prompt."""
    return msgspec.json.encode(item).decode()


def _of(name: str) -> Callable[[], Verifier]:
    def load() -> Verifier:
        task = load_task(name)
        decoder = msgspec.json.Decoder(task.kind)

        def correct(text: str, prompt: Prompt) -> bool:
            try:
                item = decoder.decode(gold_of(prompt))
            except msgspec.DecodeError as error:
                raise unverifiable(prompt, f"the gold answer is no {name} item: {error}") from None
            return task.verify(item, text)

        return Verifier(
            f"lab {name}", correct, task.final, lambda text: task.final(text) is not None
        )

    return load


countdown, tries, knights, sat, arithmetic, code = map(
    _of, ("countdown", "tries", "knights", "sat", "arithmetic", "code")
)
