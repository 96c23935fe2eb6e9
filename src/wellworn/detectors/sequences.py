"""What edit distances compare: completions as sequences of characters, words, tokens or nodes.

Two empty completions are at distance 0, as two equal ones are; where all are blank (empty, or
white space alone) nothing was written, and there is nothing to compare. Code that does not
parse is one symbol of its own, so it is unlike every other text: broken code never looks like
convergence.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from wellworn.detectors.base import Options, Unit
from wellworn.detectors.syntax import linearised
from wellworn.errors import Unscorable
from wellworn.records import Completion, Record, View

_BROKEN = "broken code"


class Compared(NamedTuple):
    """The samples of a record, as they are compared."""

    texts: list[str]
    sequences: list[Sequence[Hashable]]
    unit: Unit

    @property
    def parts(self) -> dict[str, float]:
        """The share of samples with an equal twin and, where nodes are compared, that parse."""
        counts = Counter(self.texts)
        twins = sum(counts[text] > 1 for text in self.texts) / len(self.texts)
        if self.unit != "ast":
            return {"twins": twins}
        parsed = sum(map(_parses, self.sequences)) / len(self.sequences)
        return {"twins": twins, "parsed": parsed}


def compared_by(options: Options, m: int) -> dict[str, Any]:
    """Return the parameters of what is compared: its unit and its view."""
    return {"unit": options.unit, "view": options.view}


def compared(record: Record, unit: Unit, view: View) -> Compared:
    """Return the samples of a record as they are compared.

    Raises:
        Unscorable: There are fewer than two, all are blank, the view is hidden, token ids
            are missing, or no code parses.
    """
    samples = record.completions("sample")
    if len(samples) < 2:
        raise Unscorable(f"a distance needs 2 completions; this prompt has {len(samples)}")
    texts = [sample.view(view) for sample in samples]
    sequences = [sequence_of(sample, unit, view) for sample in samples]
    if not any(sequences) or not any(text.strip() for text in texts):
        raise Unscorable(f"all {len(samples)} completions are empty in the {view} view")
    if unit == "ast" and not any(map(_parses, sequences)):
        raise Unscorable(
            f"none of the {len(samples)} completions holds Python code that parses; "
            f"`--unit char` compares any text"
        )
    return Compared(texts, sequences, unit)


def sequence_of(completion: Completion, unit: Unit, view: View) -> Sequence[Hashable]:
    """Return a completion as a sequence of symbols.

    Raises:
        Unscorable: The view is hidden, or the unit is the token and there are no token ids.
    """
    text = completion.view(view)
    if unit == "char":
        return text
    if unit == "word":
        return text.split()
    if unit == "ast":
        return (linearised(text) or ((_BROKEN, text),)) if text.strip() else ()
    if view != "full":
        raise Unscorable(f"token ids belong to the full view; the {view} view has none")
    if completion.token_ids is None:
        raise Unscorable(
            f"completion {completion.index} has no token ids: `--logprobs 1` may bring them from "
            f"the server, `--unit word` needs none"
        )
    return completion.token_ids


def _parses(sequence: Sequence[Any]) -> bool:
    return bool(sequence) and sequence[0][0] != _BROKEN
