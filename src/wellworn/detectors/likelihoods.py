"""Log-likelihoods of texts: of what a model wrote itself, or of a text that it reads.

On its own greedy answer they say how sure a model is; on the text of a prompt, how well it
knows that text, which is what membership inference was made for. A token whose
log-probability is not known is among the least probable ones, so leaving it out would change
the number most where it matters: such an answer has none.
"""

from math import fsum, isnan
from typing import Any

from wellworn.detectors.answers import answer_to, signals_of
from wellworn.detectors.base import Options
from wellworn.errors import Unscorable
from wellworn.probes import Need, Target
from wellworn.records import Record

PROBES_OF: dict[Target, str] = {
    "response": "greedy",
    "prompt": "read-prompt",
    "gold": "read-gold",
}
"""Where the probability of a text is found: an answer has its own."""


def text_read(options: Options, m: int) -> dict[str, Any]:
    """Return the parameter of which text is read."""
    return {"target": options.target}


def text_needed(options: Options, m: int) -> tuple[Need, ...]:
    """Return the probe that has the probability of the text."""
    return (Need(PROBES_OF[options.target], signals=True),)


def logprobs_of(record: Record, probe: str) -> tuple[float, ...]:
    """Return the log-probability of each token of the answer to a probe, or of what it read.

    Raises:
        Unscorable: There is no answer, it is empty, or a log-probability is not known.
    """
    logprobs = signals_of(record, probe).logprobs
    if unknown := sum(map(isnan, logprobs)):
        raise Unscorable(unknown_tokens(unknown, len(logprobs)))
    return logprobs


def unknown_tokens(unknown: int, tokens: int) -> str:
    """Return the reason why some tokens of unknown probability leave no score."""
    return (
        f"the log-probability of {unknown} of {tokens} tokens is not known; a model that gives "
        f"that of every chosen token is needed"
    )


def mean(logprobs: tuple[float, ...]) -> float:
    """Return the mean log-likelihood of a token, in nats."""
    return fsum(logprobs) / len(logprobs)


def of_equal_tokens(record: Record, first: str, second: str) -> tuple[float, float]:
    """Return the mean log-likelihoods of one text in two readings.

    A text that stands alone has no probability of its first token where the model puts no
    token before every text. That token is then left out of the other reading too.

    Raises:
        Unscorable: A reading is missing, or their tokens are not the same.
    """
    readings = [(logprobs_of(record, probe), _tokens(record, probe)) for probe in (first, second)]
    shorter = min(len(tokens) for _, tokens in readings)
    longer = max(len(tokens) for _, tokens in readings)
    a, b = ((logprobs[-shorter:], tokens[-shorter:]) for logprobs, tokens in readings)
    if longer - shorter > 1 or a[1] != b[1]:
        raise Unscorable(
            f"'{first}' and '{second}' read the same text as different tokens, "
            f"{len(readings[0][1])} and {len(readings[1][1])} of them: is it another tokenizer?"
        )
    return mean(a[0]), mean(b[0])


def _tokens(record: Record, probe: str) -> tuple[int, ...]:
    answer = answer_to(record, probe)
    tokens = answer.token_ids
    if tokens is None or answer.signals is None or len(tokens) != len(answer.signals.logprobs):
        raise Unscorable(
            f"'{probe}' has no token ids, and nothing tells whether two readings are of the same "
            f"tokens"
        )
    return tokens
