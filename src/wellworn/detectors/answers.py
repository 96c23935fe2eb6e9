"""Answers and their signals, or the reason why there are none to read."""

from wellworn.errors import Unscorable
from wellworn.records import Completion, Record, Signals


def answer_to(record: Record, probe: str) -> Completion:
    """Return the first answer to a probe.

    Raises:
        Unscorable: There is none.
    """
    answers = record.completions(probe)
    if not answers:
        raise Unscorable(f"there is no answer to '{probe}'")
    return answers[0]


def signals_of(record: Record, probe: str) -> Signals:
    """Return the signals of the first answer to a probe; one token at least.

    Raises:
        Unscorable: There is no answer, it is blank, its reasoning is hidden, or it has no
            log-probabilities.
    """
    answer = answer_to(record, probe)
    signals = _signals(answer, f"the answer to '{probe}'")
    if not signals.logprobs or not answer.view("full").strip():
        raise Unscorable(f"the answer to '{probe}' is empty")
    return signals


def signals_of_samples(record: Record) -> list[Signals]:
    """Return the signals of every sample; some may have no token, but not all.

    Raises:
        Unscorable: There are no samples, all are blank, a reasoning is hidden, or
            one has no log-probabilities.
    """
    samples = record.completions("sample")
    if not samples:
        raise Unscorable("there are no samples")
    signals = [_signals(sample, f"completion {sample.index}") for sample in samples]
    texts = [sample.view("full") for sample in samples]
    if not any(each.logprobs for each in signals) or not any(text.strip() for text in texts):
        raise Unscorable(f"all {len(samples)} completions are empty")
    return signals


def _signals(completion: Completion, name: str) -> Signals:
    if completion.reasoning_hidden:
        raise Unscorable(
            f"the reasoning of {name} is hidden, and the log-probabilities are those of the rest"
        )
    if completion.signals is None:
        raise Unscorable(
            f"{name} has no log-probabilities; `--logprobs 20` asks for them where the model "
            f"gives any"
        )
    return completion.signals
